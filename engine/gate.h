#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/approval_book.h"
#include "engine/budget.h"
#include "engine/pins.h"
#include "engine/run.h"
#include "engine/tool.h"
#include "policy/admission.h"

// The gates before a step, in their order: pinned inputs, permission, risk and approvals, budget.
// What comes before (dependencies, cancellation) is the scheduler's and the loop's, what comes
// after (the durable intent, the effect) the loop's. Private to the package.

namespace rgx::engine {

/// A step that may start: everything that its intent record says, and what carries it out.
struct Admitted {
  policy::Decision decision;
  std::map<std::string, Digest> pins;
  policy::RunBudget reserved;
  std::vector<std::int64_t> approvals;  ///< records of the approvals that let it pass
  std::unique_ptr<Action> action;       ///< null: `failure` says why it could not be prepared
  std::optional<Error> failure;
};

/// A gate that said no.
struct Refused {
  enum class Because : std::uint8_t { policy, approval, budget, drift, environment };
  Because because = Because::policy;
  std::string message;
  std::string detail;
  std::optional<policy::Decision> decision;
};
[[nodiscard]] std::string_view to_string(Refused::Because because);

struct GateInput {
  const templates::Step& step;
  std::size_t index = 0;
  std::int64_t now_unix_ms = 0;
  std::int64_t remaining_ms = 0;  ///< until the run's deadline
  ToolPorts* judged = nullptr;    ///< ports of a judged check: its workspace is a copy
};

class Gate {
 public:
  Gate(const policy::AdmittedPlan& plan, const PinTable& pins, Budget& budget, ToolPorts& ports,
       const ApprovalBook& book, std::string requester, RunId run)
      : plan_(plan),
        pins_(pins),
        budget_(budget),
        ports_(ports),
        book_(book),
        requester_(std::move(requester)),
        run_(std::move(run)) {}

  [[nodiscard]] std::variant<Admitted, Refused> pass(const GateInput& input);

 private:
  std::optional<Refused> check_pins(const templates::Step& step);
  std::optional<Refused> check_permission(const GateInput& input, Admitted& out);
  std::optional<Refused> check_approvals(const GateInput& input, Admitted& out);
  std::optional<Refused> reserve(Admitted& admitted, const GateInput& input);
  std::optional<Refused> prepare(Admitted& admitted, const GateInput& input);

  const policy::AdmittedPlan& plan_;
  const PinTable& pins_;
  Budget& budget_;
  ToolPorts& ports_;
  const ApprovalBook& book_;
  std::string requester_;
  RunId run_;
};

}  // namespace rgx::engine
