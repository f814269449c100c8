#include "templates/step_id.h"

#include "base/digest.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace rgx::templates {
namespace {

constexpr std::string_view kItemDomain = "rgx.step-item/v1";
constexpr std::size_t kDigestDigits = 12;

bool stands_for_itself(char c) {
  return c > ' ' && c < '\x7f' && c != '[' && c != ']' && c != '%' && c != '~' && c != '#';
}

void encode_byte(char byte, std::string& text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<std::uint8_t>(byte);
  text += '%';
  text += kDigits[value >> 4U];
  text += kDigits[value & 0xFU];
}

/// Whole UTF-8 sequences beyond ASCII stay readable unless they could deceive.
std::string encoded(std::string_view item) {
  std::string text;
  std::size_t at = 0;
  while (at < item.size()) {
    if (static_cast<unsigned char>(item[at]) < 0x80U) {
      if (stands_for_itself(item[at])) {
        text += item[at];
      } else {
        encode_byte(item[at], text);
      }
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < item.size() && (static_cast<unsigned char>(item[end]) & 0xC0U) == 0x80U) {
      ++end;
    }
    const std::string_view sequence = item.substr(at, end - at);
    if (is_utf8(sequence) && !find_deceptive(sequence)) {
      text += sequence;
    } else {
      for (const char byte : sequence) {
        encode_byte(byte, text);
      }
    }
    at = end;
  }
  return text;
}

std::string digest_digits(const Json& item) {
  return digest_of(kItemDomain, item).hex().substr(0, kDigestDigits);
}

/// Cuts at 160 bytes, never inside an escape or a UTF-8 sequence.
void cut(std::string& text) {
  std::size_t end = kItemTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  for (std::size_t back = 1; back <= 2 && back <= end; ++back) {
    if (text[end - back] == '%') {
      end -= back;
      break;
    }
  }
  text.resize(end);
}

std::string item_text(const Json& item) {
  switch (item.kind()) {
    case Json::Kind::string: {
      std::string text = encoded(item.as_string());
      if (text.size() > kItemTextBytesMax) {
        cut(text);
        text += "~" + digest_digits(item);
      }
      return text;
    }
    case Json::Kind::integer:
      return std::to_string(item.as_integer());
    case Json::Kind::boolean:
      return item.as_boolean() ? "true" : "false";
    case Json::Kind::object:
      // A file and what is to be done with it: named like the file.
      if (const Json* path = item.find("path"); path != nullptr && path->is_string()) {
        return item_text(*path);
      }
      break;
    case Json::Kind::null:
    case Json::Kind::array:
      break;
  }
  return "#" + digest_digits(item);
}

bool is_item_text(std::string_view text) {
  return is_utf8(text) && !find_deceptive(text) && std::ranges::all_of(text, [](char c) {
           return static_cast<unsigned char>(c) >= 0x80U || stands_for_itself(c) || c == '%' ||
                  c == '~' || c == '#';
         });
}

}  // namespace

StepId instance_id(std::string_view step, const Json& item) {
  return StepId(std::string(step) + "[" + item_text(item) + "]");
}

bool is_step_id(std::string_view text) {
  if (text.size() > kStepIdBytesMax) {
    return false;
  }
  const std::size_t bracket = text.find('[');
  const bool named = std::ranges::all_of(split(text.substr(0, bracket), '.'), is_name);
  if (bracket == std::string_view::npos) {
    return named;
  }
  return named && text.back() == ']' &&
         is_item_text(text.substr(bracket + 1, text.size() - bracket - 2));
}

}  // namespace rgx::templates
