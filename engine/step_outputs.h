#pragma once

#include <map>
#include <set>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "templates/plan.h"
#include "templates/step_output.h"

// What steps leave for later ones, and the inputs and conditions that ask for it. Private to the
// package.

namespace rgx::engine {

class StepOutputs {
 public:
  explicit StepOutputs(const templates::Plan& plan);

  /// Notes the values of an outcome of a step that succeeded, where anything asks for them.
  void record(const templates::Step& step, const Json& values);
  /// Whether its condition holds; true for a step without one.
  [[nodiscard]] bool runs(const templates::Step& step) const;
  /// True when some input of the step is an output of another.
  [[nodiscard]] static bool is_open(const templates::Step& step);
  /// The step with every output put in, and without its condition; output.*, tool.*.
  [[nodiscard]] Result<templates::Step> close(const templates::Step& step) const;

 private:
  [[nodiscard]] Json value_of(const templates::OutputReference& reference) const;

  std::set<StepId> wanted_;
  std::map<StepId, Json> values_;
};

}  // namespace rgx::engine
