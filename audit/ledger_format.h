#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Constants shared by writer and verifier. Format: docs/formats/ledger.md
// A line is  {"mac":"<64 hex>","record":<canonical JSON>}  and a line feed.

namespace rgx::audit {

inline constexpr std::string_view kLineHead = "{\"mac\":\"";
inline constexpr std::string_view kLineMiddle = "\",\"record\":";
inline constexpr std::string_view kLineTail = "}\n";
inline constexpr std::size_t kMacHexSize = 64;
inline constexpr std::size_t kLineOverhead =
    kLineHead.size() + kMacHexSize + kLineMiddle.size() + kLineTail.size();
inline constexpr std::size_t kRecordBytesMax = 1U << 20;
inline constexpr std::uint64_t kEpochRecordsMax = 1024;  ///< records under one epoch key

/// Payload type of the DSSE pre-authentication encoding that the MAC covers.
inline constexpr std::string_view kRecordPayloadType = "application/vnd.rgx.audit.record.v1+json";

}  // namespace rgx::audit
