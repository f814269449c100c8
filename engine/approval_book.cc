#include "engine/approval_book.h"

#include "base/text.h"

namespace rgx::engine {

void ApprovalBook::add(const SignedApproval& approval, std::int64_t seq) {
  const Approval& said = approval.approval;
  seen_.insert(approval.digest.to_string());
  nonces_.insert(said.nonce);
  if (said.answer == Answer::reject) {
    const std::string why = said.reason.empty() ? "" : ": " + printable(said.reason);
    rejected_.try_emplace(said.subject.step,
                          Rejection{"`" + printable(said.approver) + "` said no" + why, seq});
    return;
  }
  given_[said.subject.step].push_back({approval.public_key, said.expires_unix_ms, seq});
}

ApprovalBook::InForce ApprovalBook::in_force(const StepId& step, std::int64_t now_unix_ms) const {
  InForce all;
  if (const auto found = given_.find(step); found != given_.end()) {
    for (const Given& given : found->second) {
      if (now_unix_ms < given.expires_unix_ms) {
        all.keys.insert(given.key);
        all.records.push_back(given.seq);
      }
    }
  }
  return all;
}

std::optional<ApprovalBook::Rejection> ApprovalBook::rejection(const StepId& step) const {
  const auto found = rejected_.find(step);
  return found == rejected_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace rgx::engine
