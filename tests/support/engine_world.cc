#include "tests/support/engine_world.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/canonical.h"
#include "base/check.h"
#include "engine/resolve.h"
#include "templates/seal.h"

namespace rgx::test {

namespace {

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "test support: %s\n", to_string(result.error()).c_str());
    std::abort();
  }
  return std::move(*result);
}

std::vector<StepId> ids(const std::vector<std::string>& names) {
  std::vector<StepId> all;
  for (const std::string& name : names) {
    all.emplace_back(name);
  }
  std::ranges::sort(all);
  return all;
}

std::vector<audit::Record> records_of(const std::shared_ptr<MemoryDisk>& disk,
                                      const audit::RootKey& key, audit::Verdict& verdict) {
  std::vector<audit::Record> all;
  MemoryStorage storage(disk);
  audit::VerifyOptions options;
  options.root_key = key;
  options.on_record = [&all](const audit::Record& record) { all.push_back(record); };
  verdict = must(audit::verify_ledger(storage, options));
  return all;
}

/// One rule for each program: an argv pattern starts with its name.
std::string program_rules() {
  std::string rules;
  for (const std::string_view name : {"true", "false", "sleep", "missing"}) {
    rules.append("  - {id: run-")
        .append(name)
        .append(", effect: allow, tool: [exec, check.tests], argv: [\"");
    rules.append(name).append(
        "\", \"**\"], read: [\"**\"], write: [\"**\"], env: [CI], why: tests, remedy: none}\n");
  }
  return rules;
}

}  // namespace

templates::Step edit_step(std::string id, std::string path, const std::vector<std::string>& needs) {
  templates::Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "file.edit";
  step.tool.with =
      Json::object({{"edits", Json::array({Json::object({{"to", "new"}, {"word", "old"}})})},
                    {"path", std::move(path)}});
  step.needs = ids(needs);
  step.idempotent = true;
  return step;
}

templates::Step exec_step(std::string id, const std::vector<std::string>& argv,
                          const std::vector<std::string>& needs, std::vector<std::string> write) {
  templates::Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "exec";
  step.tool.with = Json::object({{"argv", Json::array_of(argv)}});
  step.tool.read = std::vector<std::string>{"docs/**"};
  step.tool.write = std::move(write);
  step.needs = ids(needs);
  return step;
}

templates::Step search_step(std::string id, std::string word, const std::vector<std::string>& paths,
                            const std::vector<std::string>& needs) {
  templates::Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "search.text";
  step.tool.with = Json::object({{"paths", Json::array_of(paths)}, {"word", std::move(word)}});
  step.needs = ids(needs);
  step.idempotent = true;
  return step;
}

templates::Pin pin_bytes(std::string path, std::string_view bytes) {
  return {std::move(path), digest_bytes(bytes), std::nullopt};
}

templates::Pin pin_after(std::string path, std::string step) {
  return {std::move(path), Digest(), StepId(std::move(step))};
}

Result<templates::SealedPlan> seal_steps(std::vector<templates::Step> steps,
                                         std::vector<templates::Step> acceptance,
                                         const std::string& workspace) {
  templates::Plan plan;
  plan.workspace = workspace;
  plan.intent = "an intent";
  plan.from = {"sample", "1.0.0", digest_bytes("template")};
  plan.steps = std::move(steps);
  plan.acceptance = std::move(acceptance);
  const Json json = templates::to_json(plan);
  const Json file = Json::object({{"digest", digest_of("rgx.plan/v1", json).to_string()},
                                  {"plan", json},
                                  {"schema", "rgx.sealed-plan/v1"}});
  return templates::read_sealed_plan(canonical(file) + "\n", "plan.json");
}

