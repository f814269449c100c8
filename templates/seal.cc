#include "templates/seal.h"

#include "base/canonical.h"
#include "base/check.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/plan_access.h"
#include "templates/plan_keys.h"
#include "templates/races.h"
#include "templates/seal_options.h"
#include "templates/step_graph.h"
#include "templates/step_id.h"
#include "templates/syntax.h"
#include "templates/tool_effects.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace rgx::templates {
namespace {

constexpr std::string_view kPlanDomain = "rgx.plan/v1";
constexpr std::string_view kFileSchema = "rgx.sealed-plan/v1";
constexpr std::size_t kAccessesMax = 1000000;  // paths and globs of all steps together
constexpr std::size_t kGlobsMax = 1000;        // different globs of one plan
constexpr std::size_t kPlanDepthMax = 64;
constexpr std::size_t kMistakesMax = 100;        // of one report; one is enough to refuse
constexpr std::size_t kSuggestedFromMax = 1000;  // ids; the nearest of more takes too long

class Sealer {
 public:
  explicit Sealer(Plan plan) : plan_(std::move(plan)) {}

  [[nodiscard]] Result<SealedPlan> seal();

 private:
  void mistake(std::string_view code, const std::string& message, std::string_view remedy) {
    if (mistakes_.size() < kMistakesMax) {
      mistakes_.push_back(make_error(ErrorKind::usage, code, message, remedy).first());
    }
  }
  [[nodiscard]] Status failed() {
    return mistakes_.empty() ? Status{} : fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }
  void check_header();
  void check_bounds();
  void check_ids();
  void check_tool(Step& step, std::vector<Effects>& effects);
  void check_tools();
  void check_needs();
  void check_pins(const AccessIndex& accesses, StepGraph& graph);
  /// The files that a step names, each with the last step before it that writes it, if any.
  using Pins = std::map<std::string, std::optional<StepId>, std::less<>>;
  void check_pin(std::uint32_t index, const Pin& pin, const Pins& expected);
  void check_races(const AccessIndex& accesses, StepGraph& graph);
  [[nodiscard]] StepGraph make_graph() const;
  [[nodiscard]] AddMistake add_mistake() {
    return [this](std::string_view code, const std::string& message, std::string_view remedy) {
      mistake(code, message, remedy);
    };
  }

