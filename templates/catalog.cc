#include "templates/catalog.h"

#include "templates/embedded_catalog.h"

namespace rgx::templates {

std::span<const EmbeddedFile> catalog() {
  return embedded_catalog();
}

}  // namespace rgx::templates
