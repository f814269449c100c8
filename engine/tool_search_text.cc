#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/canonical.h"
#include "base/glob.h"
#include "base/text.h"
#include "engine/text_edit.h"
#include "engine/tool.h"

// `search.text`: counts matches in the tracked files that `paths` names, as the probe of the same
// name does while compiling.

namespace rgx::engine {

namespace {

constexpr std::size_t kListedPathsMax = 1000;
constexpr std::size_t kListedBytesMax = 256U << 10;
constexpr std::int64_t kPatternMemoryBytes = std::int64_t{8} << 20;

/// What is searched for, made once for all files.
class Matcher {
 public:
  static Result<Matcher> make(const Json& with) {
    Matcher matcher;
    if (const Json* pattern = with.find("pattern")) {
      re2::RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(kPatternMemoryBytes);
      matcher.pattern_ = std::make_unique<re2::RE2>(pattern->as_string(), options);
      if (!matcher.pattern_->ok()) {
        return fail(ErrorKind::failed, "search.pattern",
                    "`" + printable(pattern->as_string()) +
                        "` is no regular expression: " + printable(matcher.pattern_->error()),
                    "use RE2's syntax, or `text` for a literal search");
      }
      return matcher;
    }
    const Json* word = with.find("word");
    matcher.boundary_ = word != nullptr ? Boundary::word : Boundary::anywhere;
    matcher.needle_ = (word != nullptr ? word : with.find("text"))->as_string();
    return matcher;
  }

  [[nodiscard]] std::int64_t count(std::string_view bytes) const {
    std::int64_t count = 0;
    if (pattern_) {
      re2::StringPiece rest(bytes.data(), bytes.size());
      re2::StringPiece hit;
      while (pattern_->Match(rest, 0, rest.size(), re2::RE2::UNANCHORED, &hit, 1)) {
        // An empty match counts once and moves on by one byte.
        const auto end = static_cast<std::size_t>(hit.data() - rest.data()) + hit.size();
        ++count;
        if (end + (hit.empty() ? 1 : 0) > rest.size()) {
          break;
        }
        rest.remove_prefix(end + (hit.empty() ? 1 : 0));
      }
      return count;
    }
    for (std::size_t at = find_match(bytes, needle_, boundary_, 0); at != std::string_view::npos;
         at = find_match(bytes, needle_, boundary_, at + needle_.size())) {
      ++count;
    }
    return count;
  }

 private:
  std::unique_ptr<re2::RE2> pattern_;
  std::string needle_;
  Boundary boundary_ = Boundary::anywhere;
};

class SearchText final : public Action {
 public:
  SearchText(ToolPorts& ports, Matcher matcher, std::vector<std::string> places)
      : ports_(ports),
        matcher_(std::move(matcher)),
        places_(std::move(places)) {}

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
    outcome.values.set("paths", paths());
    outcome.values.set("files", hits_.as_array().size());
    outcome.values.set("unread", unread_);
    outcome.summary = std::to_string(matches_) + (matches_ == 1 ? " match" : " matches") + " in " +
                      std::to_string(hits_.as_array().size()) +
                      (hits_.as_array().size() == 1 ? " file" : " files");
    return outcome;
  }

 private:
  /// The first files with a match; a record has a size.
  [[nodiscard]] Json paths() const {
    Json paths = Json::array();
    std::size_t bytes = 0;
    for (const Json& hit : hits_.as_array()) {
      const std::string& path = hit.find("path")->as_string();
      bytes += path.size();
      if (paths.as_array().size() >= kListedPathsMax || bytes > kListedBytesMax) {
        break;
      }
      paths.push(path);
    }
    return paths;
  }

  Status search(const CancelFlag& stop) {
    RGX_TRY(const auto files, tracked_files());
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
        matches_ += count;
        hits_.push(Json::object({{"count", count}, {"path", printable(file.path)}}));
      }
    }
    return {};
  }

  /// Files at or below a literal path, or that a glob matches; sorted, each once.
  Result<std::vector<RepositoryFile>> tracked_files() {
    RGX_TRY(const auto all, ports_.repository.files({"."}));
    std::vector<Glob> globs;
    for (const std::string& place : places_) {
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

  ToolPorts& ports_;
  Matcher matcher_;
  std::vector<std::string> places_;
  Status searched_;
  Json hits_ = Json::array();
  std::int64_t matches_ = 0;
  std::int64_t unread_ = 0;
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_search_text(const ToolRequest& request) {
  const Json& with = request.step.tool.with;
  RGX_TRY(Matcher matcher, Matcher::make(with));
  std::vector<std::string> places;
  for (const Json& path : with.find("paths")->as_array()) {
    places.push_back(path.as_string());
  }
  return std::unique_ptr<Action>(
      std::make_unique<SearchText>(request.ports, std::move(matcher), std::move(places)));
}

}  // namespace rgx::engine
