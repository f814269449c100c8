#include "engine/step_outputs.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "templates/tool.h"

namespace rgx::engine {

StepOutputs::StepOutputs(const templates::Plan& plan) {
  for (const templates::Step& step : plan.steps) {
    for (const Json* part : {&step.tool.with, step.when ? &*step.when : nullptr}) {
      if (part != nullptr) {
        for (const templates::OutputReference& reference : templates::outputs_in(*part)) {
          wanted_.insert(reference.step);
        }
      }
    }
  }
}

void StepOutputs::record(const templates::Step& step, const Json& values) {
  if (!wanted_.contains(step.id)) {
    return;
  }
  const templates::ToolContract* tool = templates::find_tool(step.tool.use);
  RGX_CHECK(tool != nullptr);  // sealing knows every tool
  Json kept = Json::object();
  for (const templates::ToolOutput& output : tool->outputs) {
    if (const Json* value = values.find(output.name)) {
      kept.set(output.name, *value);
    }
  }
  values_[step.id] = std::move(kept);
}

Json StepOutputs::value_of(const templates::OutputReference& reference) const {
  const auto found = values_.find(reference.step);
  if (found == values_.end()) {
    return {};
  }
  const Json* value = &found->second;
  for (const std::string_view member : split(reference.member, '.')) {
    value = value->find(member);
    if (value == nullptr) {
      return {};
    }
  }
  return *value;
}

bool StepOutputs::runs(const templates::Step& step) const {
  return !step.when || templates::holds(*step.when, [this](const auto& reference) {
    return value_of(reference);
  });
}

bool StepOutputs::is_open(const templates::Step& step) {
  return !templates::outputs_in(step.tool.with).empty();
}

Result<templates::Step> StepOutputs::close(const templates::Step& step) const {
  templates::Step closed = step;
  closed.when.reset();
  RGX_TRY(closed.tool.with, templates::close_values(step.tool.with, [this](const auto& reference) {
            return value_of(reference);
          }));
  RGX_TRY(closed.tool,
          templates::normal_use(closed.tool, "step `" + printable(step.id.text()) + "`", Place{}));
  return closed;
}

}  // namespace rgx::engine
