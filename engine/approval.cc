#include "engine/approval.h"

#include <algorithm>

#include "base/canonical.h"
#include "base/clock.h"
#include "base/json_reader.h"
#include "base/text.h"
#include "engine/exec_environment.h"

namespace rgx::engine {

namespace {

constexpr std::string_view kPayloadType = "application/vnd.rgx.approval.v1+json";
constexpr std::string_view kSchema = "rgx.approval/v1";
constexpr std::string_view kHead = "{\"approval\":";
constexpr std::string_view kKeyMember = ",\"public_key\":\"";
constexpr std::size_t kOperandsMax = 10000;
constexpr std::size_t kReasonBytesMax = 4096;
constexpr std::size_t kApproverBytesMax = 255;
constexpr std::size_t kNonceDigits = 32;

tl::unexpected<Error> syntax(std::string_view name, const std::string& why) {
  return fail(ErrorKind::usage, "approval.syntax",
              "`" + printable(name) + "` is no approval: " + why,
              "write it with `rgx approve` or `rgx reject`");
}

tl::unexpected<Error> refuse(std::string_view code, const std::string& message,
                             std::string_view remedy) {
  return fail(ErrorKind::failed, code, message, remedy);
}

Json body_of(const Approval& approval) {
  Json operands = Json::array();
  for (const Digest& operand : approval.subject.operands) {
    operands.push(operand.to_string());
  }
  return Json::object({{"admission_digest", approval.subject.admission_digest.to_string()},
                       {"answer", to_string(approval.answer)},
                       {"approver", approval.approver},
                       {"environment", Json::array_of(approval.subject.environment)},
                       {"expires", format_time(approval.expires_unix_ms)},
                       {"issued", format_time(approval.issued_unix_ms)},
                       {"nonce", approval.nonce},
                       {"operands", std::move(operands)},
                       {"plan_digest", approval.subject.plan_digest.to_string()},
                       {"reason", approval.reason},
                       {"run", approval.subject.run.text()},
                       {"schema", kSchema},
                       {"step", approval.subject.step.text()}});
}

Digest read_digest(ObjectReader& reader, std::string_view key) {
  const auto digest = Digest::parse(reader.string(key));
  if (!digest) {
    reader.mistake("digest.syntax", key, "is no digest");
    return {};
  }
  return *digest;
}

std::int64_t read_time(ObjectReader& reader, std::string_view key) {
  const auto time = parse_time(reader.string(key));
  if (!time) {
    reader.mistake("json.type", key, "is no time");
    return 0;
  }
  return *time;
}

bool is_nonce(std::string_view text) {
  return text.size() == kNonceDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

void read_subject(ObjectReader& reader, ApprovalSubject& subject) {
  subject.admission_digest = read_digest(reader, "admission_digest");
  subject.plan_digest = read_digest(reader, "plan_digest");
  subject.run = RunId(reader.string("run"));
  subject.step = StepId(reader.string("step"));
  for (const std::string& operand : reader.strings("operands")) {
    const auto digest = Digest::parse(operand);
    if (!digest || subject.operands.size() >= kOperandsMax) {
      reader.mistake("digest.syntax", "operands", "holds no digest, or too many");
      break;
    }
    subject.operands.push_back(*digest);
  }
  subject.environment = reader.strings("environment");
}

Result<Approval> approval_from_json(const Json& value) {
  ObjectReader reader(value, "approval");
  reader.schema(kSchema);
  Approval approval;
  const std::string answer = reader.string("answer");
  if (answer == to_string(Answer::reject)) {
    approval.answer = Answer::reject;
  } else if (answer != to_string(Answer::approve)) {
    reader.mistake("json.type", "answer", "is neither `approve` nor `reject`");
  }
  approval.approver = reader.string("approver");
  if (approval.approver.empty() || approval.approver.size() > kApproverBytesMax) {
    reader.mistake("json.type", "approver", "is empty or too long");
  }
  read_subject(reader, approval.subject);
  approval.nonce = reader.string("nonce");
  if (!is_nonce(approval.nonce)) {
    reader.mistake("json.type", "nonce", "is not 32 hex digits");
  }
  approval.issued_unix_ms = read_time(reader, "issued");
  approval.expires_unix_ms = read_time(reader, "expires");
  approval.reason = reader.string("reason");
  if (approval.reason.size() > kReasonBytesMax) {
    reader.mistake("json.type", "reason", "is longer than 4,096 bytes");
  }
  RGX_TRY_STATUS(reader.finish());
  return approval;
}

/// A demand for which the key's answer counts.
bool counts(const std::string& key, const policy::ApprovalDemand& demand,
            const ApprovalRules& rules) {
  if (key == rules.requester && !demand.self) {
    return false;
  }
  if (const policy::Approver* approver = find_approver(rules.policy, key)) {
    return demand.group.empty() ||
           std::ranges::find(approver->groups, demand.group) != approver->groups.end();
  }
  // Where nobody is listed, the requester is the only one who can be meant.
  const bool nobody = std::ranges::all_of(
      rules.policy.layers(), [](const policy::Policy& layer) { return layer.approvers.empty(); });
  return nobody && key == rules.requester && demand.group.empty();
}

/// Whether the answer would count if the requester could answer everywhere.
bool would_count(const std::string& key, const ApprovalRules& rules) {
  return std::ranges::any_of(rules.demands, [&](policy::ApprovalDemand demand) {
    demand.self = true;
    return counts(key, demand, rules);
  });
}

}  // namespace

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::approve:
      return "approve";
    case Answer::reject:
      return "reject";
  }
  return "reject";
}

