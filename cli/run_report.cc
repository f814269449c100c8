#include "cli/run_report.h"

#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/plan_view.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kPathsShown = 20;
constexpr std::size_t kTroublesShown = 20;
constexpr std::size_t kCommitShown = 12;

std::string line(std::string_view name, std::string_view value) {
  std::string out(name);
  out.append(out.size() < 10 ? 10 - out.size() : 1, ' ');
  return out + std::string(value) + '\n';
}

std::set<std::string> changed_paths(const engine::RunReport& report) {
  std::set<std::string> paths;
  for (const engine::StepReport& step : report.steps) {
    paths.insert(step.changed.begin(), step.changed.end());
  }
  return paths;
}

std::string changed_text(const engine::RunReport& report) {
  const std::set<std::string> paths = changed_paths(report);
  if (paths.empty()) {
    return "nothing";
  }
  std::string text;
  std::size_t shown = 0;
  for (const std::string& path : paths) {
    if (shown == kPathsShown) {
      return text + " and " + std::to_string(paths.size() - shown) + " more";
    }
    text += (shown == 0 ? "" : "  ") + printable(path);
    ++shown;
  }
  return text;
}

Tone tone_of(engine::RunState state) {
  return state == engine::RunState::succeeded ? Tone::good : Tone::bad;
}

// How many steps ended how: `2 succeeded, 1 failed, 1 skipped`.
std::string steps_text(const engine::RunReport& report) {
  std::vector<std::pair<std::string_view, std::size_t>> counts;
  for (const engine::StepReport& step : report.steps) {
    const std::string_view word = engine::to_string(step.state);
    bool found = false;
    for (auto& [name, count] : counts) {
      if (name == word) {
        ++count;
        found = true;
      }
    }
    if (!found) {
      counts.emplace_back(word, 1);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(std::to_string(count) + " " + std::string(name));
  }
  return join(parts, ", ");
}

// What did not succeed, with its reason; never a wall of it.
std::string trouble_text(const engine::RunReport& report) {
  std::string out;
  std::size_t count = 0;
  for (const engine::StepReport& step : report.steps) {
    if (step.state == engine::StepState::succeeded || step.state == engine::StepState::skipped) {
      continue;
    }
    if (++count <= kTroublesShown) {
      out += line("", std::string(engine::to_string(step.state)) + "  " +
                          printable(step.step.text()) + "  " + printable(step.summary));
    }
  }
  if (count > kTroublesShown) {
    out += line("", "and " + std::to_string(count - kTroublesShown) + " more");
  }
  return out;
}

Json base_json(const Prepared& prepared, std::string_view state, ExitCode exit_code) {
  const policy::AdmittedPlan* admitted = prepared.admitted();
  return Json::object(
      {{"schema", "rgx.run/v1"},
       {"state", state},
       {"exit_code", static_cast<int>(exit_code)},
       {"plan_digest", prepared.plan.digest().to_string()},
       {"admission_digest", admitted != nullptr ? Json(admitted->digest().to_string()) : Json()},
       {"base_revision", prepared.layers.base_revision}});
}

// What people can do now.
std::string waiting_text(const engine::RunReport& report) {
  if (report.state != engine::RunState::waiting) {
    return line("next", "rgx verify " + report.run.text());
  }
  std::string out;
  for (const engine::WaitingStep& step : report.waiting) {
    const std::string what = report.run.text() + " " + shell_words({printable(step.step.text())});
    out += line("waiting",
                printable(step.step.text()) + "  for " + step.need + ": rgx approve " + what);
    if (report.acceptance) {
      out += line("", "or rgx reject " + what + " --reason TEXT");
    }
  }
  for (const StepId& step : report.stuck) {
    out += line("stuck",
                printable(step.text()) + "  was cut short, and may or may not have done its work");
  }
  return out + line("next", "rgx resume " + report.run.text());
}

std::string acceptance_text(const engine::AcceptanceReport& acceptance) {
  std::size_t passed = 0;
  for (const engine::AcceptanceReport::Check& check : acceptance.checks) {
    passed += check.state == engine::StepState::succeeded ? 1U : 0U;
  }
  std::string out = line("judge", std::string(engine::to_string(acceptance.verdict)) + ": " +
                                      std::to_string(passed) + " of " +
                                      std::to_string(acceptance.checks.size()) + " checks passed");
  for (const engine::AcceptanceReport::Check& check : acceptance.checks) {
    out +=
        line("", std::string(engine::to_string(check.state)) + "  " + printable(check.step.text()) +
                     "  " + check.tool + "  " + printable(check.summary) + "  (record " +
                     std::to_string(check.record) + ")");
  }
  if (!acceptance.answer.empty()) {
    const std::string record =
        acceptance.approval ? "  (record " + std::to_string(*acceptance.approval) + ")" : "";
    out += line("", "people  " + acceptance.answer + record);
  }
  std::size_t shown = 0;
  for (const std::string& path : acceptance.changed_judge) {
    if (shown++ == kPathsShown) {
      out += line("",
                  "and " + std::to_string(acceptance.changed_judge.size() - kPathsShown) + " more");
      break;
    }
    out += line("", "changed  " + printable(path) + "  which the checks rely on");
  }
  if (!acceptance.unknown.empty()) {
    out += line("", "maybe more: " + printable(acceptance.unknown));
  }
  return out;
}

Json acceptance_json(const engine::AcceptanceReport& acceptance) {
  Json checks = Json::array();
  for (const engine::AcceptanceReport::Check& check : acceptance.checks) {
    Json evidence = Json::object();
    for (const auto& [name, digest] : check.evidence) {
      evidence.set(name, digest.to_string());
    }
    checks.push(Json::object({{"step", check.step.text()},
                              {"tool", check.tool},
                              {"state", engine::to_string(check.state)},
                              {"summary", json_text(check.summary)},
                              {"record", check.record},
                              {"evidence", std::move(evidence)}}));
  }
  return Json::object({{"verdict", engine::to_string(acceptance.verdict)},
                       {"checks", std::move(checks)},
                       {"changed_judge", Json::array_of(acceptance.changed_judge)},
                       {"approval", acceptance.approval ? Json(*acceptance.approval) : Json()},
                       {"answer", json_text(acceptance.answer)},
                       {"unknown", json_text(acceptance.unknown)}});
}

}  // namespace

