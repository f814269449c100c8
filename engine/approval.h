#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/keys.h"
#include "base/digest.h"
#include "base/ids.h"
#include "policy/decision.h"
#include "templates/plan.h"

// A signed answer of a person to a question of a run. Format: docs/formats/approval.md

namespace rgx::engine {

inline constexpr std::size_t kApprovalBytesMax = 65536;

enum class Answer : std::uint8_t { approve, reject };
[[nodiscard]] std::string_view to_string(Answer answer);

/// What is asked: a step of a run, exactly as it was looked at.
struct ApprovalSubject {
  Digest admission_digest;
  Digest plan_digest;
  RunId run;
  StepId step;
  std::vector<Digest> operands;          ///< of the closed step, in the order of its request
  std::vector<std::string> environment;  ///< `NAME=digest`, sorted

  bool operator==(const ApprovalSubject&) const = default;
};
[[nodiscard]] ApprovalSubject subject_of(const Digest& admission, const Digest& plan,
                                         const RunId& run, const templates::Step& step);

/// The step that answers are about which settle a run's acceptance; no step of a plan has this id.
inline constexpr std::string_view kAcceptanceStep = "acceptance";
/// One of the plan's acceptance: only they have such ids.
[[nodiscard]] inline bool is_acceptance_check(const StepId& id) {
  return id.text().starts_with("acceptance[");
}
/// The same for what the judge found: as a whole, or for a check that waits. `found` is the member
/// `acceptance` of the record that suspended the run.
[[nodiscard]] ApprovalSubject subject_of_acceptance(const Digest& admission, const Digest& plan,
                                                    const RunId& run, const Json& found);
void bind_acceptance(ApprovalSubject& subject, const Json& found);

struct Approval {
  Answer answer = Answer::approve;
  std::string approver;
  ApprovalSubject subject;
  std::string nonce;  ///< 32 hex digits
  std::int64_t issued_unix_ms = 0;
  std::int64_t expires_unix_ms = 0;
  std::string reason;
};

struct SignedApproval {
  Approval approval;
  std::string public_key;
  Digest digest;  ///< of the file's bytes
  Json file;
};

/// The file's bytes.
[[nodiscard]] std::string sign_approval(const Approval& approval, const audit::SigningKey& key);
/// Form and signature. Errors: approval.syntax, approval.scope, approval.signature (evidence).
[[nodiscard]] Result<SignedApproval> read_approval(std::string_view bytes, std::string_view name);

/// Who may answer.
struct ApprovalRules {
  const policy::PolicySet& policy;
  const std::vector<policy::ApprovalDemand>& demands;
  std::string requester;  ///< public key in the genesis
};

/// Everything but form and signature: approval.approver, approval.mismatch, approval.expired,
/// approval.self, approval.used (all of kind failed). `used` are the nonces on record.
[[nodiscard]] Status check_approval(const SignedApproval& approval, const ApprovalSubject& subject,
                                    const ApprovalRules& rules, std::int64_t now_unix_ms,
                                    const std::set<std::string>& used);

/// The approver in force with a key; nothing where no layer lists it.
[[nodiscard]] const policy::Approver* find_approver(const policy::PolicySet& policy,
                                                    std::string_view public_key);
/// Keys that approve are enough for every demand.
[[nodiscard]] bool meets(const std::set<std::string>& keys, const ApprovalRules& rules);
/// `2 of leads`, `1 approver`: of every demand, joined.
[[nodiscard]] std::string describe_demands(const std::vector<policy::ApprovalDemand>& demands);

}  // namespace rgx::engine