  Plan plan_;
  std::map<StepId, std::uint32_t> index_of_;
  std::vector<Effects> effects_;
  std::vector<Diagnostic> mistakes_;
};

void Sealer::check_header() {
  if (plan_.intent.size() > kStringBytesMax || find_deceptive(plan_.intent)) {
    mistake("plan.bad_intent", "the intent is no single line of at most 4096 bytes",
            "compile the plan again");
  }
  if (!is_name(plan_.from.name) || !is_version(plan_.from.version)) {
    mistake("plan.bad_template", "the plan does not name its template and version",
            "compile the plan again");
  }
  if (std::ranges::find(kWorkspaceNames, plan_.workspace) == kWorkspaceNames.end()) {
    mistake("plan.bad_value", "the workspace " + quoted(plan_.workspace) + " is not known",
            "use `in_place` or `worktree`");
  }
}

void Sealer::check_bounds() {
  if (plan_.steps.empty()) {
    mistake("plan.no_steps", "the plan has no step", "compile the intent again");
  }
  if (plan_.steps.size() > kPlanStepsMax) {
    mistake("plan.too_many_steps",
            "the plan has " + std::to_string(plan_.steps.size()) + " steps; 10000 are allowed",
            "narrow the scope, or split the work into several plans");
  }
  std::size_t needs = 0;
  for (const Step& step : plan_.steps) {
    needs += step.needs.size();
  }
  if (needs > kPlanNeedsMax) {
    mistake("plan.too_many_needs", "the steps have more than 1000000 needs together",
            "put a step between the two groups");
  }
}

void Sealer::check_ids() {
  for (std::uint32_t index = 0; index < plan_.steps.size(); ++index) {
    const StepId& id = plan_.steps[index].id;
    if (!is_step_id(id.text()) || id.text() == "acceptance" ||
        id.text().starts_with("acceptance[")) {
      mistake("plan.bad_id", quoted(id.text()) + " is no step id",
              "docs/formats/plan.md says how ids are made");
    }
    if (!index_of_.emplace(id, index).second) {
      mistake("plan.duplicate_id", "two steps have the id " + quoted(id.text()),
              "remove the repeated item from the list behind `for_each`");
    }
  }
}

void Sealer::check_tool(Step& step, std::vector<Effects>& effects) {
  const std::string what = "step " + quoted(step.id.text());
  auto normal = normal_use(step.tool, what, Place{});
  if (!normal) {
    for (const Diagnostic& found : normal.error().diagnostics) {
      mistake(found.code, found.message, found.remedy);
    }
    return;
  }
  if (*normal != step.tool) {
    mistake("plan.not_normal", what + " has a path, glob or host that is not in normal form",
            "compile the plan again");
    return;
  }
  if (step.timeout_ms && *step.timeout_ms < 1) {
    mistake("plan.bad_value", what + " has a timeout below 1 ms", "leave it out");
  }
  effects.push_back(effects_of_normal(step.tool));
}

void Sealer::check_tools() {
  for (Step& step : plan_.steps) {
    check_tool(step, effects_);
  }
  std::vector<Effects> judged;  // one by one, after all steps: no race and no pin
  for (Step& step : plan_.acceptance) {
    check_tool(step, judged);
  }
  std::size_t accesses = 0;
  std::set<std::string> globs;
  for (const std::vector<Effects>* all : {&effects_, &judged}) {
    for (const Effects& effects : *all) {
      for (const auto* list : {&effects.reads, &effects.writes}) {
        accesses += list->size();
        std::ranges::copy_if(*list, std::inserter(globs, globs.end()), [](const std::string& path) {
          return path.find_first_of("*?[\\") != std::string::npos;
        });
      }
    }
  }
  if (accesses > kAccessesMax || globs.size() > kGlobsMax) {
    mistake("plan.too_many_paths",
            "the steps name more than 1000000 paths or 1000 different globs together",
            "narrow the scope, or split the work into several plans");
  }
}

void Sealer::check_needs() {
  std::vector<std::string> known;
  if (plan_.steps.size() <= kSuggestedFromMax) {
    for (const Step& step : plan_.steps) {
      known.push_back(step.id.text());
    }
  }
  for (Step& step : plan_.steps) {
    if (!std::ranges::is_sorted(step.needs) ||
        std::ranges::adjacent_find(step.needs) != step.needs.end()) {
      mistake("plan.not_normal", "the needs of step " + quoted(step.id.text()) + " are not sorted",
              "compile the plan again");
    }
    for (const StepId& need : step.needs) {
      if (!index_of_.contains(need) && mistakes_.size() < kMistakesMax) {
        mistake("plan.unknown_need",
                "step " + quoted(step.id.text()) + " needs " + quoted(need.text()) +
                    ", which is no step",
                suggestion(need.text(), known, "name a step of this plan"));
      }
    }
  }
}

StepGraph Sealer::make_graph() const {
  std::vector<std::string_view> names;
  std::vector<std::vector<std::uint32_t>> needs;
  for (const Step& step : plan_.steps) {
    names.push_back(step.id.text());
    std::vector<std::uint32_t>& edges = needs.emplace_back();
    for (const StepId& need : step.needs) {
      edges.push_back(index_of_.at(need));
    }
  }
  return {std::move(names), std::move(needs)};
}

void Sealer::check_pin(std::uint32_t index, const Pin& pin, const Pins& expected) {
  const std::string what =
      "the pin of " + quoted(pin.path) + " in step " + quoted(plan_.steps[index].id.text());
  const std::string_view remedy = "compile the plan again";
  const auto found = expected.find(pin.path);
  if (found == expected.end()) {
    mistake("plan.bad_pin", what + " is no file that the step names", remedy);
    return;
  }
  const std::optional<StepId>& writer = found->second;
  if (writer && pin.after != writer) {
    mistake("plan.bad_pin",
            what + " does not name " + quoted(writer->text()) +
                ", the last step before it that writes the file",
            remedy);
  } else if (!writer && pin.after) {
    mistake("plan.bad_pin",
            what + " names " + quoted(pin.after->text()) +
                ", which is not the last step before it that writes the file",
            remedy);
  }
}

void Sealer::check_pins(const AccessIndex& accesses, StepGraph& graph) {
  for (std::uint32_t index = 0; index < plan_.steps.size(); ++index) {
    const Step& step = plan_.steps[index];
    const bool sorted = std::ranges::adjacent_find(step.pins, [](const Pin& a, const Pin& b) {
                          return a.path >= b.path;
                        }) == step.pins.end();
    if (!sorted) {
      mistake("plan.bad_pin",
              "the pins of step " + quoted(step.id.text()) + " are not sorted by path",
              "compile the plan again");
      continue;
    }
    Pins expected;
    for (const std::string& path : known_files(step.tool)) {
      const auto writer = last_writer_before(accesses, graph, index, path);
      expected[path] = writer ? std::optional(plan_.steps[*writer].id) : std::nullopt;
      if (writer && !std::ranges::binary_search(step.pins, path, {}, &Pin::path)) {
        mistake("plan.bad_pin",
                "step " + quoted(step.id.text()) + " has no pin for " + quoted(path) +
                    ", which an earlier step writes",
                "compile the plan again");
      }
    }
    for (const Pin& pin : step.pins) {
      check_pin(index, pin, expected);
    }
  }
}

void Sealer::check_races(const AccessIndex& accesses, StepGraph& graph) {
  for (const Race& race : find_races(accesses, graph, kRacesMax)) {
    const auto verb = [](AccessMode mode) {
      return mode == AccessMode::write ? std::string(" writes ") : std::string(" reads ");
    };
    mistake("plan.race",
            "steps without an order between them touch the same files: " +
                quoted(plan_.steps[race.first].id.text()) + verb(race.first_mode) +
                quoted(race.first_pattern) + ", " + quoted(plan_.steps[race.second].id.text()) +
                verb(race.second_mode) + quoted(race.second_pattern),
            "let one of them name the other under `needs`");
  }
}

Result<SealedPlan> Sealer::seal() {
  check_header();
  check_bounds();
  RGX_TRY_STATUS(failed());
  check_ids();
  check_needs();
  check_tools();
  check_options(plan_, add_mistake());
  RGX_TRY_STATUS(failed());
  StepGraph graph = make_graph();
  if (graph.has_cycle()) {
    mistake("plan.cycle", "the steps need each other: " + printable(graph.cycle()),
            "remove one of these `needs`");
    return fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }
  const AccessIndex accesses(effects_);
  check_pins(accesses, graph);
  check_races(accesses, graph);
  check_ordered_options(plan_, index_of_, graph, add_mistake());
  RGX_TRY_STATUS(failed());
  std::vector<Step> ordered;
  ordered.reserve(plan_.steps.size());
  for (const std::uint32_t index : graph.order()) {
    ordered.push_back(std::move(plan_.steps[index]));
  }
  plan_.steps = std::move(ordered);
  std::string bytes = canonical(to_json(plan_));
  if (bytes.size() > kPlanBytesMax) {
    mistake("plan.too_large", "the plan is larger than 64 MiB",
            "narrow the scope, or split the work into several plans");
    return fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }
  const Digest digest = digest_domain(kPlanDomain, bytes);
  return SealKey::make(std::move(plan_), std::move(bytes), digest);
}

}  // namespace

