#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "base/canonical.h"
#include "base/glob.h"
#include "base/text.h"
#include "engine/file_image.h"
#include "engine/text_edit.h"
#include "templates/regex.h"

// `search.text` counts matches in the tracked files that `paths` names, `search.files` lists them,
// as the probes of the same names do while compiling.

namespace rgx::engine {

namespace {

constexpr std::size_t kLinesMax = 20;  // named where there are more matches than may be
constexpr std::size_t kNamedBytesMax = std::size_t{256} << 10;  // of paths, in an outcome record

/// What is searched for, made once for all files.
class Matcher {
 public:
  static Result<Matcher> make(const Json& with) {
    Matcher matcher;
    if (const Json* pattern = with.find("pattern")) {
      auto regex = templates::Regex::parse(pattern->as_string());
      if (!regex) {
        return fail(ErrorKind::failed, "search.pattern", regex.error().first().message,
                    "use RE2's syntax, or `text` for a literal search");
      }
      matcher.pattern_ = std::move(*regex);
      return matcher;
    }
    const Json* word = with.find("word");
    matcher.boundary_ = word != nullptr ? Boundary::word : Boundary::anywhere;
    matcher.needle_ = (word != nullptr ? word : with.find("text"))->as_string();
    return matcher;
  }

  [[nodiscard]] std::int64_t count(std::string_view bytes) const {
    if (pattern_) {
      return pattern_->count(bytes);
    }
    std::int64_t count = 0;
    for (std::size_t at = find_match(bytes, needle_, boundary_, 0); at != std::string_view::npos;
         at = find_match(bytes, needle_, boundary_, at + needle_.size())) {
      ++count;
    }
    return count;
  }

  /// Numbers of the first lines with a match, each once; at most `lines_max`.
  [[nodiscard]] std::vector<std::int64_t> lines(std::string_view bytes,
                                                std::size_t lines_max) const {
    std::vector<std::int64_t> found;
    std::int64_t line = 1;
    for (std::size_t start = 0; start <= bytes.size() && found.size() < lines_max; ++line) {
      const std::optional<std::size_t> at = start_of_match(bytes, start);
      if (!at) {
        break;
      }
      line += std::count(bytes.begin() + static_cast<std::ptrdiff_t>(start),
                         bytes.begin() + static_cast<std::ptrdiff_t>(*at), '\n');
      found.push_back(line);
      const std::size_t end = bytes.find('\n', *at);
      start = end == std::string_view::npos ? bytes.size() + 1 : end + 1;
    }
    return found;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> start_of_match(std::string_view bytes,
                                                          std::size_t from) const {
    if (pattern_) {
      const auto match = pattern_->find(bytes, from);
      return match ? std::optional(static_cast<std::size_t>(match->front().data() - bytes.data()))
                   : std::nullopt;
    }
    const std::size_t at = find_match(bytes, needle_, boundary_, from);
    return at == std::string_view::npos ? std::nullopt : std::optional(at);
  }

  std::optional<templates::Regex> pattern_;
  std::string needle_;
  Boundary boundary_ = Boundary::anywhere;
};

std::vector<std::string> places_of(const Json& with) {
  std::vector<std::string> places;
  for (const Json& path : with.find("paths")->as_array()) {
    places.push_back(path.as_string());
  }
  return places;
}

/// Tracked files at or below a literal path, or that a glob matches; sorted, each once.
Result<std::vector<RepositoryFile>> tracked_files(const std::vector<std::string>& places,
                                                  RepositoryView& repository) {
  RGX_TRY(const auto all, repository.files({"."}));
  std::vector<Glob> globs;
  for (const std::string& place : places) {
    RGX_TRY(Glob glob, Glob::parse(place));
    globs.push_back(std::move(glob));
  }
  std::vector<RepositoryFile> files;
  std::ranges::copy_if(all, std::back_inserter(files), [&globs](const RepositoryFile& file) {
    return std::ranges::any_of(globs, [&file](const Glob& glob) {
      const std::string& pattern = glob.pattern();
      return glob.matches(file.path) || pattern == "." ||
             (glob.is_literal() && file.path.starts_with(pattern + "/"));
    });
  });
  return files;
}

/// The paths of an outcome: as many as its record has room for, and how many are left out.
void set_paths(const std::vector<std::string>& paths, Json& values) {
  Json named = Json::array();
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const std::string& path : paths) {
    bytes += path.size();
    if (bytes > kNamedBytesMax) {
      break;
    }
    named.push(path);
    ++count;
  }
  values.set("paths", std::move(named));
  if (count < paths.size()) {
    values.set("paths_left_out", paths.size() - count);
  }
}

class SearchText final : public Action {
 public:
  SearchText(ToolPorts& ports, Matcher matcher, const Json& with)
      : ports_(ports),
        matcher_(std::move(matcher)),
        places_(places_of(with)) {
    if (const Json* most = with.find("matches_max")) {
      matches_max_ = most->as_integer();
    }
  }

