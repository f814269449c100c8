// Plan reader: any JSON is a plan that is written as it was read, or mistakes. The digest of a plan
// file is left out, which no mutation would survive.
#include "base/canonical.h"
#include "base/text.h"
#include "templates/seal.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const auto json =
      parse_json(fuzz::text_of(data, size), "fuzz", {.bytes_max = 1U << 20, .depth_max = 64});
  if (!json) {
    return 0;
  }
  const auto plan = templates::plan_from_json(*json);
  if (!plan) {
    RGX_FUZZ_CHECK(!plan.error().diagnostics.empty());
    return 0;
  }
  RGX_FUZZ_CHECK(templates::to_json(*plan) == *json);
  const std::string bytes = canonical(*json);
  const std::string file = R"({"digest":")" + digest_of("rgx.plan/v1", *json).to_string() +
                           R"(","plan":)" + bytes + R"(,"schema":"rgx.sealed-plan/v1"})" + "\n";
  const auto sealed = templates::read_sealed_plan(file, "fuzz");
  if (sealed) {
    RGX_FUZZ_CHECK(sealed->bytes() == bytes);
  } else {
    for (const Diagnostic& mistake : sealed.error().diagnostics) {
      RGX_FUZZ_CHECK(!find_deceptive(mistake.message));
    }
  }
  return 0;
}
