#include "base/yaml/scalar.h"

#include <gtest/gtest.h>

namespace rgx::yaml {
namespace {

TEST(PlainScalar, StringsAreWhatNoReaderTakesForAnythingElse) {
  for (const char* text :
       {"a",           "src/a.c", "1.2.3", "1a",    "0abc",  "12ab",      "a1",  "-",
        "--",          "-a",      "+",     ".",     "..",    ".a",        "1-2", "2026-12",
        "2026-12-01x", "12:ab",   "1:2:",  "e3",    "1e",    "1e+",       "0x",  "0xg",
        "0o8",         "0b2",     "nully", "truey", "yess",  "none",      "inf", "nan",
        "x.inf",       "v1",      "1,000", "10%",   "1 000", "127.0.0.1", "::1", "12:345",
        "==",          "~a",      "y",     "n",     "Y",     "N"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::string) << text;
  }
}

TEST(PlainScalar, BooleansAreTwoWords) {
  EXPECT_EQ(classify_plain("true").kind, PlainKind::boolean);
  EXPECT_EQ(classify_plain("false").kind, PlainKind::boolean);
  for (const char* text : {"True", "TRUE", "tRue", "False", "yes", "Yes", "YES", "no", "No", "on",
                           "On", "off", "OFF"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::ambiguous) << text;
    EXPECT_EQ(classify_plain(text).reading, "a boolean") << text;
  }
}

TEST(PlainScalar, NullHasFourSpellingsAndMoreCases) {
  for (const char* text : {"", "~", "null", "Null", "NULL", "nULL"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::null) << text;
  }
}

TEST(PlainScalar, IntegersAreCanonicalDecimals) {
  for (const char* text : {"0", "1", "-1", "42", "9007199254740991", "-9007199254740991"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::integer) << text;
  }
  for (const char* text : {"9007199254740992", "-9007199254740992", "10000000000000000"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::out_of_range) << text;
  }
}

TEST(PlainScalar, OtherNumbersAreAmbiguous) {
  for (const char* text :
       {"017",         "00",   "-0",   "+0",    "+5",       "-017",    "0x1f",      "0X1F",
        "0xdead_beef", "0o17", "0O7",  "0b1",   "1_000",    "1_",      "1.0",       "1.",
        "-1.5",        ".5",   "-.5",  "1e3",   "1E+3",     "1.5e-3",  ".inf",      "-.inf",
        "+.Inf",       ".nan", ".NaN", "12:30", "12:30:45", "1:2:3.5", "190:20:30", "1_0.5_0"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::ambiguous) << text;
    EXPECT_EQ(classify_plain(text).reading, "a number") << text;
  }
}

TEST(PlainScalar, DatesAreAmbiguous) {
  for (const char* text : {"2026-12-01", "2026-1-1", "2026-12-01T00:00:00Z", "2026-12-01t1",
                           "2026-12-01 00:00:00", "2026-12-01  1"}) {
    EXPECT_EQ(classify_plain(text).kind, PlainKind::ambiguous) << text;
    EXPECT_EQ(classify_plain(text).reading, "a date") << text;
  }
}

}  // namespace
}  // namespace rgx::yaml
