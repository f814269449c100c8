#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/check.h"

namespace rgx {

namespace {

/// Edit distance is quadratic, so words longer than this get no suggestion.
constexpr std::size_t kNearestBytesMax = 64;

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

/// Length of the run of ASCII bytes from `offset`, eight bytes at a time: nearly all text is.
std::size_t ascii_run_end(std::string_view text, std::size_t offset) {
  while (offset + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) {
      break;
    }
    offset += 8;
  }
  while (offset < text.size() && byte_at(text, offset) < 0x80) {
    ++offset;
  }
  return offset;
}

struct Range {
  char32_t first;
  char32_t last;
};

/// Sorted. Controls, marks that reorder or hide text, and code points drawn as nothing.
constexpr std::array<Range, 17> kDeceptive = {{
    {0x0000, 0x001F},    // C0
    {0x007F, 0x009F},    // DEL, C1
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180E},    // Mongolian selectors
    {0x200B, 0x200F},    // zero width, direction marks
    {0x2028, 0x202E},    // separators, direction overrides
    {0x2060, 0x206F},    // word joiner, isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFE00, 0xFE0F},    // variation selectors
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // half-width Hangul filler
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0xE0000, 0xE0FFF},  // tags, variation selectors
}};

void append_hex(std::string& text, std::uint32_t value, int digits_min) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string reversed;
  while (value != 0 || static_cast<int>(reversed.size()) < digits_min) {
    reversed.push_back(kDigits[value % 16]);
    value /= 16;
  }
  text.append(reversed.rbegin(), reversed.rend());
}

enum class Backslash : std::uint8_t { keep, escape };

std::string escaped(std::string_view text, Backslash backslash) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = decode_utf8(text, offset);
    if (!point) {
      out += "\\x";
      append_hex(out, byte_at(text, offset), 2);
      ++offset;
      continue;
    }
    if (point->value == U'\n') {
      out += "\\n";
    } else if (point->value == U'\t') {
      out += "\\t";
    } else if (point->value == U'\r') {
      out += "\\r";
    } else if (point->value == U'\\' && backslash == Backslash::escape) {
      out += "\\\\";
    } else if (!is_deceptive(point->value)) {
      out.append(text.substr(offset, point->bytes));
    } else if (point->value < 0x80) {
      out += "\\x";
      append_hex(out, point->value, 2);
    } else {
      out += "\\u{";
      append_hex(out, point->value, 1);
      out += "}";
    }
    offset += point->bytes;
  }
  return out;
}

/// Optimal string alignment distance: a swap of neighbours counts as one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    above[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0U : 1U;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) {
    return std::nullopt;
  }
  const std::uint8_t lead = byte_at(text, offset);
  if (lead < 0x80) {
    return CodePoint{.value = lead, .bytes = 1};
  }
  std::size_t bytes = 0;
  char32_t value = 0;
  char32_t least = 0;  // anything smaller would be an overlong form
  if (lead >= 0xC2 && lead <= 0xDF) {
    bytes = 2;
    value = lead & 0x1FU;
    least = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    bytes = 3;
    value = lead & 0x0FU;
    least = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    bytes = 4;
    value = lead & 0x07U;
    least = 0x10000;
  } else {
    return std::nullopt;
  }
  if (text.size() - offset < bytes) {
    return std::nullopt;
  }
  for (std::size_t index = 1; index < bytes; ++index) {
    const std::uint8_t next = byte_at(text, offset + index);
    if ((next & 0xC0U) != 0x80U) {
      return std::nullopt;
    }
    value = (value << 6U) | (next & 0x3FU);
  }
  if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    return std::nullopt;
  }
  return CodePoint{.value = value, .bytes = bytes};
}

void append_utf8(std::string& text, char32_t code_point) {
  RGX_CHECK(code_point <= 0x10FFFF);
  RGX_CHECK(code_point < 0xD800 || code_point > 0xDFFF);
  const auto push = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0U | (code_point >> 6U));
    push(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    push(0xE0U | (code_point >> 12U));
    push(0x80U | ((code_point >> 6U) & 0x3FU));
    push(0x80U | (code_point & 0x3FU));
  } else {
    push(0xF0U | (code_point >> 18U));
    push(0x80U | ((code_point >> 12U) & 0x3FU));
    push(0x80U | ((code_point >> 6U) & 0x3FU));
    push(0x80U | (code_point & 0x3FU));
  }
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t offset = ascii_run_end(text, 0);
  while (offset < text.size()) {
    const auto point = decode_utf8(text, offset);
    if (!point) {
      return offset;
    }
    offset = ascii_run_end(text, offset + point->bytes);
  }
  return std::nullopt;
}

bool is_utf8(std::string_view text) {
  return !find_invalid_utf8(text).has_value();
}

bool is_deceptive(char32_t code_point) {
  const auto* range =
      std::find_if(kDeceptive.begin(), kDeceptive.end(),
                   [code_point](const Range& each) { return code_point <= each.last; });
  return range != kDeceptive.end() && code_point >= range->first;
}

std::optional<char32_t> find_deceptive(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const std::uint8_t byte = byte_at(text, offset);
    if (byte >= 0x20 && byte < 0x7F) {
      ++offset;
      continue;
    }
    const auto point = decode_utf8(text, offset);
    if (!point) {
      return byte;  // not valid UTF-8: never fit for a name
    }
    if (is_deceptive(point->value)) {
      return point->value;
    }
    offset += point->bytes;
  }
  return std::nullopt;
}

std::string printable(std::string_view text) {
  return escaped(text, Backslash::escape);
}

std::string escape_controls(std::string_view text) {
  return escaped(text, Backslash::keep);
}

std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kNearestBytesMax) {
    return std::nullopt;
  }
  // A third of the letters may differ: `alow` finds `allow`, `xyz` finds nothing.
  const std::size_t distance_max = std::min<std::size_t>(3, (word.size() + 1) / 3);
  std::optional<std::string_view> best;
  std::size_t best_distance = distance_max + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kNearestBytesMax || candidate == word) {
      continue;
    }
    const std::size_t distance = edit_distance(word, candidate);
    // Equal distances: the smaller name, so that the order of candidates never shows.
    if (distance < best_distance || (distance == best_distance && best && candidate < *best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best) {
    return std::nullopt;
  }
  return std::string(*best);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, start)) {
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    if (index != 0) {
      text += separator;
    }
    text += parts[index];
  }
  return text;
}

}  // namespace rgx
