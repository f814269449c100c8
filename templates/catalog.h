#pragma once

#include <span>

#include "base/embedded.h"

namespace rgx::templates {

/// The shipped templates (`templates/catalog/*.yaml`), sorted by file name.
[[nodiscard]] std::span<const EmbeddedFile> catalog();

}  // namespace rgx::templates
