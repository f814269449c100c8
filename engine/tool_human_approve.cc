#include "engine/tool.h"

namespace rgx::engine {

namespace {

/// All that the step does is to have been approved: the gate did that.
class HumanApprove final : public Action {
 public:
  void act(const CancelFlag& /*stop*/) override {}
  [[nodiscard]] Outcome finish() override {
    Outcome outcome;
    outcome.state = StepState::succeeded;
    outcome.spent.steps = 1;
    outcome.confinement = "in_process";
    outcome.summary = "approved";
    return outcome;
  }
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_human_approve(const ToolRequest& /*request*/) {
  return std::unique_ptr<Action>(std::make_unique<HumanApprove>());
}

}  // namespace rgx::engine