policy::PolicySet make_policy(const PolicyText& text) {
  const std::string yaml =
      "schema: rgx.policy/v1\nname: tests\nlayer: org\ndefault: deny\nreview: none\nsandbox: " +
      text.sandbox +
      "\nprograms:\n  \"true\": {paths: [\"/usr/bin/true\"]}\n"
      "  \"false\": {paths: [\"/usr/bin/false\"]}\n  sleep: {paths: [\"/usr/bin/sleep\"]}\n"
      "  missing: {paths: [\"/nonexistent/program\"]}\n" +
      text.more_programs +
      "rules:\n"
      "  - {id: files, effect: allow, tool: [\"file.*\", \"search.*\", check.paths], read: "
      "[\"**\"], "
      "write: [\"**\"], why: tests, remedy: none}\n"
      "  - {id: frozen, effect: deny, write: [\"frozen/**\"], why: \"it is frozen\", "
      "remedy: \"leave it\"}\n" +
      program_rules() + text.more_rules + "budgets:\n  run: " + text.run_budget +
      "\n  step: {wall_ms: 60000}\nconcurrency: " + text.concurrency + "\n";
  std::vector<policy::Policy> layers;
  layers.push_back(must(policy::load_policy(yaml, "tests.yaml")));
  return must(policy::PolicySet::stack(std::move(layers)));
}

EngineWorld::EngineWorld()
    : identity{audit::RootKey::from_secret(audit::SecretKey(std::string(32, 'k'))),
               must(audit::SigningKey::generate(entropy)),
               {"test-host", 1},
               "0.1.0"} {}

engine::RunPorts EngineWorld::ports() {
  return {clock, entropy, workspace, repository, processes, sandbox, state, observer, &worktrees};
}

policy::AdmittedPlan EngineWorld::admit(std::vector<templates::Step> steps,
                                        std::vector<templates::Step> acceptance) {
  const auto sealed = must(seal_steps(std::move(steps), std::move(acceptance), plan_workspace));
  policy::AdmissionInput input;
  input.facts = must(engine::resolve_plan(sealed, policy, workspace));
  input.base_revision = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  input.now_unix_ms = FakeClock::kStartUnixMs;
  auto admission = must(policy::admit(sealed, policy, input));
  if (const auto* refusal = std::get_if<policy::Refusal>(&admission)) {
    std::fprintf(stderr, "test support: refused: %s\n", pretty(to_json(*refusal)).c_str());
    std::abort();
  }
  return std::get<policy::AdmittedPlan>(std::move(admission));
}

Result<engine::RunReport> EngineWorld::run(const policy::AdmittedPlan& plan) {
  return engine::run(plan, ports(), identity, interruption);
}

audit::Verdict EngineWorld::verify(const RunId& run) {
  audit::Verdict verdict;
  static_cast<void>(records_of(state.ledgers.at(run), identity.root_key, verdict));
  return verdict;
}

audit::Verdict EngineWorld::verify_index() {
  audit::Verdict verdict;
  static_cast<void>(records_of(state.index, identity.root_key, verdict));
  return verdict;
}

std::vector<audit::Record> EngineWorld::records(const RunId& run) {
  audit::Verdict verdict;
  return records_of(state.ledgers.at(run), identity.root_key, verdict);
}

std::vector<audit::Record> EngineWorld::index_records() {
  audit::Verdict verdict;
  return records_of(state.index, identity.root_key, verdict);
}

std::vector<std::string> EngineWorld::story(const RunId& run) {
  std::vector<std::string> lines;
  for (const audit::Record& record : records(run)) {
    if (record.type == audit::RecordType::genesis || record.type == audit::RecordType::admission ||
        record.type == audit::RecordType::epoch_closed) {
      continue;
    }
    std::string line(to_string(record.type));
    for (const char* member : {"step", "state", "because"}) {
      if (const Json* value = record.body.find(member); value != nullptr && value->is_string()) {
        line += " " + value->as_string();
      }
    }
    lines.push_back(line);
  }
  return lines;
}

engine::StepState state_of(const engine::RunReport& report, std::string_view step) {
  const auto found = std::ranges::find_if(
      report.steps, [step](const auto& item) { return item.step.text() == step; });
  RGX_CHECK(found != report.steps.end());
  return found->state;
}

}  // namespace rgx::test
