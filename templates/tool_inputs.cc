#include "base/glob.h"
#include "base/path.h"
#include "templates/describe.h"
#include "templates/regex.h"
#include "templates/step_output.h"
#include "templates/syntax.h"
#include "templates/tool.h"

#include <algorithm>
#include <array>
#include <string>

// Checks one tool use against its contract and brings its paths and hosts into normal form.

namespace rgx::templates {
namespace {

constexpr std::size_t kArgvWordsMax = 4096;
constexpr std::size_t kArgvBytesMax = 128U << 10;  // below the kernel's ARG_MAX with room for env
constexpr std::size_t kEditsMax = 1000;
constexpr std::size_t kPathsMax = 10000;
constexpr std::size_t kVariablesMax = 256;
constexpr std::string_view kBelow = "/**";  // what the effects of a search add to a place

class UseChecker {
 public:
  UseChecker(std::string_view what, const Place& place) : what_(what), place_(place) {}

  void mistake(std::string_view code, const std::string& message, std::string_view remedy) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = what_ + ": " + message;
    diagnostic.remedy = remedy;
    diagnostic.place = place_;
    mistakes_.push_back(std::move(diagnostic));
  }
  void wrong_type(std::string_view input, const std::string& problem, std::string_view remedy) {
    mistake("tool.input_type", "input `" + std::string(input) + "` " + problem, remedy);
  }

  Json normal(const ToolInput& input, const Json& value);
  void open(const ToolInput& input, const Json& value);
  std::vector<std::string> globs(std::string_view key, const std::vector<std::string>& patterns);
  std::vector<std::string> hosts(const std::vector<std::string>& given);
  void text(std::string_view input, const Json& value);
  Json path(std::string_view input, const Json& value);
  Json paths(std::string_view input, const Json& value);
  void argv(std::string_view input, const Json& value);
  void edits(std::string_view input, const Json& value);
  void edit(std::string_view input, const Json& value, const std::string& where);
  void environment(std::string_view input, const Json& value);

  [[nodiscard]] bool failed() const { return !mistakes_.empty(); }
  [[nodiscard]] Error error() && { return Error{ErrorKind::usage, std::move(mistakes_)}; }

