#include <array>
#include <optional>

#include "base/digest.h"

// Hex and base64 of base/digest.h: strict, so that each byte string has exactly one text.

namespace rgx {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::optional<std::uint32_t> value_of(std::string_view digits, char digit) {
  const std::size_t index = digits.find(digit);
  if (index == std::string_view::npos) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(index);
}

tl::unexpected<Error> bad_base64(std::string_view why) {
  return fail(ErrorKind::usage, "base64.syntax", "base64 text " + std::string(why),
              "use the standard alphabet with padding and no white space");
}

/// Value of one group of four digits, of which the last `padding` are `=`.
std::optional<std::uint32_t> group_value(std::string_view group, std::size_t padding) {
  std::uint32_t value = 0;
  for (std::size_t index = 0; index < 4; ++index) {
    std::uint32_t digit = 0;
    if (index < 4 - padding) {
      const auto found = value_of(kBase64Digits, group[index]);
      if (!found) {
        return std::nullopt;
      }
      digit = *found;
    } else if (group[index] != '=') {
      return std::nullopt;
    }
    value = (value << 6U) | digit;
  }
  return value;
}

}  // namespace

std::string to_hex(Bytes bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text.push_back(kHexDigits[byte >> 4U]);
    text.push_back(kHexDigits[byte & 0x0FU]);
  }
  return text;
}

Result<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) {
    return fail(ErrorKind::usage, "hex.syntax", "hex text has an odd number of digits",
                "write two lower-case hex digits a byte");
  }
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t index = 0; index < text.size(); index += 2) {
    const auto high = value_of(kHexDigits, text[index]);
    const auto low = value_of(kHexDigits, text[index + 1]);
    if (!high || !low) {
      return fail(ErrorKind::usage, "hex.syntax",
                  "hex text has something else than `0-9a-f` at byte " +
                      std::to_string(high ? index + 1 : index),
                  "write two lower-case hex digits a byte");
    }
    bytes.push_back(static_cast<char>((*high << 4U) | *low));
  }
  return bytes;
}

std::string to_base64(Bytes bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t index = 0; index < bytes.size(); index += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - index);
    std::uint32_t group = 0;
    for (std::size_t offset = 0; offset < 3; ++offset) {
      group = (group << 8U) | (offset < count ? bytes[index + offset] : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const std::uint32_t value = (group >> (18U - 6U * digit)) & 0x3FU;
      text.push_back(digit <= count ? kBase64Digits[value] : '=');
    }
  }
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return bad_base64("is not a whole number of four-digit groups");
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t index = 0; index < text.size(); index += 4) {
    const std::string_view group = text.substr(index, 4);
    const bool last = index + 4 == text.size();
    const std::size_t padding = !last || !group.ends_with('=') ? 0 : group.ends_with("==") ? 2 : 1;
    const auto value = group_value(group, padding);
    if (!value) {
      return bad_base64("has an invalid digit in the group at byte " + std::to_string(index));
    }
    // Bits that padding throws away must be zero, else two texts would mean the same bytes.
    if ((*value & ((1U << (8U * padding)) - 1U)) != 0) {
      return bad_base64("has unused bits that are not zero");
    }
    for (std::size_t offset = 0; offset < 3 - padding; ++offset) {
      bytes.push_back(static_cast<char>((*value >> (16U - 8U * offset)) & 0xFFU));
    }
  }
  return bytes;
}

}  // namespace rgx
