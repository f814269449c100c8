#include "audit/ledger_writer.h"

#include "audit/body.h"
#include "audit/ledger_format.h"
#include "audit/ledger_scan.h"
#include "audit/meaning.h"
#include "audit/verify_storage.h"
#include "base/check.h"
#include "base/text.h"

#include <array>
#include <utility>

namespace rgx::audit {
namespace {

constexpr std::size_t kBufferBytesMax = 4U << 20;  // written early, not synced, beyond this
constexpr std::size_t kLogIdBytes = 16;

/// Kinds that the writer makes itself, and reserved ones that nobody makes.
bool is_kept_from_callers(RecordType type) {
  switch (type) {
    case RecordType::genesis:
    case RecordType::index_genesis:
    case RecordType::epoch_closed:
    case RecordType::run_sealed:
    case RecordType::key_rotated:
    case RecordType::pruned:
      return true;
    case RecordType::admission:
    case RecordType::step_intent:
    case RecordType::step_outcome:
    case RecordType::step_refused:
    case RecordType::step_skipped:
    case RecordType::approval:
    case RecordType::policy_changed:
    case RecordType::run_interrupted:
    case RecordType::run_suspended:
    case RecordType::recovery:
    case RecordType::checkpoint:
    case RecordType::run_started:
    case RecordType::run_finished:
    case RecordType::run_refused:
    case RecordType::run_rolled_back:
      return false;
  }
  RGX_CHECK(false);
  return true;
}

tl::unexpected<Error> sealed_error() {
  return fail(ErrorKind::usage, "ledger.sealed", "the ledger is sealed: the run is finished",
              "start a new run");
}

/// A writer goes on only where everything before it is known to be right.
Status check_continuable(const Verdict& verdict) {
  const auto refuse = [](std::string_view code, const std::string& message,
                         std::string_view remedy) {
    return fail(ErrorKind::evidence, code, message, remedy);
  };
  switch (verdict.kind) {
    case VerdictKind::tampered:
      return refuse("ledger.tampered", "the ledger does not verify, so nothing is added to it",
                    "`rgx verify` shows what is wrong and where");
    case VerdictKind::torn:
      return refuse("ledger.torn", "the ledger ends in a write that was not finished",
                    "`rgx verify` shows where; nothing is added after half a record");
    case VerdictKind::verified:
      return sealed_error();
    case VerdictKind::inconclusive:
      break;
  }
  if (verdict.authenticity.state != PropertyState::holds) {
    return refuse("ledger.unverified",
                  "the ledger cannot be continued: " + verdict.authenticity.note,
                  "use the key that it was begun with");
  }
  if (verdict.completeness.state == PropertyState::holds) {
    return sealed_error();
  }
  if (verdict.meaning.state != PropertyState::holds) {
    return refuse("ledger.unverified", "the ledger cannot be continued: " + verdict.meaning.note,
                  "use the version of rgx that wrote it");
  }
  return {};
}

}  // namespace

struct LedgerWriter::State {
  std::unique_ptr<Storage> storage;
  std::string log_id;
  std::string key_id;
  Clock& clock;
  Environment environment;
  SecretKey epoch_key;
  Authenticator authenticator;
  MerkleTree tree;
  Meaning meaning;
  Digest head;
  std::uint32_t epoch = 0;
  std::uint64_t epoch_records = 0;
  std::string buffer;
  bool is_synced = true;
  bool is_sealed = false;
  std::optional<Error> failure;

  State(std::unique_ptr<Storage> log, std::string id, const RootKey& root, Clock& time,
        Environment where, const SecretKey& key)
      : storage(std::move(log)),
        log_id(std::move(id)),
        key_id(root.id),
        clock(time),
        environment(std::move(where)),
        epoch_key(key),
        authenticator(key) {
    environment.host = printable(environment.host);
  }

  [[nodiscard]] Status check_open() const {
    if (failure) {
      return fail(*failure);
    }
    return is_sealed ? Status(sealed_error()) : Status();
  }

  tl::unexpected<Error> stop(Error error) {
    failure = std::move(error);
    return fail(*failure);
  }
  tl::unexpected<Error> stop(tl::unexpected<Error> error) { return stop(std::move(error.value())); }

  [[nodiscard]] Json env() const {
    return Json::object({{"host", environment.host},
                         {"monotonic_ms", clock.monotonic_ms()},
                         {"pid", environment.pid},
                         {"time", format_time(clock.now_unix_ms())}});
  }

  /// One record of any kind under the open epoch.
  Result<RecordReference> write(RecordType type, Json body) {
    Record record{log_id, tree.size(), head, epoch, key_id, type, std::move(body), env()};
    const std::string bytes = record_bytes(record);
    if (bytes.size() > kRecordBytesMax) {
      return stop(fail(ErrorKind::internal, "ledger.record_too_large",
                       "a record of kind `" + std::string(to_string(type)) + "` has " +
                           std::to_string(bytes.size()) + " bytes, more than 1,048,576",
                       "split the plan into smaller steps"));
    }
    // What a verifier would call meaningless is not written.
    if (const auto mistake = meaning.next(record, tree)) {
      return stop(fail(ErrorKind::internal, "ledger.body",
                       "a record may not be written: " + *mistake, "please report this"));
    }
    buffer += kLineHead;
    buffer += authenticator.mac(kRecordPayloadType, bytes).hex();
    buffer += kLineMiddle;
    buffer += bytes;
    buffer += kLineTail;
    is_synced = false;
    head = leaf_hash(bytes);
    tree.add(head);
    ++epoch_records;
    if (buffer.size() > kBufferBytesMax) {
      RGX_TRY_STATUS(flush());
    }
    return RecordReference{record.seq, head};
  }

