#include "planner/text_search.h"

#include "base/check.h"

#include <cstring>

namespace rgx::planner {
namespace {

constexpr std::size_t kBinaryProbeBytes = 8000;

}  // namespace

bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || static_cast<unsigned char>(byte) >= 0x80U;
}

std::int64_t count_matches(std::string_view bytes, std::string_view needle,
                           MatchBoundary boundary) {
  RGX_CHECK(!needle.empty());
  std::int64_t count = 0;
  std::size_t at = 0;
  while (at + needle.size() <= bytes.size()) {
    // The C library's search is several times faster than std::string_view::find.
    const void* hit = memmem(bytes.data() + at, bytes.size() - at, needle.data(), needle.size());
    if (hit == nullptr) {
      break;
    }
    const auto start = static_cast<std::size_t>(static_cast<const char*>(hit) - bytes.data());
    const std::size_t end = start + needle.size();
    const bool whole =
        boundary == MatchBoundary::anywhere ||
        ((start == 0 || !is_word_byte(bytes[start - 1]) || !is_word_byte(needle.front())) &&
         (end == bytes.size() || !is_word_byte(bytes[end]) || !is_word_byte(needle.back())));
    count += whole ? 1 : 0;
    at = whole ? end : start + 1;
  }
  return count;
}

bool is_binary(std::string_view bytes) {
  return bytes.substr(0, kBinaryProbeBytes).find('\0') != std::string_view::npos;
}

}  // namespace rgx::planner
