#include "planner/compile.h"
#include "planner/tokens.h"
#include "planner/understanding.h"

namespace rgx::planner {

templates::Arguments extract(std::string_view intent, const templates::Template& source) {
  const Understanding understanding = understand(tokens_of(intent), source);
  templates::Arguments arguments;
  if (understanding.alignments.empty()) {
    return arguments;
  }
  for (const auto& [name, value] : understanding.best().values) {
    bool agreed = true;
    for (const Alignment& other : understanding.alignments) {
      const auto found = other.values.find(name);
      agreed = agreed && found != other.values.end() && found->second == value;
    }
    if (agreed) {
      arguments[name] = templates::Value{value, templates::Origin::human};
    }
  }
  return arguments;
}

}  // namespace rgx::planner
