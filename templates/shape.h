#pragma once

#include <cstdint>

namespace rgx::templates {

/// Shape of a value as far as it is known before it is there.
enum class Shape : std::uint8_t { any, text, integer, boolean, mapping, texts, mappings };

}  // namespace rgx::templates