// What is left of a run in a worktree, and what to do with it.
std::string worktree_text(const engine::WorktreeReport& worktree, const RunId& run) {
  if (!worktree.path.empty()) {
    return line("worktree", printable(worktree.path)) + line("branch", worktree.branch);
  }
  if (worktree.commit.empty()) {
    return line("branch", "none: the run changed nothing");
  }
  return line("branch", worktree.branch + "  at " + worktree.commit.substr(0, kCommitShown)) +
         line("merge", "git merge " + worktree.branch) + line("drop", "rgx rollback " + run.text());
}

Json worktree_json(const engine::WorktreeReport& worktree) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json() : json_text(text);
  };
  return Json::object({{"base", worktree.base},
                       {"branch", worktree.branch},
                       {"commit", text_or_null(worktree.commit)},
                       {"path", text_or_null(worktree.path)}});
}

std::string report_text(const engine::RunReport& report, const std::string& ledger_path,
                        Colour colour) {
  std::string out =
      line("run", report.run.text() + "  " +
                      paint(colour, tone_of(report.state), engine::to_string(report.state)));
  out += line("steps", steps_text(report));
  out += trouble_text(report);
  if (report.acceptance) {
    out += acceptance_text(*report.acceptance);
  }
  out += line("changed", changed_text(report));
  if (report.worktree) {
    out += worktree_text(*report.worktree, report.run);
  }
  out += line("spent", budget_text(report.spent));
  out += line("ledger", printable(ledger_path));
  out += waiting_text(report);
  const bool left = report.worktree || !changed_paths(report).empty();
  if (report.state != engine::RunState::succeeded && left) {
    out += line("undo", "rgx rollback " + report.run.text());
  }
  return out;
}

Json report_json(const engine::RunReport& report, const Prepared& prepared,
                 const std::string& ledger_path, ExitCode exit_code) {
  Json json = base_json(prepared, engine::to_string(report.state), exit_code);
  json.set("run", report.run.text());
  json.set("ledger", json_text(ledger_path));
  json.set("records", report.records);
  json.set("root", report.root.to_string());
  json.set("spent", policy::to_json(report.spent));
  const std::set<std::string> paths = changed_paths(report);
  json.set("changed", Json::array_of({paths.begin(), paths.end()}));
  Json steps = Json::array();
  for (const engine::StepReport& step : report.steps) {
    steps.push(Json::object({{"step", step.step.text()},
                             {"state", engine::to_string(step.state)},
                             {"summary", json_text(step.summary)},
                             {"changed", Json::array_of(step.changed)}}));
  }
  json.set("steps", std::move(steps));
  json.set("acceptance", report.acceptance ? acceptance_json(*report.acceptance) : Json());
  json.set("worktree", report.worktree ? worktree_json(*report.worktree) : Json());
  json.set("refusal", Json());
  Json waiting = Json::array();
  for (const engine::WaitingStep& step : report.waiting) {
    waiting.push(Json::object({{"step", step.step.text()}, {"need", json_text(step.need)}}));
  }
  json.set("waiting", std::move(waiting));
  return json;
}

Json stopped_json(const Prepared& prepared, std::string_view state, ExitCode exit_code) {
  Json json = base_json(prepared, state, exit_code);
  json.set("waiting", Json::array());
  for (const std::string_view absent :
       {"run", "ledger", "records", "root", "spent", "acceptance", "worktree"}) {
    json.set(absent, Json());
  }
  json.set("changed", Json::array());
  json.set("steps", Json::array());
  const policy::Refusal* refusal = prepared.refusal();
  json.set("refusal", refusal != nullptr ? policy::to_json(*refusal) : Json());
  return json;
}

}  // namespace rgx::cli
