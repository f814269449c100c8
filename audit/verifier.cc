#include "audit/verifier.h"

#include "audit/ledger_format.h"
#include "audit/ledger_scan.h"
#include "audit/verify_storage.h"
#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rgx::audit {
namespace {

constexpr std::size_t kChunkBytes = 1U << 20;
constexpr std::size_t kLineBytesMax = kRecordBytesMax + kLineOverhead;

/// Cuts the bytes of a storage into lines, holding one line and one chunk at most.
class LineReader {
 public:
  LineReader(Storage& storage, std::uint64_t end) : storage_(storage), end_(end) {}

  /// Feeds every complete line to `scan`; true when the scan asked to stop.
  Result<bool> feed(LedgerScan& scan) {
    while (offset_ + pending_.size() < end_ && pending_.size() <= kLineBytesMax) {
      RGX_TRY_STATUS(fill());
      std::size_t begin = 0;
      for (;;) {
        const std::size_t feed = pending_.find('\n', begin);
        if (feed == std::string::npos) {
          break;
        }
        const std::string_view line = std::string_view(pending_).substr(begin, feed + 1 - begin);
        if (scan.line(line, offset_ + begin) == LedgerScan::Next::stop) {
          return true;
        }
        begin = feed + 1;
      }
      pending_.erase(0, begin);
      offset_ += begin;
    }
    return false;
  }

  /// Judges the bytes after the last line feed: the offset of a torn tail, nothing when there are
  /// none; tells `scan` when they are damage.
  Result<std::optional<std::uint64_t>> tail(LedgerScan& scan) {
    if (pending_.empty()) {
      return std::optional<std::uint64_t>();
    }
    // Zeros at the end are blocks that were allocated and never written.
    std::size_t written = pending_.find_last_not_of('\0') + 1;
    std::uint64_t at = offset_ + pending_.size();
    while (at < end_) {
      RGX_TRY(const std::string chunk, storage_.read(at, next_size(at)));
      if (chunk.empty()) {
        break;  // shrank meanwhile
      }
      if (chunk.find_first_not_of('\0') != std::string::npos) {
        written = kLineBytesMax + 1;
        break;
      }
      at += chunk.size();
    }
    if (written > kLineBytesMax) {
      scan.damaged_tail(offset_, "the line is longer than any record");
      return std::optional<std::uint64_t>();
    }
    return std::optional<std::uint64_t>(offset_);
  }

 private:
  [[nodiscard]] std::size_t next_size(std::uint64_t at) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, end_ - at));
  }

  Status fill() {
    const std::uint64_t at = offset_ + pending_.size();
    RGX_TRY(const std::string chunk, storage_.read(at, next_size(at)));
    if (chunk.empty()) {
      end_ = at;  // shrank meanwhile: what is not there is not judged
    }
    pending_ += chunk;
    return {};
  }

  Storage& storage_;
  std::uint64_t end_;         // size when verification began: a snapshot of a ledger in use
  std::uint64_t offset_ = 0;  // of pending_
  std::string pending_;
};

Json to_json(const Property& property) {
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json();
  };
  return Json::object({{"bad_offset", number(property.bad_offset)},
                       {"bad_seq", number(property.bad_seq)},
                       {"note", property.note},
                       {"state", to_string(property.state)}});
}

Json seal_of(const Verdict& verdict) {
  if (!verdict.last || verdict.last->type != RecordType::run_sealed) {
    return {};
  }
  Json seal = Json::object();
  for (const std::string_view key : {"exit_code", "state"}) {
    const Json* member = verdict.last->body.find(key);
    seal.set(key, member == nullptr ? Json() : *member);
  }
  return seal;
}

}  // namespace

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::verified:
      return "VERIFIED";
    case VerdictKind::tampered:
      return "TAMPERED";
    case VerdictKind::inconclusive:
      return "INCONCLUSIVE";
    case VerdictKind::torn:
      return "TORN";
  }
  RGX_CHECK(false);
  return {};
}

std::string_view to_string(PropertyState state) {
  switch (state) {
    case PropertyState::holds:
      return "holds";
    case PropertyState::fails:
      return "fails";
    case PropertyState::unknown:
      return "unknown";
  }
  RGX_CHECK(false);
  return {};
}

Result<Verdict> verify_with(Storage& storage, LedgerScan& scan) {
  RGX_TRY(const std::uint64_t end, storage.size());
  LineReader reader(storage, end);
  RGX_TRY(const bool stopped, reader.feed(scan));
  if (stopped) {
    return scan.finish(std::nullopt);
  }
  RGX_TRY(const std::optional<std::uint64_t> torn, reader.tail(scan));
  return scan.finish(torn);
}

Result<Verdict> verify_ledger(Storage& storage, const VerifyOptions& options) {
  LedgerScan scan(options);
  return verify_with(storage, scan);
}

Json to_json(const Verdict& verdict) {
  return Json::object({{"authenticity", to_json(verdict.authenticity)},
                       {"completeness", to_json(verdict.completeness)},
                       {"head", verdict.head.to_string()},
                       {"indeterminate", Json::array_of(verdict.indeterminate)},
                       {"integrity", to_json(verdict.integrity)},
                       {"log_id", verdict.log_id.empty() ? Json() : Json(verdict.log_id)},
                       {"meaning", to_json(verdict.meaning)},
                       {"records", verdict.records},
                       {"root", verdict.root.to_string()},
                       {"schema", "rgx.verdict/v1"},
                       {"state", seal_of(verdict)},
                       {"verdict", to_string(verdict.kind)}});
}

}  // namespace rgx::audit
