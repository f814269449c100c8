#include "templates/regex.h"
#include "templates/syntax.h"

namespace rgx::templates {

bool is_regex(std::string_view text) {
  return Regex::parse(text).has_value();
}

}  // namespace rgx::templates
