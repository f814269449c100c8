#include "templates/syntax.h"

#include <re2/re2.h>

namespace rgx::templates {

bool is_regex(std::string_view text) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(8 << 20);
  const RE2 pattern(re2::StringPiece(text.data(), text.size()), options);
  return pattern.ok();
}

}  // namespace rgx::templates
