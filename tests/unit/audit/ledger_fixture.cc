#include "tests/unit/audit/ledger_fixture.h"

#include "audit/ledger_format.h"
#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rgx::audit::test {
namespace {

Digest sample(std::string_view name) {
  return digest_bytes(name);
}

Json amounts(std::int64_t steps, std::int64_t files_changed) {
  return Json::object({{"agents", 0},
                       {"bytes_written", 120 * files_changed},
                       {"cost_usd_micros", 0},
                       {"files_changed", files_changed},
                       {"model_calls", 0},
                       {"processes", 0},
                       {"steps", steps},
                       {"tokens", 0},
                       {"wall_ms", 12}});
}

SecretKey secret(std::string_view seed) {
  const Digest digest = digest_bytes(seed);
  return SecretKey(std::string(digest.bytes().begin(), digest.bytes().end()));
}

}  // namespace

RootKey root_key(std::string_view seed) {
  return RootKey::from_secret(secret(seed));
}

SigningKey signing_key(std::string_view seed) {
  class SeedEntropy final : public Entropy {
   public:
    explicit SeedEntropy(const Digest& bytes) : bytes_(bytes) {}
    Status fill(std::span<std::uint8_t> out) override {
      RGX_CHECK(out.size() == Digest::kSize);
      std::copy(bytes_.bytes().begin(), bytes_.bytes().end(), out.begin());
      return {};
    }

   private:
    Digest bytes_;
  };
  SeedEntropy entropy(digest_bytes(seed));
  Result<SigningKey> key = SigningKey::generate(entropy);
  RGX_CHECK(key.has_value());
  return *std::move(key);
}

Json genesis_body(std::string_view log_id) {
  const Digest plan = sample("plan");
  const Digest admission = sample("admission");
  return Json::object({{"admission_digest", admission.to_string()},
                       {"index", Json::object({{"head", sample("run_started").to_string()},
                                               {"log_id", "ffeeddccbbaa99887766554433221100"},
                                               {"seq", 1}})},
                       {"plan_digest", plan.to_string()},
                       {"requester", sign_requester(signing_key(), log_id, plan, admission)},
                       {"rgx_version", "0.1.0"},
                       {"workspace", "in_place"}});
}

Json index_genesis_body() {
  return Json::object({{"repository", "payments"}, {"rgx_version", "0.1.0"}});
}

