// Globs: two patterns and a path, one a line. Their relations hold for the path.
#include "base/glob.h"
#include "base/path.h"
#include "base/text.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const auto lines = split(fuzz::text_of(data, size), '\n');
  const auto a = Glob::parse(lines.front());
  if (!a) {
    RGX_FUZZ_CHECK(!find_deceptive(a.error().first().message));
    return 0;
  }
  RGX_FUZZ_CHECK(Glob::parse(a->pattern()) == a);
  RGX_FUZZ_CHECK(a->covers(*a));
  if (a->is_literal()) {
    RGX_FUZZ_CHECK(a->matches(a->pattern()));
  }
  if (lines.size() < 2) {
    return 0;
  }
  const auto b = Glob::parse(lines[1]);
  if (!b) {
    return 0;
  }
  const bool covers = a->covers(*b);
  const bool overlaps = a->overlaps(*b);
  RGX_FUZZ_CHECK(overlaps == b->overlaps(*a));
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const auto path = normal_path(lines[index]);
    if (!path) {
      continue;
    }
    RGX_FUZZ_CHECK(normal_path(*path) == path);
    const bool by_a = a->matches(*path);
    const bool by_b = b->matches(*path);
    RGX_FUZZ_CHECK(!(covers && by_b && !by_a));
    RGX_FUZZ_CHECK(!(by_a && by_b && !overlaps));
  }
  return 0;
}
