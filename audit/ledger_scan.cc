#include "audit/ledger_scan.h"

#include "audit/ledger_format.h"
#include "base/check.h"

#include <utility>

namespace rgx::audit {
namespace {

struct Parts {
  Digest mac;
  std::string_view record;
};

/// The parts of a line by their fixed places; nothing when the frame is not exact.
std::optional<Parts> split_line(std::string_view line) {
  constexpr std::size_t kRecordAt = kLineHead.size() + kMacHexSize + kLineMiddle.size();
  if (line.size() <= kLineOverhead || line.size() > kRecordBytesMax + kLineOverhead ||
      !line.starts_with(kLineHead) || !line.ends_with(kLineTail) ||
      line.substr(kLineHead.size() + kMacHexSize, kLineMiddle.size()) != kLineMiddle) {
    return std::nullopt;
  }
  const Result<Digest> mac = Digest::parse_hex(line.substr(kLineHead.size(), kMacHexSize));
  if (!mac) {
    return std::nullopt;
  }
  return Parts{*mac, line.substr(kRecordAt, line.size() - kLineOverhead)};
}

void set_failed(Property& property, const std::string& note, std::uint64_t offset,
                std::uint64_t seq) {
  if (property.state != PropertyState::fails) {
    property = {PropertyState::fails, note, offset, seq};
  }
}

}  // namespace

LedgerScan::Next LedgerScan::broken(Property& property, const std::string& note,
                                    std::uint64_t offset) {
  set_failed(property, note, offset, tree_.size());
  return Next::stop;
}

LedgerScan::Next LedgerScan::line(std::string_view line, std::uint64_t offset) {
  if (is_sealed_) {
    return broken(verdict_.completeness, "there is a line after the seal", offset);
  }
  const std::optional<Parts> parts = split_line(line);
  if (!parts) {
    return broken(verdict_.integrity, "the line is not a MAC and a record", offset);
  }
  Result<Record> record = parse_record(parts->record);
  if (!record) {
    return broken(verdict_.integrity, record.error().first().message, offset);
  }
  if (const auto mistake = chain_mistake(*record)) {
    return broken(verdict_.integrity, *mistake, offset);
  }
  if (record->seq == 0) {
    verdict_.log_id = record->log_id;
    key_id_ = record->key_id;
    verdict_.genesis = *record;
    if (options_.root_key) {
      epoch_key_ = log_key(*options_.root_key, record->log_id);
      authenticator_.emplace(epoch_key_);
    }
  }
  check_mac(parts->mac, parts->record, offset);
  check_meaning(*record, offset);
  if (record->seq == 0) {
    check_commitment(record->body, "key_commitment", epoch_key_, offset);
  }
  if (record->type == RecordType::run_sealed && check_seal(*record, offset) == Next::stop) {
    return Next::stop;
  }
  if (record->type == RecordType::epoch_closed) {
    check_commitment(record->body, "next_key_commitment", next_epoch_key(epoch_key_), offset);
  }
  verdict_.head = leaf_hash(parts->record);
  advance(*record);
  if (options_.on_record && verdict_.meaning.state != PropertyState::fails &&
      bad_mac_.state != PropertyState::fails) {
    options_.on_record(*record);
  }
  verdict_.last = std::move(*record);
  return Next::more;
}

std::optional<std::string> LedgerScan::chain_mistake(const Record& record) const {
  if (record.seq != tree_.size()) {
    return "the record has seq " + std::to_string(record.seq) + " where " +
           std::to_string(tree_.size()) + " must stand";
  }
  if (record.prev != verdict_.head) {
    return "the record does not follow from the one before it";
  }
  if (record.seq > 0 && record.log_id != verdict_.log_id) {
    return "the record is from another log";
  }
  if (record.seq > 0 && record.key_id != key_id_) {
    return "the record names another key than the genesis";
  }
  if (record.epoch != epoch_) {
    return "the record is of epoch " + std::to_string(record.epoch) + " where " +
           std::to_string(epoch_) + " is open";
  }
  if (epoch_records_ + 1 == kEpochRecordsMax && record.type != RecordType::epoch_closed) {
    return "the epoch is not closed after its last record";
  }
  return std::nullopt;
}

void LedgerScan::check_mac(const Digest& mac, std::string_view record_bytes, std::uint64_t offset) {
  if (!authenticator_) {
    return;
  }
  if (equal_constant_time(authenticator_->mac(kRecordPayloadType, record_bytes), mac)) {
    ++macs_right_;
  } else {
    set_failed(bad_mac_, "the record's MAC does not verify under the given key", offset,
               tree_.size());
  }
}

/// A commitment counts only in records whose MAC is right; a wrong MAC is reported anyway.
void LedgerScan::check_commitment(const Json& body, std::string_view member, const SecretKey& key,
                                  std::uint64_t offset) {
  const Json* commitment = body.find(member);
  if (!authenticator_ || commitment == nullptr) {
    return;
  }
  const bool agrees = *commitment == Json(key_commitment(key).to_string());
  if (tree_.size() == 0) {
    commits_to_key_ = agrees;
  }
  if (!agrees && bad_mac_.state != PropertyState::fails) {
    set_failed(bad_mac_, "the record commits to another key than the given one leads to", offset,
               tree_.size());
  }
}

void LedgerScan::check_meaning(const Record& record, std::uint64_t offset) {
  if (verdict_.meaning.state == PropertyState::fails) {
    return;
  }
  if (const auto mistake = meaning_.next(record, tree_)) {
    set_failed(verdict_.meaning, *mistake, offset, tree_.size());
  }
}

LedgerScan::Next LedgerScan::check_seal(const Record& record, std::uint64_t offset) {
  const Json* records = record.body.find("records");
  const Json* root = record.body.find("root");
  if (records == nullptr || *records != Json(tree_.size()) || root == nullptr ||
      *root != Json(tree_.root().to_string())) {
    return broken(verdict_.completeness, "the seal states another count or root than the records",
                  offset);
  }
  is_sealed_ = true;
  return Next::more;
}

void LedgerScan::advance(const Record& record) {
  tree_.add(verdict_.head);
  ++epoch_records_;
  if (record.type == RecordType::epoch_closed) {
    ++epoch_;
    epoch_records_ = 0;
    if (authenticator_) {
      epoch_key_ = next_epoch_key(epoch_key_);
      authenticator_.emplace(epoch_key_);
    }
  }
}

void LedgerScan::damaged_tail(std::uint64_t offset, const std::string& note) {
  set_failed(verdict_.integrity, note, offset, tree_.size());
}

Verdict LedgerScan::finish(std::optional<std::uint64_t> torn_offset) {
  if (torn_offset && is_sealed_) {
    set_failed(verdict_.completeness, "there are bytes after the seal", *torn_offset, tree_.size());
  }
  settle_authenticity();
  settle_others(torn_offset.has_value());
  if (torn_offset && verdict_.completeness.state == PropertyState::unknown) {
    verdict_.completeness.bad_offset = torn_offset;
  }
  verdict_.records = tree_.size();
  verdict_.root = tree_.root();
  verdict_.indeterminate = meaning_.indeterminate();
  verdict_.kind = kind(torn_offset.has_value());
  return std::move(verdict_);
}

void LedgerScan::settle_authenticity() {
  Property& property = verdict_.authenticity;
  const bool is_intact = verdict_.integrity.state != PropertyState::fails;
  if (!options_.root_key) {
    property.note = "no key was given";
  } else if (tree_.size() == 0) {
    property.note = "there is no record";
  } else if (bad_mac_.state != PropertyState::fails) {
    property.state = is_intact ? PropertyState::holds : PropertyState::unknown;
    property.note = is_intact ? "every MAC verifies under key " + options_.root_key->id
                              : "verified up to the damage, not after it";
  } else if (is_intact && macs_right_ == 0 && !commits_to_key_ &&
             key_id_ != options_.root_key->id) {
    property.note = "signed under key " + key_id_ + "; the given key is " + options_.root_key->id;
  } else {
    property = bad_mac_;
  }
}

void LedgerScan::settle_others(bool is_torn) {
  Property& integrity = verdict_.integrity;
  Property& completeness = verdict_.completeness;
  Property& meaning = verdict_.meaning;
  const bool is_intact = integrity.state != PropertyState::fails;
  if (is_intact && tree_.size() == 0) {
    integrity.note = is_torn ? "there is no complete record" : "the ledger is empty";
  } else if (is_intact) {
    integrity.state = PropertyState::holds;
    integrity.note = std::to_string(tree_.size()) + " records form one chain";
  }
  if (completeness.state != PropertyState::fails) {
    if (is_sealed_ && is_intact) {
      completeness.state = PropertyState::holds;
      completeness.note = "sealed after " + std::to_string(tree_.size() - 1) + " records";
    } else if (is_torn) {
      completeness.note = "the last write was not finished";
    } else if (is_intact && meaning_.is_index()) {
      completeness.note = "an index ledger is never sealed";
    } else {
      completeness.note = is_intact
                              ? "there is no seal: the run is unfinished or the end is cut off"
                              : "not reached";
    }
  }
  if (meaning.state == PropertyState::fails) {
    return;
  }
  if (tree_.size() == 0) {
    meaning.note = "there is no record";
  } else if (!is_intact || completeness.state == PropertyState::fails) {
    meaning.note = "checked up to the damage, not after it";
  } else if (meaning_.has_reserved()) {
    meaning.note = "the ledger holds kinds of records that this version does not judge";
  } else {
    meaning.state = PropertyState::holds;
    meaning.note = "admission, intents and outcomes are in order";
  }
}

VerdictKind LedgerScan::kind(bool is_torn) const {
  bool fails = false;
  bool holds = true;
  for (const Property* property :
       {&verdict_.integrity, &verdict_.completeness, &verdict_.authenticity, &verdict_.meaning}) {
    fails = fails || property->state == PropertyState::fails;
    holds = holds && property->state == PropertyState::holds;
  }
  if (fails) {
    return VerdictKind::tampered;
  }
  if (is_torn) {
    return VerdictKind::torn;
  }
  return holds ? VerdictKind::verified : VerdictKind::inconclusive;
}

}  // namespace rgx::audit