ApprovalSubject subject_of(const Digest& admission, const Digest& plan, const RunId& run,
                           const templates::Step& step) {
  ApprovalSubject subject{.admission_digest = admission,
                          .plan_digest = plan,
                          .run = run,
                          .step = step.id,
                          .operands = {},
                          .environment = {}};
  const auto add = [&subject](std::string_view name, const Json& value) {
    subject.operands.push_back(
        digest_of("rgx.operand/v1", Json::object({{"name", name}, {"value", value}})));
  };
  add("use", step.tool.use);
  if (step.tool.with.is_object()) {
    for (const auto& [name, value] : step.tool.with.as_object()) {
      add("with." + name, value);
    }
  }
  for (const auto& [name, list] :
       {std::pair{"read", &step.tool.read}, std::pair{"write", &step.tool.write},
        std::pair{"hosts", &step.tool.hosts}}) {
    if (*list) {
      add(name, Json::array_of(**list));
    }
  }
  for (const auto& [name, value] : fixed_environment(step)) {
    subject.environment.push_back(name + "=" + digest_bytes(value).to_string());
  }
  return subject;
}

void bind_acceptance(ApprovalSubject& subject, const Json& found) {
  subject.operands.push_back(
      digest_of("rgx.operand/v1", Json::object({{"name", kAcceptanceStep}, {"value", found}})));
}

ApprovalSubject subject_of_acceptance(const Digest& admission, const Digest& plan, const RunId& run,
                                      const Json& found) {
  ApprovalSubject subject{.admission_digest = admission,
                          .plan_digest = plan,
                          .run = run,
                          .step = StepId(std::string(kAcceptanceStep)),
                          .operands = {},
                          .environment = {}};
  bind_acceptance(subject, found);
  return subject;
}

std::string sign_approval(const Approval& approval, const audit::SigningKey& key) {
  const std::string body = canonical(body_of(approval));
  std::string file(kHead);
  file += body;
  file += kKeyMember;
  file += key.public_key() + "\",\"signature\":\"" + key.sign(kPayloadType, body) + "\"}\n";
  return file;
}

