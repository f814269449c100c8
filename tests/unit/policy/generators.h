#pragma once

#include <rapidcheck.h>

#include "policy/decision.h"

// Random policies and facts over a small world, so that rules meet the facts often.

namespace rgx::policy::test {

/// One allow, approval or deny rule of a layer. Ids are unique by `number`.
[[nodiscard]] rc::Gen<Rule> gen_rule(Effect effect, Layer layer, int number);
[[nodiscard]] rc::Gen<Policy> gen_policy(Layer layer);
/// A top layer and maybe one or two below.
[[nodiscard]] rc::Gen<std::vector<Policy>> gen_layers();
[[nodiscard]] rc::Gen<Facts> gen_facts();
[[nodiscard]] PolicySet stack_of(std::vector<Policy> layers);

}  // namespace rgx::policy::test
