// Unified diffs: a file up to the first NUL byte, the diff behind it. What applies never leaves out
// a byte that the diff does not name, and applying is the same twice.
#include "engine/unified_diff.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const std::string_view input = fuzz::text_of(data, size);
  const auto end = input.find('\0');
  const std::string_view bytes =
      end == std::string_view::npos ? std::string_view() : input.substr(0, end);
  const auto diff =
      engine::parse_unified_diff(end == std::string_view::npos ? input : input.substr(end + 1));
  if (!diff) {
    RGX_FUZZ_CHECK(!diff.error().first().message.empty());
    return 0;
  }
  std::int64_t added = 0;
  std::int64_t removed = 0;
  for (const engine::Hunk& hunk : diff->hunks) {
    for (const engine::DiffLine& line : hunk.lines) {
      const auto length = static_cast<std::int64_t>(line.text.size());
      added += line.kind == '+' ? length : 0;
      removed += line.kind == '-' ? length : 0;
    }
  }
  const auto once = engine::apply_unified_diff(bytes, *diff, "a");
  const auto twice = engine::apply_unified_diff(bytes, *diff, "a");
  RGX_FUZZ_CHECK(once.has_value() == twice.has_value());
  if (once) {
    RGX_FUZZ_CHECK(*once == *twice);
    RGX_FUZZ_CHECK(static_cast<std::int64_t>(once->size()) ==
                   static_cast<std::int64_t>(bytes.size()) + added - removed);
  }
  return 0;
}
