#include "cli/repository_setup.h"

#include "base/canonical.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

std::string yaml_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    out += (out.size() == 1 ? "" : ", ") + yaml_string(item);
  }
  return out + "]";
}

}  // namespace

// The escapes of JSON are a subset of those of YAML's double quotes.
std::string yaml_string(std::string_view text) {
  return canonical(Json(text));
}

std::string config_text(const TestCommand& test, const std::vector<std::string>& languages) {
  std::string out = "# How this project is tested; templates read it. Written by rgx init.\n";
  if (!languages.empty()) {
    out += "# Languages found: " + join(languages, ", ") + ".\n";
  }
  out += "schema: rgx.config/v1\n\nproject:\n";
  out += "  test_argv: " + yaml_list(test.argv) + "   # from " + test.found_in + "\n";
  return out + "  test_writes: " + yaml_list(test.writes) + "   # and nothing else\n";
}

std::string policy_text(const TestCommand& test) {
  std::string out =
      "# What this repository allows beyond the layers above it: its test command, and nothing\n"
      "# else. Written by rgx init. After a change it is in force once it is committed.\n"
      "schema: rgx.policy/v1\nname: repository\nlayer: repository\n\nrules:\n"
      "  - id: run-tests\n"
      "    effect: allow\n"
      "    tool: [exec, check.tests]\n";
  out += "    argv: " + yaml_list(test.argv) + "\n";
  out += "    read: [\"**\"]\n";
  if (!test.writes.empty()) {
    out += "    write: " + yaml_list(test.writes) + "\n";
  }
  out += "    why: \"the project's own tests, from " + test.found_in + "\"\n";
  return out + "    remedy: \"run the test command exactly as .rgx/config.yaml has it\"\n";
}

}  // namespace rgx::cli
