#include "cli/plan_markdown.h"

#include <algorithm>

#include "base/text.h"
#include "cli/plan_view.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kTogether = 3;
constexpr std::size_t kAlarmsShown = 50;
constexpr std::size_t kNeedsShown = 3;
constexpr std::size_t kTailBytes = 1000;  // what follows the table of steps

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string short_digest(const std::string& digest) {
  const std::size_t colon = digest.find(':');
  return digest.substr(colon == std::string::npos ? 0 : colon + 1, 12);
}

std::string row_text(const PlanFold& fold) {
  const PlanRow& row = fold.first();
  std::string names = code_span(fold.name());
  if (fold.is_folded()) {
    names += " " + code_span(row.id) + " to " + code_span(fold.rows.back()->id);
  }
  return "| " + std::string(effect_word(row.effect)) + " | " + names + " | " + code_span(row.tool) +
         " | " + code_span(fold.is_folded() ? "" : row.does) + " | " +
         std::string(policy::to_string(row.risk)) + " | " + cost_text(fold) + " | " +
         code_span(row.rules) + " | " + code_span(row.gate) + " | " +
         code_span(some_of(row.needs, kNeedsShown)) + " |\n";
}

// Worst first: that is what a reviewer reads.
std::string alarms_text(const std::vector<PlanFold>& folds) {
  std::vector<const PlanFold*> alarms;
  for (const PlanFold& fold : folds) {
    if (fold.first().effect != policy::Effect::allow || fold.first().risk >= policy::Risk::high) {
      alarms.push_back(&fold);
    }
  }
  const auto rank = [](const PlanFold* fold) {
    const PlanRow& row = fold->first();
    const int effect = row.effect == policy::Effect::deny               ? 0
                       : row.effect == policy::Effect::require_approval ? 1
                                                                        : 2;
    return std::pair(effect, -static_cast<int>(row.risk));
  };
  std::ranges::stable_sort(alarms, {}, rank);
  std::string out;
  for (std::size_t i = 0; i < std::min(alarms.size(), kAlarmsShown); ++i) {
    const PlanRow& row = alarms[i]->first();
    out += "- **" + std::string(effect_word(row.effect)) + "** " + code_span(alarms[i]->name()) +
           " " + code_span(row.does) + ", " + std::string(policy::to_string(row.risk)) +
           " risk, rule " + code_span(row.rules) +
           (row.gate.empty() ? "" : ", needs " + code_span(row.gate)) + "\n";
  }
  if (alarms.size() > kAlarmsShown) {
    out += "- and " + std::to_string(alarms.size() - kAlarmsShown) + " more\n";
  }
  return out.empty() ? out : "\n" + out;
}

std::string table_text(const std::vector<PlanFold>& folds, std::size_t bytes_max) {
  std::string out =
      "\n| policy | step | tool | what | risk | worst case | rule | approval | after |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  std::string phase;
  std::size_t left_out = 0;
  bool is_full = false;
  for (const PlanFold& fold : folds) {
    std::string text;
    if (fold.first().phase != phase) {
      phase = fold.first().phase;
      text += "| | **phase** " + code_span(phase) + " | | | | | | | |\n";
    }
    text += row_text(fold);
    is_full = is_full || out.size() + text.size() > bytes_max;
    if (is_full) {
      left_out += fold.rows.size();
    } else {
      out += text;
    }
  }
  if (left_out != 0) {
    out += "\n" + counted(static_cast<std::int64_t>(left_out), "step") +
           " more would not fit into a comment; `rgx plan --format json` has all of them.\n";
  }
  return out;
}

}  // namespace

std::string code_span(std::string_view text) {
  if (text.empty()) {
    return "-";
  }
  const std::string fence(longest_run_of_backticks(text) + 1, '`');
  // A bar ends a cell even inside code, unless a backslash stands before it.
  std::string inner;
  for (const char c : text) {
    inner += c == '|' ? "\\|" : std::string(1, c);
  }
  // A blank keeps backticks at the ends from joining the fence; renderers take both away.
  const std::string_view blank = text.front() == '`' || text.back() == '`' ? " " : "";
  return fence + std::string(blank) + inner + std::string(blank) + fence;
}

std::string plan_markdown(const PlanPicture& picture) {
  const std::vector<PlanFold> folds = fold_rows(picture.rows, kTogether);
  std::string out = "### rgx plan " + code_span(short_digest(picture.plan_digest)) + ": " +
                    counted(static_cast<std::int64_t>(picture.rows.size()), "step") + ", " +
                    effects_summary(picture.rows) + "\n\n";
  if (!picture.intent.empty()) {
    out += "Intent: " + code_span(shortened(picture.intent, kTailBytes)) + "  \n";
  }
  out += "Template: " + code_span(picture.template_text) + "  \n";
  out += "Worst case: " + budget_text(picture.worst_case) + "  \n";
  out += "Risk: " + risks_summary(picture.rows) + "\n";
  out += alarms_text(folds);

  std::string tail = "\n<details><summary>What this is bound to</summary>\n\n";
  tail += "- plan " + code_span(picture.plan_digest) + "\n";
  tail += "- admission " +
          (picture.admission_digest.empty() ? "refused" : code_span(picture.admission_digest)) +
          "\n";
  tail += "- base revision " + code_span(picture.base_revision) + "\n";
  for (const std::string& layer : picture.policies) {
    tail += "- policy " + code_span(layer) + "\n";
  }
  tail +=
      "\nVoid when the base, the policy, a program or an operand changes. This comment is no "
      "approval.\n\n</details>\n";

  const std::size_t taken = out.size() + tail.size() + kTailBytes;
  out += "\n<details><summary>Steps (" + std::to_string(picture.rows.size()) + ")</summary>\n";
  out += table_text(folds, taken < kMarkdownBytesMax ? kMarkdownBytesMax - taken : 0);
  return out + "\n</details>\n" + tail;
}

}  // namespace rgx::cli