  /// The last place of an epoch belongs to `epoch_closed`.
  Status make_room() {
    if (epoch_records + 1 < kEpochRecordsMax) {
      return {};
    }
    const SecretKey next = next_epoch_key(epoch_key);
    RGX_TRY_STATUS(write(RecordType::epoch_closed,
                         Json::object({{"epoch", epoch},
                                       {"next_key_commitment", key_commitment(next).to_string()},
                                       {"records", tree.size()},
                                       {"root", tree.root().to_string()}})));
    epoch_key = next;  // the closed key is overwritten here and nowhere else kept
    authenticator = Authenticator(epoch_key);
    ++epoch;
    epoch_records = 0;
    return {};
  }

  Status flush() {
    if (Status written = storage->append(buffer); !written) {
      return stop(written.error());
    }
    buffer.clear();
    return {};
  }
};

LedgerWriter::LedgerWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LedgerWriter::LedgerWriter(LedgerWriter&&) noexcept = default;
LedgerWriter& LedgerWriter::operator=(LedgerWriter&&) noexcept = default;
LedgerWriter::~LedgerWriter() = default;

// Seven things make a ledger; a struct of them would be built in one place and read in one.
// NOLINTNEXTLINE(readability-function-size)
Result<LedgerWriter> LedgerWriter::create(std::unique_ptr<Storage> storage, const RootKey& root,
                                          const std::string& log_id, RecordType first, Json body,
                                          Clock& clock, Environment environment) {
  RGX_CHECK(first == RecordType::genesis || first == RecordType::index_genesis);
  RGX_CHECK(log_id.size() == 2 * kLogIdBytes);
  RGX_TRY(const std::uint64_t size, storage->size());
  if (size != 0) {
    return fail(ErrorKind::environment, "ledger.not_empty", "the new ledger is not empty",
                "nothing is overwritten; name another file");
  }
  const SecretKey key = log_key(root, log_id);
  auto state =
      std::make_unique<State>(std::move(storage), log_id, root, clock, std::move(environment), key);
  body.set("key_commitment", key_commitment(key).to_string());
  body.set("mode", "local");
  body.set("schema", "rgx.ledger/v1");
  RGX_TRY_STATUS(state->write(first, std::move(body)));
  LedgerWriter writer(std::move(state));
  RGX_TRY_STATUS(writer.commit());
  return writer;
}

Result<LedgerWriter> LedgerWriter::resume(std::unique_ptr<Storage> storage, const RootKey& root,
                                          Clock& clock, Environment environment,
                                          std::function<void(const Record&)> on_record) {
  const VerifyOptions options{root, std::move(on_record)};
  LedgerScan scan(options);
  RGX_TRY(const Verdict verdict, verify_with(*storage, scan));
  RGX_TRY_STATUS(check_continuable(verdict));
  auto state = std::make_unique<State>(std::move(storage), verdict.log_id, root, clock,
                                       std::move(environment), scan.epoch_key());
  state->tree = scan.tree();
  state->meaning = scan.meaning();
  state->head = verdict.head;
  state->epoch = scan.epoch();
  state->epoch_records = scan.epoch_records();
  return LedgerWriter(std::move(state));
}

Result<RecordReference> LedgerWriter::append(RecordType type, Json body) {
  RGX_CHECK(!is_kept_from_callers(type));
  RGX_TRY_STATUS(state_->check_open());
  RGX_TRY_STATUS(state_->make_room());
  return state_->write(type, std::move(body));
}

Status LedgerWriter::commit() {
  if (const std::optional<Error>& failure = state_->failure) {
    return fail(*failure);
  }
  if (!state_->buffer.empty()) {
    RGX_TRY_STATUS(state_->flush());
  }
  if (!state_->is_synced) {
    if (Status synced = state_->storage->sync(); !synced) {
      return state_->stop(synced.error());
    }
    state_->is_synced = true;
  }
  return {};
}

Result<RecordReference> LedgerWriter::seal(Json body) {
  RGX_TRY_STATUS(state_->check_open());
  RGX_TRY_STATUS(state_->make_room());
  body.set("records", state_->tree.size());
  body.set("root", state_->tree.root().to_string());
  RGX_TRY(const RecordReference reference, state_->write(RecordType::run_sealed, std::move(body)));
  state_->is_sealed = true;
  RGX_TRY_STATUS(commit());
  return reference;
}

const std::string& LedgerWriter::log_id() const {
  return state_->log_id;
}
std::uint64_t LedgerWriter::records() const {
  return state_->tree.size();
}
Digest LedgerWriter::root() const {
  return state_->tree.root();
}
Digest LedgerWriter::head() const {
  return state_->head;
}

Result<std::string> new_log_id(Entropy& entropy) {
  std::array<std::uint8_t, kLogIdBytes> bytes{};
  RGX_TRY_STATUS(entropy.fill(bytes));
  return to_hex(bytes);
}

}  // namespace rgx::audit
