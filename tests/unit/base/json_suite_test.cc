// The published JSON parsing test suite, under rgx's rules: every n_ file is refused, every y_ file
// accepted unless its value is one that rgx does not have, and no file does harm.
#include "base/canonical.h"
#include "base/json.h"
#include "base/json_scan.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace rgx {
namespace {

/// Valid JSON that rgx refuses all the same, and as what.
const std::map<std::string, std::string>& refused_by_rgx() {
  static const std::map<std::string, std::string> files = {
      {"y_number.json", "json.number"},
      {"y_number_0e+1.json", "json.number"},
      {"y_number_0e1.json", "json.number"},
      {"y_number_double_close_to_zero.json", "json.number"},
      {"y_number_int_with_exp.json", "json.number"},
      {"y_number_minus_zero.json", "json.number"},
      {"y_number_negative_zero.json", "json.number"},
      {"y_number_real_capital_e.json", "json.number"},
      {"y_number_real_capital_e_neg_exp.json", "json.number"},
      {"y_number_real_capital_e_pos_exp.json", "json.number"},
      {"y_number_real_exponent.json", "json.number"},
      {"y_number_real_fraction_exponent.json", "json.number"},
      {"y_number_real_neg_exp.json", "json.number"},
      {"y_number_real_pos_exponent.json", "json.number"},
      {"y_number_simple_real.json", "json.number"},
      {"y_object_duplicated_key.json", "json.duplicate_key"},
      {"y_object_duplicated_key_and_value.json", "json.duplicate_key"},
      {"y_object_extreme_numbers.json", "json.number"},
      {"y_structure_lonely_negative_real.json", "json.number"},
  };
  return files;
}

TEST(JsonTestSuite, EveryFileIsJudgedAsRgxMust) {
  RGX_REQUIRE_VECTORS(dir, "vectors/json-test-suite/test_parsing");
  int valid = 0;
  int invalid = 0;
  std::size_t exceptions = 0;
  for (const auto& path : test::sorted_files(dir)) {
    const std::string name = path.filename().string();
    const std::string text = test::read_file(path);
    const auto value = parse_json(text, name);
    const auto exception = refused_by_rgx().find(name);
    if (exception != refused_by_rgx().end()) {
      ++exceptions;
      EXPECT_TRUE(test::refused(value, exception->second, name)) << name;
    } else if (name.starts_with("y_")) {
      ++valid;
      ASSERT_TRUE(test::accepted(value)) << name;
      EXPECT_EQ(parse_canonical(canonical(*value)), value) << name;
    } else if (name.starts_with("n_")) {
      ++invalid;
      EXPECT_FALSE(value.has_value()) << name;
    }
    if (!value) {
      EXPECT_NE(value.error().first().place.line, 0U) << test::error_text(value);
      EXPECT_NE(value.error().first().place.column, 0U) << test::error_text(value);
    }
  }
  EXPECT_EQ(valid, 76);
  EXPECT_EQ(invalid, 188);
  EXPECT_EQ(exceptions, refused_by_rgx().size());
}

TEST(JsonTestSuite, TheScanForPlacesAgreesWithTheParser) {
  RGX_REQUIRE_VECTORS(dir, "vectors/json-test-suite/test_parsing");
  for (const auto& path : test::sorted_files(dir)) {
    const std::string text = test::read_file(path);
    const auto value = parse_json(text);
    const json_scan::Found found =
        json_scan::scan(text, {.depth_max = JsonLimits{}.depth_max, .token = std::nullopt});
    const bool syntax_refused = !value && (value.error().first().code == "json.syntax");
    // The byte order mark is refused before either looks.
    if (!text.starts_with("\xEF\xBB\xBF")) {
      EXPECT_EQ(found.mistake == json_scan::Mistake::syntax, syntax_refused)
          << path.filename() << " " << found.reason << " " << test::error_text(value);
    }
  }
}

TEST(JsonTestSuite, TransformsKeepTheirMeaningOrAreRefused) {
  RGX_REQUIRE_VECTORS(dir, "vectors/json-test-suite/test_transform");
  const std::map<std::string, std::string> expected = {
      {"number_-9223372036854775808.json", "json.number"},
      {"number_-9223372036854775809.json", "json.number"},
      {"number_1.0.json", "json.number"},
      {"number_1.000000000000000005.json", "json.number"},
      {"number_1000000000000000.json", "[1000000000000000]"},
      {"number_10000000000000000999.json", "json.number"},
      {"number_1e-999.json", "json.number"},
      {"number_1e6.json", "json.number"},
      {"number_9223372036854775807.json", "json.number"},
      {"number_9223372036854775808.json", "json.number"},
      {"object_key_nfc_nfd.json", "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"},
      {"object_key_nfd_nfc.json", "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"},
      {"object_same_key_different_values.json", "json.duplicate_key"},
      {"object_same_key_same_value.json", "json.duplicate_key"},
      {"object_same_key_unclear_values.json", "json.number"},
      {"string_1_escaped_invalid_codepoint.json", "json.syntax"},
      {"string_1_invalid_codepoint.json", "json.syntax"},
      {"string_2_escaped_invalid_codepoints.json", "json.syntax"},
      {"string_2_invalid_codepoints.json", "json.syntax"},
      {"string_3_escaped_invalid_codepoints.json", "json.syntax"},
      {"string_3_invalid_codepoints.json", "json.syntax"},
      {"string_with_escaped_NULL.json", "[\"A\\u0000B\"]"},
  };
  std::size_t seen = 0;
  for (const auto& path : test::sorted_files(dir)) {
    const auto wanted = expected.find(path.filename().string());
    ASSERT_NE(wanted, expected.end()) << path.filename();
    ++seen;
    const auto value = parse_json(test::read_file(path));
    EXPECT_EQ(value ? canonical(*value) : value.error().first().code, wanted->second)
        << path.filename();
  }
  EXPECT_EQ(seen, expected.size());
}

}  // namespace
}  // namespace rgx
