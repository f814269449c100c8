#include "base/ids.h"

#include <algorithm>

namespace rgx {

namespace {

constexpr std::size_t kNameBytesMax = 64;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

}  // namespace

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kNameBytesMax || !is_lower(text.front())) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace rgx
