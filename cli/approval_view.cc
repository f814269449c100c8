#include "cli/approval_view.h"

#include "base/text.h"

namespace rgx::cli {
namespace {

std::string text_of(const Json& value, std::string_view name) {
  const Json* member = value.find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

std::int64_t integer_of(const Json& value, std::string_view name) {
  const Json* member = value.find(name);
  return member != nullptr && member->is_integer() ? member->as_integer() : 0;
}

std::string line(std::string_view name, const std::string& value) {
  std::string out(name);
  out.append(out.size() < 10 ? 10 - out.size() : 1, ' ');
  return out + value + '\n';
}

std::string check_view(const Json& check, const templates::SealedPlan& plan) {
  const std::string id = text_of(check, "step");
  const templates::Step* step = plan.find(StepId(id));
  std::string out =
      line("check", printable(id) + "  " + (step != nullptr ? printable(step->tool.use) : "") +
                        "  " + printable(text_of(check, "state")) + "  (record " +
                        std::to_string(integer_of(check, "record")) + ")");
  const Json* evidence = check.find("evidence");
  if (evidence != nullptr && evidence->is_object()) {
    for (const auto& [name, digest] : evidence->as_object()) {
      out += line(
          "", printable(name) + "  " + (digest.is_string() ? printable(digest.as_string()) : ""));
    }
  }
  return out;
}

}  // namespace

std::string acceptance_view(const Json& found, const templates::SealedPlan& plan) {
  std::string out;
  const Json* changed = found.find("changed_judge");
  std::int64_t shown = 0;
  if (changed != nullptr && changed->is_array()) {
    for (const Json& file : changed->as_array()) {
      out += line("changed", printable(text_of(file, "path")) + "  which the checks rely on");
      ++shown;
    }
  }
  if (const std::int64_t total = integer_of(found, "changed_judge_total"); total > shown) {
    out += line("", "and " + std::to_string(total - shown) + " more");
  }
  if (const std::string unknown = text_of(found, "unknown"); !unknown.empty()) {
    out += line("", "maybe more: " + printable(unknown));
  }
  const Json* checks = found.find("checks");
  if (checks != nullptr && checks->is_array()) {
    for (const Json& check : checks->as_array()) {
      out += check_view(check, plan);
    }
  }
  return out + line("files", printable(text_of(found, "files")));
}

}  // namespace rgx::cli
