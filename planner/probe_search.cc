#include "planner/probe_search.h"

#include "base/check.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/text.h"
#include "planner/text_search.h"
#include "templates/regex.h"

#include <algorithm>
#include <utility>

namespace rgx::planner {
namespace {

using templates::Fact;
using templates::FactValue;
using templates::Origin;
using templates::Regex;
using templates::Value;

constexpr std::size_t kNeedleBytesMax = 4096;

/// What is searched for: a text, a word or a pattern.
class Needle {
 public:
  static Result<Needle> make(const Fact& fact, const Json& with) {
    Needle needle;
    for (const std::string_view kind : {"word", "text", "pattern"}) {
      if (const Json* value = with.find(kind)) {
        needle.kind_ = kind;
        if (!value->is_string() || value->as_string().empty() ||
            value->as_string().size() > kNeedleBytesMax) {
          return bad_input(fact, "what to search for is not a text of 1 to 4096 bytes",
                           "give one name or text");
        }
        needle.text_ = value->as_string();
      }
    }
    RGX_CHECK(!needle.kind_.empty());  // parse_template asks for one of them
    if (needle.kind_ == "pattern") {
      auto regex = Regex::parse(needle.text_);
      if (!regex) {
        return bad_input(fact, regex.error().first().message, regex.error().first().remedy);
      }
      needle.regex_ = std::move(*regex);
    }
    return needle;
  }

  [[nodiscard]] std::int64_t count(std::string_view bytes) const {
    if (regex_) {
      return regex_->count(bytes);
    }
    return count_matches(bytes, text_,
                         kind_ == "word" ? MatchBoundary::word : MatchBoundary::anywhere);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string_view kind() const { return kind_; }

 private:
  std::string_view kind_;
  std::string text_;
  std::optional<Regex> regex_;
};

Result<std::vector<std::string>> paths_of(const Fact& fact, const Json& with) {
  RGX_TRY(const std::vector<std::string> given, texts_of(fact, with, "paths", {"."}));
  if (given.empty()) {
    return bad_input(fact, "`paths` is no list of paths", "give at least one, `.` for everything");
  }
  std::vector<std::string> paths;
  for (const std::string& item : given) {
    RGX_TRY(std::string path, normal_path(item));
    paths.push_back(std::move(path));
  }
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  return paths;
}

/// Where to look: files at or below `paths` that one of `globs` matches and none of `exclude`,
/// sorted.
struct Place {
  std::vector<std::string> paths;
  std::vector<RepositoryFile> files;
  Json with;  ///< normal form of the inputs
};

/// Keeps the files that one of an input's globs matches, or drops them.
Status filter_files(const Fact& fact, const Json& with, std::string_view input, bool keep,
                    Place& place) {
  if (with.find(input) == nullptr) {
    return {};
  }
  RGX_TRY(const std::vector<std::string> patterns, texts_of(fact, with, input, {}));
  std::vector<Glob> globs;
  for (const std::string& pattern : patterns) {
    RGX_TRY(Glob glob, Glob::parse(pattern));
    globs.push_back(std::move(glob));
  }
  std::ranges::sort(globs);
  globs.erase(std::ranges::unique(globs).begin(), globs.end());
  std::erase_if(place.files, [&globs, keep](const RepositoryFile& file) {
    const bool hit =
        std::ranges::any_of(globs, [&file](const Glob& glob) { return glob.matches(file.path); });
    return hit != keep;
  });
  Json normal = Json::array();
  for (const Glob& glob : globs) {
    normal.push(glob.pattern());
  }
  place.with.set(std::string(input), std::move(normal));
  return {};
}

Result<Place> place_of(const Fact& fact, const Json& with, RepositoryView& repository) {
  Place place;
  RGX_TRY(place.paths, paths_of(fact, with));
  place.with = Json::object({{"paths", Json::array_of(place.paths)}});
  RGX_TRY(place.files, repository.files(place.paths));
  // The order of the plan must not hang on the order of the port.
  std::ranges::sort(place.files, {}, &RepositoryFile::path);
  RGX_TRY_STATUS(filter_files(fact, with, "globs", true, place));
  RGX_TRY_STATUS(filter_files(fact, with, "exclude", false, place));
  return place;
}

/// What a search finds, in the order of paths.
struct Hits {
  Json paths = Json::array();
  Json skipped = Json::array();
  std::int64_t count = 0;
  std::map<std::string, Digest> pins;

