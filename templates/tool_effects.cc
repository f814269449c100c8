#include "templates/tool_effects.h"

#include "base/check.h"
#include "templates/syntax.h"
#include "templates/tool.h"

#include <algorithm>

// How the effects of a tool use follow from its inputs and declarations.
// Format: docs/formats/plan.md, section "Tools"

namespace rgx::templates {
namespace {

void sort_unique(std::vector<std::string>& items) {
  std::ranges::sort(items);
  items.erase(std::ranges::unique(items).begin(), items.end());
}

std::string text_of(const ToolUse& use, std::string_view input) {
  const Json* value = use.with.find(input);
  return value == nullptr ? std::string() : value->as_string();
}

/// A place to search means itself and everything below it.
void add_trees(const Json* paths, std::vector<std::string>& reads) {
  RGX_CHECK(paths != nullptr);
  for (const Json& path : paths->as_array()) {
    const std::string& pattern = path.as_string();
    if (pattern == "." || pattern == "**") {
      reads.emplace_back("**");
    } else if (pattern.ends_with("/**")) {
      reads.push_back(pattern);
    } else {
      reads.push_back(pattern);
      reads.push_back(pattern + "/**");
    }
  }
}

void add_program(const ToolUse& use, Effects& effects) {
  effects.starts_process = true;
  effects.reads = use.read.value_or(std::vector<std::string>{});
  effects.writes = use.write.value_or(std::vector<std::string>{});
  effects.hosts = use.hosts.value_or(std::vector<std::string>{});
  effects.complete = use.read.has_value() && use.write.has_value();
  if (const Json* argv = use.with.find("argv")) {
    effects.argv.emplace();
    for (const Json& word : argv->as_array()) {
      effects.argv->push_back(word.as_string());
    }
  }
  if (const Json* environment = use.with.find("env")) {
    for (const auto& [name, value] : environment->as_object()) {
      effects.env.push_back(name);
    }
  }
}

void add_file(const ToolUse& use, Effects& effects) {
  const std::string path = pattern_of_path(text_of(use, "path"));
  const std::string_view verb = std::string_view(use.use).substr(5);
  if (verb == "read" || verb == "edit" || verb == "patch" || verb == "move") {
    effects.reads.push_back(path);
  }
  if (verb != "read") {
    effects.writes.push_back(path);
  }
  if (verb == "move") {
    effects.writes.push_back(pattern_of_path(text_of(use, "to")));
  }
}

void add_git(const ToolUse& use, Effects& effects) {
  if (use.use == "git.branch") {
    effects.refs.push_back("refs/heads/" + text_of(use, "name"));
    return;
  }
  if (use.use == "git.commit") {
    effects.refs.emplace_back("HEAD");
    add_trees(use.with.find("paths"), effects.reads);
    return;
  }
  if (use.use != "git.log") {
    effects.reads.emplace_back("**");
  }
}

void add_check(const ToolUse& use, Effects& effects) {
  if (use.use == "check.file") {
    effects.reads.push_back(pattern_of_path(text_of(use, "path")));
  } else {
    // The whole change is looked at, whatever it touched.
    effects.reads.emplace_back("**");
  }
}

}  // namespace

Result<Effects> effects_of(const ToolUse& use) {
  RGX_TRY(const ToolUse normal, normal_use(use, "step", Place{}));
  return effects_of_normal(normal);
}

std::vector<std::string> known_files(const ToolUse& normal) {
  const ToolContract* tool = find_tool(normal.use);
  RGX_CHECK(tool != nullptr);
  std::vector<std::string> files;
  for (const ToolInput& input : tool->inputs) {
    const Json* value = normal.with.find(input.name);
    if (value == nullptr || (input.axis != Axis::read && input.axis != Axis::write)) {
      continue;
    }
    if (input.type == InputType::path) {
      files.push_back(value->as_string());
    } else if (input.type == InputType::paths) {
      for (const Json& item : value->as_array()) {
        if (pattern_of_path(item.as_string()) == item.as_string()) {
          files.push_back(item.as_string());
        }
      }
    }
  }
  sort_unique(files);
  return files;
}

Effects effects_of_normal(const ToolUse& normal) {
  const ToolContract* tool = find_tool(normal.use);
  RGX_CHECK(tool != nullptr);
  const std::string_view name = tool->name;
  Effects effects;
  if (tool->declares) {
    add_program(normal, effects);
  } else if (name.starts_with("file.")) {
    add_file(normal, effects);
  } else if (name.starts_with("search.")) {
    add_trees(normal.with.find("paths"), effects.reads);
  } else if (name.starts_with("git.")) {
    add_git(normal, effects);
  } else if (name.starts_with("check.")) {
    add_check(normal, effects);
  } else if (name == "http.get") {
    effects.hosts.push_back(host_of_url(text_of(normal, "url")).value_or(""));
  } else if (name == "llm.generate") {
    effects.tokens_max = normal.with.find("tokens_max")->as_integer();
  } else {
    RGX_CHECK(name == "human.approve");
  }
  sort_unique(effects.reads);
  sort_unique(effects.writes);
  sort_unique(effects.hosts);
  return effects;
}

}  // namespace rgx::templates