Result<SignedApproval> read_approval(std::string_view bytes, std::string_view name) {
  if (bytes.size() > kApprovalBytesMax || !bytes.ends_with('\n')) {
    return syntax(name, "it is too large, or its line does not end");
  }
  const auto file = parse_canonical(bytes.substr(0, bytes.size() - 1), name);
  if (!file) {
    return syntax(name, file.error().first().message);
  }
  ObjectReader reader(*file, "file");
  const Json& body = reader.value("approval");
  SignedApproval out;
  out.public_key = reader.string("public_key");
  const std::string signature = reader.string("signature");
  if (const Status whole = reader.finish(); !whole) {
    return syntax(name, whole.error().first().message);
  }
  const Json* run = body.find("run");
  const Json* step = body.find("step");
  if (run != nullptr && step != nullptr && (run->is_null() || step->is_null())) {
    return fail(ErrorKind::usage, "approval.scope",
                "`" + printable(name) + "` answers for no step of a run",
                "approve a step of a run: `rgx approve RUN STEP`");
  }
  auto approval = approval_from_json(body);
  if (!approval) {
    return syntax(name, approval.error().first().message);
  }
  out.approval = std::move(*approval);
  // The line is canonical, so these are the stored bytes of the member.
  const auto right =
      audit::verify_signature(out.public_key, kPayloadType, canonical(body), signature);
  if (!right || !*right) {
    return fail(ErrorKind::evidence, "approval.signature",
                "the signature of `" + printable(name) + "` does not verify",
                "have it signed again; nothing in it may be changed");
  }
  out.digest = digest_bytes(bytes);
  out.file = *file;
  return out;
}

Status check_approval(const SignedApproval& approval, const ApprovalSubject& subject,
                      const ApprovalRules& rules, std::int64_t now_unix_ms,
                      const std::set<std::string>& used) {
  const Approval& said = approval.approval;
  if (!would_count(approval.public_key, rules)) {
    return refuse(
        "approval.approver",
        "the key of `" + printable(said.approver) +
            "` is not that of an approver whom the step asks for",
        "ask " + describe_demands(rules.demands) + "; `approvers` of the policy lists them");
  }
  if (said.subject != subject) {
    return refuse("approval.mismatch",
                  "the answer of `" + printable(said.approver) +
                      "` is about another run, step, plan or admission",
                  "look at the step as it is now, and answer again");
  }
  if (said.answer == Answer::reject) {
    return {};
  }
  if (now_unix_ms < said.issued_unix_ms || now_unix_ms >= said.expires_unix_ms) {
    return refuse("approval.expired",
                  "the approval counts from " + format_time(said.issued_unix_ms) + " until " +
                      format_time(said.expires_unix_ms),
                  "approve again, with a longer --expires");
  }
  const bool anywhere =
      std::ranges::any_of(rules.demands, [&](const policy::ApprovalDemand& demand) {
        return counts(approval.public_key, demand, rules);
      });
  if (!anywhere) {
    return refuse("approval.self", "the run is one's own, and policy asks for somebody else",
                  "ask " + describe_demands(rules.demands));
  }
  if (used.contains(said.nonce)) {
    return refuse("approval.used", "the approval was used before", "approve again");
  }
  return {};
}

const policy::Approver* find_approver(const policy::PolicySet& policy,
                                      std::string_view public_key) {
  for (const policy::Policy& layer : policy.layers()) {
    for (const policy::Approver& approver : layer.approvers) {
      if (approver.public_key == public_key) {
        return &approver;
      }
    }
  }
  return nullptr;
}

bool meets(const std::set<std::string>& keys, const ApprovalRules& rules) {
  return std::ranges::all_of(rules.demands, [&](const policy::ApprovalDemand& demand) {
    const auto fit = std::ranges::count_if(
        keys, [&](const std::string& key) { return counts(key, demand, rules); });
    return fit >= demand.count;
  });
}

std::string describe_demands(const std::vector<policy::ApprovalDemand>& demands) {
  std::vector<std::string> all;
  for (const policy::ApprovalDemand& demand : demands) {
    const std::string who = demand.group.empty() ? (demand.count == 1 ? " approver" : " approvers")
                                                 : " of " + printable(demand.group);
    all.push_back(std::to_string(demand.count) + who);
  }
  return join(all, " and ");
}

}  // namespace rgx::engine
