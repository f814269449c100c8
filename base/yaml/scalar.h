#pragma once

#include <cstdint>
#include <string_view>

// What a plain (unquoted) scalar means, and which ones mean different things to different YAML
// readers. Not for use outside base/yaml.

namespace rgx::yaml {

enum class PlainKind : std::uint8_t {
  string,
  boolean,       ///< exactly `true` or `false`
  integer,       ///< canonical decimal, within the range of Json
  out_of_range,  ///< canonical decimal, but too large for Json
  null,          ///< `~`, `null` and its spellings
  ambiguous,     ///< some YAML reader takes it for a number, boolean or date
};

struct Plain {
  PlainKind kind = PlainKind::string;
  /// What other readers may take it for, for messages (`a boolean`); empty for a string.
  std::string_view reading;
};

[[nodiscard]] Plain classify_plain(std::string_view text);

}  // namespace rgx::yaml