Json admission_body() {
  return Json::object(
      {{"admission_digest", sample("admission").to_string()},
       {"base_revision", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
       {"decisions_digest", sample("decisions").to_string()},
       {"now_unix_ms", rgx::test::FakeClock::kStartUnixMs},
       {"plan_digest", sample("plan").to_string()},
       {"policy_layers", Json::array({Json::object({{"digest", sample("policy").to_string()},
                                                    {"file", "policies/default.yaml"},
                                                    {"layer", "org"},
                                                    {"name", "default"}})})},
       {"review", "none"},
       {"sandbox", "best_effort"},
       {"steps", 3},
       {"worst_case", amounts(3, 2)}});
}

Json intent_body(std::string_view step, std::int64_t attempt) {
  return Json::object({{"attempt", attempt},
                       {"contract_version", 1},
                       {"decision", Json::object({{"decision", "allow"},
                                                  {"risk", "medium"},
                                                  {"rules", Json::array({Json("edit-sources")})},
                                                  {"schema", "rgx.decision/v1"}})},
                       {"inputs_digest", sample(step).to_string()},
                       {"pins", Json::array({Json::object({{"digest", sample("before").to_string()},
                                                           {"path", "src/a.c"}})})},
                       {"reserved", amounts(1, 1)},
                       {"sandbox", "best_effort"},
                       {"step", step},
                       {"tool", "file.edit"}});
}

Json outcome_body(std::string_view step, std::int64_t attempt, std::string_view state) {
  return Json::object(
      {{"attempt", attempt},
       {"changed", Json::array({Json::object({{"after", sample("after").to_string()},
                                              {"before", sample("before").to_string()},
                                              {"path", "src/a.c"}})})},
       {"outputs", Json::object({{"stdout", Json::object({{"bytes", 5},
                                                          {"digest", sample("hello").to_string()},
                                                          {"truncated", false}})}})},
       {"sandbox", Json::object({{"achieved", "landlock"}})},
       {"spent", amounts(1, 1)},
       {"state", state},
       {"step", step}});
}

Json skipped_body(std::string_view step) {
  return Json::object({{"because", "a step it needs did not succeed"}, {"step", step}});
}

Json seal_body(std::string_view state, std::int64_t exit_code) {
  return Json::object({{"exit_code", exit_code}, {"spent", amounts(2, 2)}, {"state", state}});
}

Json run_started_body(std::string_view log_id) {
  return Json::object({{"admission_digest", sample("admission").to_string()},
                       {"log_id", log_id},
                       {"plan_digest", sample("plan").to_string()},
                       {"run", "r-" + std::string(log_id.substr(0, 12))}});
}

Json run_finished_body(std::string_view log_id, std::uint64_t records, const Digest& root) {
  return Json::object({{"exit_code", 0},
                       {"log_id", log_id},
                       {"records", records},
                       {"root", root.to_string()},
                       {"run", "r-" + std::string(log_id.substr(0, 12))},
                       {"state", "succeeded"}});
}

Json rolled_back_body(std::string_view state, std::string_view log_id) {
  return Json::object({{"digest", sample("restored").to_string()},
                       {"files", 2},
                       {"log_id", log_id},
                       {"run", "r-" + std::string(log_id.substr(0, 12))},
                       {"state", state}});
}

std::unique_ptr<Storage> Bench::open() const {
  return std::make_unique<rgx::test::MemoryStorage>(disk);
}

LedgerWriter Bench::create(std::string_view log_id) {
  Result<LedgerWriter> writer =
      LedgerWriter::create(open(), root, std::string(log_id), RecordType::genesis,
                           genesis_body(log_id), clock, {"build-7", 4711});
  RGX_CHECK(writer.has_value());
  return *std::move(writer);
}

LedgerWriter Bench::create_index() {
  Result<LedgerWriter> writer = LedgerWriter::create(
      open(), root, "ffeeddccbbaa99887766554433221100", RecordType::index_genesis,
      index_genesis_body(), clock, {"build-7", 4711});
  RGX_CHECK(writer.has_value());
  return *std::move(writer);
}

Result<LedgerWriter> Bench::resume() {
  return LedgerWriter::resume(open(), root, clock, {"build-8", 4712});
}

Verdict Bench::verify() const {
  return verify(VerifyOptions{root, {}});
}

Verdict Bench::verify(const VerifyOptions& options) const {
  rgx::test::MemoryStorage storage(disk);
  Result<Verdict> verdict = verify_ledger(storage, options);
  RGX_CHECK(verdict.has_value());
  return *std::move(verdict);
}

void append(LedgerWriter& writer, RecordType type, Json body) {
  const Result<RecordReference> reference = writer.append(type, std::move(body));
  RGX_CHECK(reference.has_value());
}

void append_step(LedgerWriter& writer, std::string_view step) {
  append(writer, RecordType::step_intent, intent_body(step));
  append(writer, RecordType::step_outcome, outcome_body(step));
}

Bench open_run(std::string_view log_id) {
  Bench bench;
  LedgerWriter writer = bench.create(log_id);
  append(writer, RecordType::admission, admission_body());
  append_step(writer, "edit[src/a.c]");
  append_step(writer, "edit[src/b.c]");
  append(writer, RecordType::step_skipped, skipped_body("test"));
  RGX_CHECK(writer.commit().has_value());
  return bench;
}

Bench sealed_run(std::string_view log_id) {
  Bench bench = open_run(log_id);
  Result<LedgerWriter> writer = bench.resume();
  RGX_CHECK(writer.has_value());
  RGX_CHECK(writer->seal(seal_body()).has_value());
  return bench;
}

std::string signed_line(const Record& record, const SecretKey& key) {
  const std::string bytes = record_bytes(record);
  Authenticator authenticator(key);
  std::string line(kLineHead);
  line += authenticator.mac(kRecordPayloadType, bytes).hex();
  line += kLineMiddle;
  line += bytes;
  line += kLineTail;
  return line;
}

}  // namespace rgx::audit::test
