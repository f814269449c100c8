#include "audit/record.h"

#include "audit/ledger_format.h"
#include "base/canonical.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/json_reader.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace rgx::audit {
namespace {

constexpr std::size_t kLogIdSize = 32;
constexpr std::size_t kKeyIdSize = 16;
constexpr std::size_t kRecordDepthMax = 64;

struct TypeName {
  RecordType type;
  std::string_view name;
};
// These names are stored: never change one.
constexpr std::array<TypeName, 21> kTypeNames = {{
    {RecordType::genesis, "genesis"},
    {RecordType::admission, "admission"},
    {RecordType::step_intent, "step_intent"},
    {RecordType::step_outcome, "step_outcome"},
    {RecordType::step_refused, "step_refused"},
    {RecordType::step_skipped, "step_skipped"},
    {RecordType::approval, "approval"},
    {RecordType::policy_changed, "policy_changed"},
    {RecordType::run_interrupted, "run_interrupted"},
    {RecordType::run_suspended, "run_suspended"},
    {RecordType::recovery, "recovery"},
    {RecordType::epoch_closed, "epoch_closed"},
    {RecordType::key_rotated, "key_rotated"},
    {RecordType::checkpoint, "checkpoint"},
    {RecordType::run_sealed, "run_sealed"},
    {RecordType::index_genesis, "index_genesis"},
    {RecordType::run_started, "run_started"},
    {RecordType::run_finished, "run_finished"},
    {RecordType::run_refused, "run_refused"},
    {RecordType::run_rolled_back, "run_rolled_back"},
    {RecordType::pruned, "pruned"},
}};

bool is_lower_hex(std::string_view text, std::size_t size) {
  return text.size() == size && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string hex_member(ObjectReader& reader, std::string_view key, std::size_t size) {
  std::string text = reader.string(key);
  if (!is_lower_hex(text, size)) {
    reader.mistake("ledger.record", key,
                   "must be " + std::to_string(size) + " lower-case hex digits");
  }
  return text;
}

Status check_env(const Json& env, const std::string& what) {
  ObjectReader reader(env, what);
  static_cast<void>(reader.string("host"));
  static_cast<void>(reader.integer("monotonic_ms"));
  static_cast<void>(reader.integer("pid"));
  const std::string time = reader.string("time");
  if (const auto parsed = parse_time(time); !parsed || format_time(*parsed) != time) {
    reader.mistake("ledger.record", "time", "must be a UTC time with milliseconds");
  }
  return reader.finish();
}

}  // namespace

std::string_view to_string(RecordType type) {
  const auto* found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                   [type](const TypeName& entry) { return entry.type == type; });
  RGX_CHECK(found != kTypeNames.end());
  return found->name;
}

Result<RecordType> record_type(std::string_view name) {
  const auto* found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                   [name](const TypeName& entry) { return entry.name == name; });
  if (found == kTypeNames.end()) {
    return fail(ErrorKind::evidence, "ledger.record_type",
                "unknown kind of record `" + std::string(name) + "`",
                "a newer rgx may have written it");
  }
  return found->type;
}

std::string record_bytes(const Record& record) {
  return canonical(Json::object({{"body", record.body},
                                 {"env", record.env},
                                 {"epoch", record.epoch},
                                 {"kid", record.key_id},
                                 {"log_id", record.log_id},
                                 {"prev", record.prev.to_string()},
                                 {"seq", record.seq},
                                 {"type", to_string(record.type)},
                                 {"v", kRecordVersion}}));
}

Result<Record> parse_record(std::string_view bytes) {
  RGX_TRY(Json value, parse_canonical(bytes, "record", {kRecordBytesMax, kRecordDepthMax}));
  ObjectReader reader(value, "record");
  Record record;
  if (const std::int64_t version = reader.integer("v"); version != kRecordVersion) {
    reader.mistake("ledger.version", "v",
                   "is version " + std::to_string(version) + ", which this rgx does not know");
  }
  record.log_id = hex_member(reader, "log_id", kLogIdSize);
  record.key_id = hex_member(reader, "kid", kKeyIdSize);
  record.seq = static_cast<std::uint64_t>(reader.integer("seq"));
  record.epoch = static_cast<std::uint32_t>(
      reader.integer("epoch", 0, std::numeric_limits<std::uint32_t>::max()));
  if (const auto prev = Digest::parse(reader.string("prev")); prev) {
    record.prev = *prev;
  } else {
    reader.mistake("ledger.record", "prev", "must be `sha256:` and 64 lower-case hex digits");
  }
  const std::string type_name = reader.string("type");
  const Result<RecordType> type = record_type(type_name);
  if (type) {
    record.type = *type;
  } else {
    reader.mistake(type.error().first().code, "type", type.error().first().message);
  }
  static_cast<void>(reader.object("body"));
  static_cast<void>(reader.object("env"));
  RGX_TRY_STATUS(reader.finish());
  RGX_TRY_STATUS(check_env(*value.find("env"), "record.env"));
  Json::Object& members = value.as_object();
  record.body = std::move(members.find("body")->second);
  record.env = std::move(members.find("env")->second);
  return record;
}

Digest leaf_hash(std::string_view record_bytes) {
  // One hasher a thread: a new context for each record costs more than the hashing.
  thread_local Hasher hasher;
  hasher.update(std::string_view("\0", 1));
  hasher.update(record_bytes);
  return hasher.finish();
}

}  // namespace rgx::audit