 private:
  std::string what_;
  Place place_;
  std::vector<Diagnostic> mistakes_;
};

std::string shown(const Json& value) {
  return "is " + described(value);
}

void UseChecker::text(std::string_view input, const Json& value) {
  if (!value.is_string()) {
    wrong_type(input, shown(value) + ", not a text", "give one string");
  } else if (value.as_string().size() > static_cast<std::size_t>(kInputTextBytesMax)) {
    wrong_type(input, "is longer than 1 MiB", "split the work into smaller steps");
  }
}

Json UseChecker::path(std::string_view input, const Json& value) {
  if (!value.is_string()) {
    wrong_type(input, shown(value) + ", not a path", "give one path inside the workspace");
    return value;
  }
  auto normal_form = normal_path(value.as_string());
  if (!normal_form) {
    wrong_type(input, "is no usable path: " + normal_form.error().first().message,
               normal_form.error().first().remedy);
    return value;
  }
  const std::string pattern = pattern_of_path(*normal_form);
  if (pattern != *normal_form && !Glob::parse(pattern)) {
    wrong_type(input, "is too long a path", "use shorter names");
  }
  return Json(std::move(*normal_form));
}

Json UseChecker::paths(std::string_view input, const Json& value) {
  const std::string_view remedy = "give a list of paths or globs, `[\".\"]` for everything";
  if (!value.is_array() || value.as_array().empty()) {
    wrong_type(input, (value.is_array() ? "is an empty list" : shown(value) + ", not a list"),
               remedy);
    return value;
  }
  if (value.as_array().size() > kPathsMax) {
    wrong_type(input, "has more than 10000 paths", "name their folder");
    return value;
  }
  Json all = Json::array();
  for (const Json& item : value.as_array()) {
    if (!item.is_string()) {
      wrong_type(input, "has an item that " + shown(item) + ", not a path", remedy);
      continue;
    }
    const auto glob = Glob::parse(item.as_string());
    if (!glob) {
      wrong_type(input, "has an unusable item: " + glob.error().first().message,
                 glob.error().first().remedy);
      continue;
    }
    if (glob->pattern().size() + kBelow.size() > kPathBytesMax) {
      wrong_type(input, "has too long an item", "use shorter names");
    }
    all.push(glob->pattern());
  }
  return all;
}

void UseChecker::argv(std::string_view input, const Json& value) {
  const std::string_view remedy = "give the program and its arguments as a list: `[make, test]`";
  if (!value.is_array() || value.as_array().empty()) {
    wrong_type(input, (value.is_array() ? "is an empty list" : shown(value) + ", not a list"),
               remedy);
    return;
  }
  std::size_t bytes = 0;
  bool first = true;
  for (const Json& word : value.as_array()) {
    if (!word.is_string()) {
      wrong_type(input, "has an item that " + shown(word) + ", not a text", remedy);
      return;
    }
    if (word.as_string().find('\0') != std::string::npos || (first && word.as_string().empty())) {
      wrong_type(input, first ? "names no program" : "has an item with a NUL byte", remedy);
      return;
    }
    bytes += word.as_string().size() + 1;
    first = false;
  }
  if (value.as_array().size() > kArgvWordsMax || bytes > kArgvBytesMax) {
    wrong_type(input, "is longer than 4096 words or 128 KiB", "pass long lists through a file");
  }
}

void UseChecker::edit(std::string_view input, const Json& value, const std::string& where) {
  const std::string_view remedy =
      "write each edit as `{word: OLD, to: NEW}` (or `text`, `anchor`, `pattern`)";
  if (!value.is_object()) {
    wrong_type(input, where + " " + shown(value), remedy);
    return;
  }
  int finders = 0;
  for (const auto& [key, member] : value.as_object()) {
    const bool finder = key == "word" || key == "text" || key == "anchor" || key == "pattern";
    if (!finder && key != "to") {
      wrong_type(input, where + " has the unknown key " + quoted(key), remedy);
    } else if (!member.is_string() || (finder && member.as_string().empty())) {
      std::string problem = where;
      problem.append(": `").append(key).append("` ");
      problem.append(member.is_string() ? "is empty" : shown(member).append(", not a text"));
      wrong_type(input, problem, remedy);
    }
    finders += finder ? 1 : 0;
  }
  if (finders != 1 || value.find("to") == nullptr) {
    wrong_type(input, where + " needs `to` and exactly one of `word`, `text`, `anchor`, `pattern`",
               remedy);
    return;
  }
  for (const std::string_view finder : {"word", "text"}) {
    const Json* old = value.find(finder);
    if (old != nullptr && *old == *value.find("to")) {
      wrong_type(input, where + " replaces " + described(*old) + " by itself",
                 "give two different names");
    }
  }
  if (const Json* pattern = value.find("pattern");
      pattern != nullptr && pattern->is_string() && value.find("to")->is_string()) {
    const auto regex = Regex::parse(pattern->as_string());
    const Status fits = regex ? regex->check_replacement(value.find("to")->as_string()) : Status();
    const Error* error = !regex ? &regex.error() : !fits ? &fits.error() : nullptr;
    if (error != nullptr) {
      wrong_type(input, where + ": " + error->first().message, error->first().remedy);
    }
  }
}

void UseChecker::edits(std::string_view input, const Json& value) {
  if (!value.is_array() || value.as_array().empty() || value.as_array().size() > kEditsMax) {
    wrong_type(input, value.is_array() ? "has no edit or more than 1000" : shown(value),
               "give a list of `{word: OLD, to: NEW}`");
    return;
  }
  std::size_t index = 0;
  for (const Json& item : value.as_array()) {
    edit(input, item, "edit " + std::to_string(++index));
  }
}

void UseChecker::environment(std::string_view input, const Json& value) {
  const std::string_view remedy = "write `env: {NAME: value}`";
  if (!value.is_object() || value.as_object().size() > kVariablesMax) {
    wrong_type(input, value.is_object() ? "has more than 256 variables" : shown(value), remedy);
    return;
  }
  for (const auto& [name, member] : value.as_object()) {
    if (!is_variable(name)) {
      wrong_type(input, "has the variable " + quoted(name) + ", which is no name",
                 "use letters, digits and `_`");
    } else if (!member.is_string() || member.as_string().find('\0') != std::string::npos) {
      wrong_type(input, "gives `" + name + "` a value that is no text", "quote the value");
    }
  }
}

/// Policy decides before the run: only what it never decides on may still be open then.
void UseChecker::open(const ToolInput& input, const Json& value) {
  if (input.type != InputType::string || input.axis != Axis::content) {
    mistake("tool.open_input",
            "input `" + std::string(input.name) + "` cannot be an output of another step",
            "use a fact, which is known before anything runs");
  } else if (const Status shaped = check_open(value); !shaped) {
    wrong_type(input.name, "cannot be used: " + shaped.error().first().message,
               shaped.error().first().remedy);
  }
}

Json UseChecker::normal(const ToolInput& input, const Json& value) {
  if (is_open(value)) {
    open(input, value);
    return value;
  }
  switch (input.type) {
    case InputType::string:
      text(input.name, value);
      return value;
    case InputType::path:
      return path(input.name, value);
    case InputType::paths:
      return paths(input.name, value);
    case InputType::argv:
      argv(input.name, value);
      return value;
    case InputType::identifier:
      if (!value.is_string() || !is_identifier(value.as_string())) {
        wrong_type(input.name, shown(value) + ", not an identifier", "give a name like `fooBar`");
      }
      return value;
    case InputType::edits:
      edits(input.name, value);
      return value;
    case InputType::environment:
      environment(input.name, value);
      return value;
    case InputType::url:
      if (!value.is_string() || !host_of_url(value.as_string())) {
        wrong_type(input.name, shown(value) + ", not an http or https URL",
                   "give `https://host/path` without a user name");
      }
      return value;
    case InputType::schema:
      if (!value.is_object()) {
        wrong_type(input.name, shown(value) + ", not a JSON Schema", "give a mapping");
      }
      return value;
    case InputType::integer:
      if (!value.is_integer() || value.as_integer() < 0) {
        wrong_type(input.name, shown(value) + ", not a whole number", "give 0 or more");
      }
      return value;
  }
  return value;
}

std::vector<std::string> UseChecker::globs(std::string_view key,
                                           const std::vector<std::string>& patterns) {
  std::vector<std::string> all;
  for (const std::string& pattern : patterns) {
    auto glob = Glob::parse(pattern);
    if (!glob) {
      mistake("tool.declaration",
              "`" + std::string(key) + "` has an unusable item: " + glob.error().first().message,
              glob.error().first().remedy);
      continue;
    }
    all.push_back(glob->pattern());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

std::vector<std::string> UseChecker::hosts(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (const std::string& host : given) {
    auto normal_form = normal_host(host);
    if (!normal_form) {
      mistake("tool.declaration", "`hosts` has " + quoted(host) + ", which is no host and port",
              "write `api.example.org:443`");
      continue;
    }
    all.push_back(std::move(*normal_form));
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

void check_members(const ToolContract& tool, const ToolUse& use, UseChecker& checker) {
  std::vector<std::string> names;
  for (const ToolInput& input : tool.inputs) {
    names.emplace_back(input.name);
  }
  for (const auto& [key, value] : use.with.as_object()) {
    if (std::ranges::find(names, key) == names.end()) {
      checker.mistake("tool.unknown_input",
                      "`" + std::string(tool.name) + "` has no input " + quoted(key),
                      suggestion(key, names, "it takes no input"));
    }
  }
  for (const ToolInput& input : tool.inputs) {
    if (input.required && use.with.find(input.name) == nullptr) {
      checker.mistake(
          "tool.missing_input",
          "`" + std::string(tool.name) + "` needs the input `" + std::string(input.name) + "`",
          "add it under `with`");
    }
  }
  if (tool.name == "search.text") {
    const int finders = (use.with.find("word") != nullptr ? 1 : 0) +
                        (use.with.find("text") != nullptr ? 1 : 0) +
                        (use.with.find("pattern") != nullptr ? 1 : 0);
    if (finders != 1) {
      checker.mistake(finders == 0 ? "tool.missing_input" : "tool.input_type",
                      "`search.text` needs exactly one of `word`, `text`, `pattern`",
                      "say what to search for, once");
    }
  }
  if (!tool.declares && (use.read || use.write || use.hosts)) {
    checker.mistake("tool.declaration",
                    "`" + std::string(tool.name) +
                        "` takes no `read`, `write` or `hosts`: they follow from its inputs",
                    "leave the declaration out");
  }
}

}  // namespace

Result<ToolUse> normal_use(const ToolUse& use, std::string_view what, const Place& place) {
  UseChecker checker(what, place);
  const ToolContract* tool = find_tool(use.use);
  if (tool == nullptr) {
    std::vector<std::string> names;
    for (const ToolContract& known : tools()) {
      names.emplace_back(known.name);
    }
    checker.mistake("tool.unknown", "there is no tool " + quoted(use.use),
                    suggestion(use.use, names, "the tools are listed in docs/formats/plan.md"));
    return fail(std::move(checker).error());
  }
  if (!use.with.is_object()) {
    checker.mistake("tool.input_type", "`with` " + shown(use.with) + ", not a mapping",
                    "write `with: {NAME: value}`");
    return fail(std::move(checker).error());
  }
  check_members(*tool, use, checker);
  ToolUse normal{use.use, Json::object(), std::nullopt, std::nullopt, std::nullopt};
  for (const ToolInput& input : tool->inputs) {
    if (const Json* value = use.with.find(input.name)) {
      normal.with.set(input.name, checker.normal(input, *value));
    }
  }
  if (use.read) {
    normal.read = checker.globs("read", *use.read);
  }
  if (use.write) {
    normal.write = checker.globs("write", *use.write);
  }
  if (use.hosts) {
    normal.hosts = checker.hosts(*use.hosts);
  }
  if (checker.failed()) {
    return fail(std::move(checker).error());
  }
  return normal;
}

Status check_inputs(const ToolUse& use, std::string_view what, const Place& place) {
  RGX_TRY([[maybe_unused]] const ToolUse normal, normal_use(use, what, place));
  return {};
}

}  // namespace rgx::templates
