#pragma once

#include "base/embedded.h"

#include <span>

namespace rgx::templates {

/// The shipped templates (`templates/catalog/*.yaml`), sorted by file name.
[[nodiscard]] std::span<const EmbeddedFile> catalog();

}  // namespace rgx::templates
