#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Wording of messages about values and names. Private to the package.

namespace rgx::templates {

/// `text` in backticks, made printable, cut to fit on a line.
[[nodiscard]] std::string quoted(std::string_view text);
/// What a value is: `the integer `3``, `a list`, `` `foo` ``.
[[nodiscard]] std::string described(const Json& value);
/// "did you mean `x`?", or "known names are `a`, `b`", or `otherwise` when there are none.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                                     std::string_view otherwise);

/// A text, integer or boolean as it stands inside a text; nothing for any other value.
[[nodiscard]] std::optional<std::string> scalar_text(const Json& value);

}  // namespace rgx::templates