  void skip(const std::string& path, std::string_view reason) {
    skipped.push(Json::object({{"path", path}, {"reason", reason}}));
  }
};

Result<Hits> search(const std::vector<RepositoryFile>& files, const Needle& needle, bool absent,
                    RepositoryView& repository) {
  Hits hits;
  for (const RepositoryFile& file : files) {
    if (file.size_bytes > kSearchedBytesMax) {
      hits.skip(file.path, "larger than 16 MiB");
      continue;
    }
    RGX_TRY(const std::string bytes, repository.read(file.path));
    if (is_binary(bytes)) {
      hits.skip(file.path, "binary");
      continue;
    }
    const std::int64_t count = needle.count(bytes);
    if ((count == 0) == absent) {
      hits.count += count;
      hits.paths.push(file.path);
      hits.pins[file.path] = digest_bytes(bytes);
    }
  }
  return hits;
}

[[nodiscard]] Status check_count(const Fact& fact, std::size_t found, const std::string& what) {
  if (found > static_cast<std::size_t>(fact.items_max)) {
    return fail(ErrorKind::usage, "fact.too_many_items",
                "fact `" + fact.name + "` finds " + std::to_string(found) + " files" + what +
                    "; at most " + std::to_string(fact.items_max) + " are allowed",
                "narrow the scope, or raise `items_max` in the template", fact.place);
  }
  return {};
}

FactValue fact_value(const Fact& fact, const Value& with, Json normal_with, Json members) {
  FactValue value;
  value.probe = fact.probe;
  value.with = std::move(normal_with);
  value.value.json = std::move(members);
  value.value.origins = with.origins;
  value.value.origins.add(Origin::repository);
  return value;
}

}  // namespace

tl::unexpected<Error> bad_input(const Fact& fact, const std::string& problem,
                                std::string_view remedy) {
  return fail(ErrorKind::usage, "fact.input_type", "fact `" + fact.name + "`: " + problem, remedy,
              fact.place);
}

Result<std::vector<std::string>> texts_of(const Fact& fact, const Json& with,
                                          std::string_view input,
                                          std::vector<std::string> fallback) {
  const Json* value = with.find(input);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_array()) {
    return bad_input(fact, "`" + std::string(input) + "` is no list of texts", "write `[...]`");
  }
  std::vector<std::string> texts;
  for (const Json& item : value->as_array()) {
    if (!item.is_string()) {
      return bad_input(fact, "`" + std::string(input) + "` has an item that is no text",
                       "quote it");
    }
    texts.push_back(item.as_string());
  }
  return texts;
}

Result<FactValue> probe_search_text(const Fact& fact, const Value& with,
                                    RepositoryView& repository) {
  RGX_TRY(const Needle needle, Needle::make(fact, with.json));
  RGX_TRY(Place place, place_of(fact, with.json, repository));
  const Json* absent_input = with.json.find("absent");
  if (absent_input != nullptr && absent_input->kind() != Json::Kind::boolean) {
    return bad_input(fact, "`absent` is not `true` or `false`", "write one of them");
  }
  const bool absent = absent_input != nullptr && absent_input->as_boolean();
  RGX_TRY(Hits hits, search(place.files, needle, absent, repository));
  RGX_TRY_STATUS(check_count(fact, hits.paths.as_array().size(),
                             (absent ? " without `" : " with `") + printable(needle.text()) + "`"));
  Json normal = place.with;
  normal.set(std::string(needle.kind()), needle.text());
  if (absent) {
    normal.set("absent", true);
  }
  FactValue value = fact_value(fact, with, std::move(normal),
                               Json::object({{"paths", std::move(hits.paths)},
                                             {"count", hits.count},
                                             {"skipped", std::move(hits.skipped)}}));
  value.pins = std::move(hits.pins);
  return value;
}

Result<FactValue> probe_search_files(const Fact& fact, const Value& with,
                                     RepositoryView& repository) {
  RGX_TRY(Place place, place_of(fact, with.json, repository));
  RGX_TRY_STATUS(check_count(fact, place.files.size(), ""));
  Json paths = Json::array();
  std::map<std::string, Digest> pins;
  for (const RepositoryFile& file : place.files) {
    paths.push(file.path);
    if (file.size_bytes <= kSearchedBytesMax) {
      RGX_TRY(const std::string bytes, repository.read(file.path));
      pins[file.path] = digest_bytes(bytes);
    }
  }
  const auto count = static_cast<std::int64_t>(place.files.size());
  FactValue value = fact_value(fact, with, place.with,
                               Json::object({{"paths", std::move(paths)}, {"count", count}}));
  value.pins = std::move(pins);
  return value;
}

}  // namespace rgx::planner