Result<SealedPlan> seal(Draft draft) {
  return Sealer(DraftKey::take(std::move(draft))).seal();
}

std::string write_sealed_plan(const SealedPlan& plan) {
  // The canonical form of the outer object, without building the inner one again.
  return R"({"digest":")" + plan.digest().to_string() + R"(","plan":)" + plan.bytes() +
         R"(,"schema":")" + std::string(kFileSchema) + "\"}\n";
}

namespace {

struct PlanFile {
  Digest digest;
  Json plan;
};

Result<PlanFile> read_outer(std::string_view bytes, std::string_view file) {
  if (!bytes.ends_with('\n')) {
    return fail(ErrorKind::usage, "plan.truncated", "the plan file does not end with a line feed",
                "get the whole file, or compile the plan again");
  }
  bytes.remove_suffix(1);
  RGX_TRY(const Json json,
          parse_canonical(bytes, file, JsonLimits{kPlanBytesMax + 4096, kPlanDepthMax}));
  ObjectReader reader(json, "plan file");
  reader.schema(kFileSchema);
  const std::string digest_text = reader.string("digest");
  PlanFile outer;
  outer.plan = reader.value("plan");
  RGX_TRY_STATUS(reader.finish());
  RGX_TRY(outer.digest, Digest::parse(digest_text));
  return outer;
}

Result<SealedPlan> read_and_seal(std::string_view bytes, std::string_view file) {
  RGX_TRY(const PlanFile outer, read_outer(bytes, file));
  const Digest actual = digest_of(kPlanDomain, outer.plan);
  if (actual != outer.digest) {
    return fail(ErrorKind::evidence, "plan.digest_mismatch",
                "the plan in this file has the digest `" + actual.to_string() +
                    "`, not the one that the file states",
                "the file was changed after sealing: compile the plan again");
  }
  RGX_TRY(Plan plan, plan_from_json(outer.plan));
  RGX_TRY(SealedPlan sealed, seal(DraftKey::make(std::move(plan))));
  if (sealed.digest() != outer.digest) {
    return fail(ErrorKind::usage, "plan.not_normal",
                "the steps in this file are not in the canonical order", "compile the plan again");
  }
  return sealed;
}

}  // namespace

Result<SealedPlan> read_sealed_plan(std::string_view bytes, std::string_view file) {
  auto sealed = read_and_seal(bytes, file);
  if (!sealed) {
    for (Diagnostic& diagnostic : sealed.error().diagnostics) {
      if (diagnostic.place.file.empty()) {
        diagnostic.place.file = file;
      }
    }
  }
  return sealed;
}

}  // namespace rgx::templates
