#include "audit/requester.h"

#include "base/canonical.h"

namespace rgx::audit {

std::string requester_statement(std::string_view log_id, const Digest& plan_digest,
                                const Digest& admission_digest) {
  return canonical(Json::object({{"admission_digest", admission_digest.to_string()},
                                 {"log_id", log_id},
                                 {"plan_digest", plan_digest.to_string()}}));
}

Json sign_requester(const SigningKey& key, std::string_view log_id, const Digest& plan_digest,
                    const Digest& admission_digest) {
  const std::string statement = requester_statement(log_id, plan_digest, admission_digest);
  return Json::object({{"public_key", key.public_key()},
                       {"signature", key.sign(kRequesterPayloadType, statement)}});
}

}  // namespace rgx::audit