  void act(const CancelFlag& stop) override { searched_ = search(stop); }

  Outcome finish() override {
    if (!searched_) {
      return failed_outcome(searched_.error());
    }
    const std::string listing = canonical(hits_);
    const auto stored = ports_.state.objects().put(listing);
    if (!stored) {
      return failed_outcome(stored.error());
    }
    Outcome outcome;
    outcome.state = StepState::succeeded;
    outcome.confinement = "in_process";
    outcome.spent.steps = 1;
    outcome.outputs.emplace(
        "matches", StoredOutput{*stored, static_cast<std::int64_t>(listing.size()), false});
    outcome.values.set("count", matches_);
    outcome.values.set("files", hits_.as_array().size());
    outcome.values.set("unread", unread_);
    set_paths(paths_, outcome.values);
    outcome.summary = std::to_string(matches_) + (matches_ == 1 ? " match" : " matches") + " in " +
                      std::to_string(hits_.as_array().size()) +
                      (hits_.as_array().size() == 1 ? " file" : " files");
    if (matches_max_ && matches_ > *matches_max_) {
      refuse(outcome, *matches_max_);
    }
    return outcome;
  }

 private:
  Status search(const CancelFlag& stop) {
    RGX_TRY(const auto files, tracked_files(places_, ports_.repository));
    for (const RepositoryFile& file : files) {
      if (stop.load()) {
        return fail(ErrorKind::failed, "search.cancelled", "the search was stopped",
                    "run the plan again");
      }
      const auto bytes = ports_.workspace.read(file.path, kEditBytesMax);
      if (!bytes) {
        // Gone, a link by now, or too large: named by its number, so that nothing is hidden.
        ++unread_;
        continue;
      }
      const std::int64_t count = is_binary(*bytes) ? 0 : matcher_.count(*bytes);
      if (count > 0) {
        name_lines(file.path, *bytes);
        matches_ += count;
        paths_.push_back(printable(file.path));
        hits_.push(Json::object({{"count", count}, {"path", paths_.back()}}));
      }
    }
    return {};
  }

  /// Where, and never what: it may be a secret.
  void name_lines(const std::string& path, std::string_view bytes) {
    if (!matches_max_ || lines_.size() >= kLinesMax) {
      return;
    }
    for (const std::int64_t line : matcher_.lines(bytes, kLinesMax - lines_.size())) {
      lines_.push_back(printable(path) + ":" + std::to_string(line));
    }
  }

  void refuse(Outcome& outcome, std::int64_t matches_max) const {
    outcome.state = StepState::failed;
    outcome.summary += "; at most " + std::to_string(matches_max) + " may be";
    outcome.error = Diagnostic{.code = "search.too_many",
                               .message = outcome.summary,
                               .remedy = "look at the places that are named, and mend them",
                               .place = {}};
    outcome.detail = join(lines_, "\n");
    if (lines_.size() == kLinesMax) {
      outcome.detail += "\n(no more than " + std::to_string(kLinesMax) + " are named)";
    }
  }

  ToolPorts& ports_;
  Matcher matcher_;
  std::vector<std::string> places_;
  Status searched_;
  std::optional<std::int64_t> matches_max_;
  std::vector<std::string> lines_;
  Json hits_ = Json::array();
  std::vector<std::string> paths_;
  std::int64_t matches_ = 0;
  std::int64_t unread_ = 0;
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_search_text(const ToolRequest& request) {
  const Json& with = request.step.tool.with;
  RGX_TRY(Matcher matcher, Matcher::make(with));
  return std::unique_ptr<Action>(
      std::make_unique<SearchText>(request.ports, std::move(matcher), with));
}

Result<std::unique_ptr<Action>> prepare_search_files(const ToolRequest& request) {
  const Json& with = request.step.tool.with;
  RGX_TRY(auto files, tracked_files(places_of(with), request.ports.repository));
  if (const Json* pattern = with.find("glob")) {
    RGX_TRY(const Glob glob, Glob::parse(pattern->as_string()));
    std::erase_if(files, [&glob](const RepositoryFile& file) { return !glob.matches(file.path); });
  }
  std::vector<std::string> paths;
  for (const RepositoryFile& file : files) {
    paths.push_back(printable(file.path));
  }
  const std::string listing = canonical(Json::array_of(paths));
  RGX_TRY(const Digest stored, request.ports.state.objects().put(listing));
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = "in_process";
  outcome.spent.steps = 1;
  outcome.outputs.emplace("files",
                          StoredOutput{stored, static_cast<std::int64_t>(listing.size()), false});
  outcome.values.set("count", paths.size());
  set_paths(paths, outcome.values);
  outcome.summary = std::to_string(paths.size()) + (paths.size() == 1 ? " file" : " files");
  return settled_action(std::move(outcome));
}

}  // namespace rgx::engine
