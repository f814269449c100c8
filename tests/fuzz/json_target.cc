// JSON parser: any bytes are a value that survives its canonical form, or a mistake with a place.
#include "base/canonical.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/text.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const std::string_view text = fuzz::text_of(data, size);
  const auto value = parse_json(text, "fuzz", {.bytes_max = 1U << 20, .depth_max = 16});
  const json_scan::Found found = json_scan::scan(text, {.depth_max = 16, .token = std::nullopt});
  if (value) {
    RGX_FUZZ_CHECK(found.mistake == json_scan::Mistake::none);
    const std::string form = canonical(*value);
    RGX_FUZZ_CHECK(is_utf8(form));
    RGX_FUZZ_CHECK(parse_canonical(form) == value);
    RGX_FUZZ_CHECK(parse_json(pretty(*value)) == value);
    const auto strict = parse_canonical(text);
    RGX_FUZZ_CHECK(strict.has_value() == (form == text));
    return 0;
  }
  const Diagnostic& mistake = value.error().first();
  RGX_FUZZ_CHECK(mistake.place.line != 0);
  RGX_FUZZ_CHECK(!find_deceptive(mistake.message));
  RGX_FUZZ_CHECK(!mistake.remedy.empty());
  // The parser and the scan for places must agree on what JSON is.
  const bool marked = text.starts_with("\xEF\xBB\xBF");
  RGX_FUZZ_CHECK(marked ||
                 (mistake.code == "json.syntax") == (found.mistake == json_scan::Mistake::syntax));
  return 0;
}
