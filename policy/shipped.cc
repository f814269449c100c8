#include "policy/shipped.h"

#include "policy/embedded_shipped_policies.h"

namespace rgx::policy {

std::span<const EmbeddedFile> shipped_policies() {
  return embedded_shipped_policies();
}

}  // namespace rgx::policy
