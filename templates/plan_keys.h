#pragma once

#include "templates/plan.h"

#include <string>
#include <utility>

// The only two places where plans get their proof: DraftKey for instantiate() and the reader of
// plan files, SealKey for seal(). Private to the package: nobody else sees this header.

namespace rgx::templates {

class DraftKey {
 public:
  [[nodiscard]] static Draft make(Plan plan) { return Draft(std::move(plan)); }
  [[nodiscard]] static Plan take(Draft draft) { return std::move(draft.plan_); }
};

class SealKey {
 public:
  [[nodiscard]] static SealedPlan make(Plan plan, std::string bytes, const Digest& digest) {
    return {std::move(plan), std::move(bytes), digest};
  }
};

}  // namespace rgx::templates
