#include "policy/protected.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/check.h"
#include "policy/decision.h"

namespace rgx::policy {
namespace {

// Each line: whose settings, hooks or pipelines they are. A file that some other program trusts
// and runs without asking belongs here.
constexpr std::array<std::string_view, 41> kProtected = {
    // git, also under the short name that Windows makes of it
    ".git/**", "git~*/**", ".gitmodules",
    // pipelines
    ".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".gitlab/**", ".circleci/**",
    ".buildkite/**", ".woodpecker/**", ".woodpecker.yml", ".drone.yml", ".travis.yml",
    "appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "Jenkinsfile",
    // agents
    ".claude/**", ".codex/**", ".cursor/**", ".gemini/**", ".aider.conf.yml", ".mcp.json",
    ".goosehints",
    // editors
    ".vscode/**", ".idea/**", ".devcontainer/**", ".devcontainer.json",
    // shells and tools that read their settings from the folder they run in
    ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".ripgreprc", ".gdbinit", ".lldbinit",
    // hooks
    ".pre-commit-config.yaml", ".husky/**", ".lefthook.yml", "lefthook.yml",
    // rgx
    ".rgx/**", ".rgx"};

std::string folded(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  return lower;
}

Glob must_parse(const std::string& pattern) {
  auto glob = Glob::parse(pattern);
  RGX_CHECK(glob.has_value());
  return std::move(*glob);
}

struct ProtectedSet {
  std::vector<Glob> shown;     ///< as written, below any folder
  std::vector<Glob> anywhere;  ///< lower case, below any folder
  std::vector<Glob> at_root;   ///< lower case, relative to the workspace
};

ProtectedSet make_set() {
  ProtectedSet set;
  for (const std::string_view pattern : kProtected) {
    set.shown.push_back(must_parse("**/" + std::string(pattern)));
    set.anywhere.push_back(must_parse("**/" + folded(pattern)));
    set.at_root.push_back(must_parse(folded(pattern)));
  }
  return set;
}

const ProtectedSet& protected_set() {
  static const ProtectedSet kSet = make_set();
  return kSet;
}

/// Without `home:` or `abs:/`: a protected name is one wherever it stands.
std::string_view without_prefix(std::string_view text) {
  for (const std::string_view prefix : {"home:", "abs:/", "abs:"}) {
    if (text.starts_with(prefix)) {
      return text.substr(prefix.size());
    }
  }
  return text;
}

/// The glob with every class as `?`: matches no less, and classes do not survive case folding.
std::string widened(std::string_view pattern) {
  std::string wide;
  for (std::size_t index = 0; index < pattern.size(); ++index) {
    if (pattern[index] == '\\' && index + 1 < pattern.size()) {
      wide += pattern.substr(index++, 2);
    } else if (pattern[index] == '[') {
      std::size_t end = index + 1;
      end += end < pattern.size() && (pattern[end] == '!' || pattern[end] == '^') ? 1U : 0U;
      end += end < pattern.size() && pattern[end] == ']' ? 1U : 0U;
      while (end < pattern.size() && pattern[end] != ']') {
        end += pattern[end] == '\\' ? 2U : 1U;
      }
      wide += '?';
      index = end;
    } else {
      wide += pattern[index];
    }
  }
  return wide;
}

bool hits_protected_form(const Form& form) {
  const ProtectedSet& set = protected_set();
  const std::string literal = folded(without_prefix(form.text));
  const auto matches = [&literal](const Glob& glob) { return glob.matches(literal); };
  if (std::ranges::any_of(set.anywhere, matches)) {
    return true;
  }
  if (!form.glob) {
    return false;
  }
  const auto glob = Glob::parse(folded(widened(without_prefix(form.text))));
  if (!glob) {
    return true;  // cannot be compared, so it may hit
  }
  return std::ranges::any_of(set.at_root, [&](const Glob& root) { return root.overlaps(*glob); }) ||
         std::ranges::any_of(set.anywhere, [&](const Glob& any) { return any.covers(*glob); });
}

}  // namespace

bool hits_protected(const PathForms& path) {
  return std::ranges::any_of(path.forms, hits_protected_form);
}

const std::vector<Glob>& protected_paths() {
  return protected_set().shown;
}

bool is_protected(std::string_view normal_path) {
  return hits_protected_form(Form{.text = normal_path, .glob = std::nullopt});
}

}  // namespace rgx::policy
