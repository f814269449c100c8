#include "base/error.h"

#include "base/result.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgx {
namespace {

TEST(Place, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_string(Place{.file = "a.yaml", .line = 3, .column = 7}), "a.yaml:3:7");
  EXPECT_EQ(to_string(Place{.file = "a.yaml", .line = 3}), "a.yaml:3");
  EXPECT_EQ(to_string(Place{.file = "a.yaml"}), "a.yaml");
  EXPECT_EQ(to_string(Place{.file = "", .line = 3, .column = 7}), "3:7");
  EXPECT_EQ(to_string(Place{}), "");
}

TEST(Error, IsPrintedWithPlaceCodeAndRemedy) {
  const Error error = make_error(ErrorKind::usage, "policy.unknown_key", "key `alow` is not known",
                                 "did you mean `allow`?", Place{"p.yaml", 2, 5});
  EXPECT_EQ(to_string(error),
            "p.yaml:2:5: key `alow` is not known [policy.unknown_key]\n  did you mean `allow`?");
}

TEST(Error, PrintsEveryMistakeInOrder) {
  Error error = make_error(ErrorKind::usage, "a.b", "first");
  error.diagnostics.push_back(Diagnostic{"c.d", "second", "", Place{}});
  EXPECT_EQ(to_string(error), "first [a.b]\nsecond [c.d]");
}

TEST(Error, NeverPrintsControlCharacters) {
  const Error error =
      make_error(ErrorKind::usage, "a.b", "bad\x1B[2J", "line\nbreak", Place{"a\u202Eb", 1, 1});
  EXPECT_EQ(to_string(error), "a\\u{202e}b:1:1: bad\\x1b[2J [a.b]\n  line\\nbreak");
}

TEST(Error, MistakesAreSortedByPlaceAndKeepTheirOrderThere) {
  std::vector<Diagnostic> mistakes = {
      {"a", "", "", Place{"f", 2, 1}}, {"b", "", "", Place{"f", 1, 9}},
      {"c", "", "", Place{"f", 2, 1}}, {"d", "", "", Place{"f", 1, 10}},
      {"e", "", "", Place{"f", 2, 1}}, {"g", "", "", Place{}},
  };
  sort_by_place(mistakes);
  std::string order;
  for (const Diagnostic& each : mistakes) {
    order += each.code;
  }
  EXPECT_EQ(order, "gbdace");
}

Result<int> half(int value) {
  if (value % 2 != 0) {
    return fail(ErrorKind::failed, "test.odd", "value is odd");
  }
  return value / 2;
}

Result<int> quarter(int value) {
  RGX_TRY(const int halved, half(value));
  return half(halved);
}

Status check_even(int value) {
  RGX_TRY_STATUS(half(value));
  return {};
}

TEST(Result, TryReturnsTheErrorOrGoesOn) {
  EXPECT_EQ(quarter(8), 2);
  ASSERT_FALSE(quarter(6).has_value());
  EXPECT_EQ(quarter(6).error().first().code, "test.odd");
  EXPECT_EQ(quarter(6).error().kind, ErrorKind::failed);
  EXPECT_TRUE(check_even(2).has_value());
  EXPECT_FALSE(check_even(3).has_value());
}

}  // namespace
}  // namespace rgx
