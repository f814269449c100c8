#pragma once

#include "templates/plan_keys.h"

#include <string>
#include <vector>

// Plans written by hand, for the tests of sealing.

namespace rgx::templates {

inline Step edit_step(std::string id, std::string path, std::vector<StepId> needs = {}) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "file.edit";
  step.tool.with =
      Json::object({{"path", std::move(path)},
                    {"edits", Json::array({Json::object({{"word", "a"}, {"to", "b"}})})}});
  step.needs = std::move(needs);
  step.idempotent = true;
  return step;
}

inline Step exec_step(std::string id, std::vector<std::string> read, std::vector<std::string> write,
                      std::vector<StepId> needs = {}) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "exec";
  step.tool.with = Json::object({{"argv", Json::array({Json("true")})}});
  step.tool.read = std::move(read);
  step.tool.write = std::move(write);
  step.needs = std::move(needs);
  return step;
}

inline Plan plan_of(std::vector<Step> steps) {
  Plan plan;
  plan.intent = "an intent";
  plan.from = TemplateReference{"sample", "1.0.0", digest_bytes("template")};
  plan.steps = std::move(steps);
  return plan;
}

inline Draft draft_of(std::vector<Step> steps) {
  return DraftKey::make(plan_of(std::move(steps)));
}

}  // namespace rgx::templates
