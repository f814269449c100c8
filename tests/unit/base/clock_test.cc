#include "base/clock.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rgx {
namespace {

using test::refused;

TEST(Time, IsFormattedInUtcWithMilliseconds) {
  const std::vector<std::pair<std::int64_t, std::string>> cases = {
      {0, "1970-01-01T00:00:00.000Z"},
      {1, "1970-01-01T00:00:00.001Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {951'782'400'000, "2000-02-29T00:00:00.000Z"},
      {1'796'083'200'000, "2026-12-01T00:00:00.000Z"},
      {4'107'542'399'999, "2100-02-28T23:59:59.999Z"},
      {4'107'542'400'000, "2100-03-01T00:00:00.000Z"},
      {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
      {-62'167'219'200'000, "0000-01-01T00:00:00.000Z"},
  };
  for (const auto& [ms, text] : cases) {
    EXPECT_EQ(format_time(ms), text);
    EXPECT_EQ(parse_time(text), ms);
  }
}

TEST(Time, ExtremesAreFormattedWithoutOverflow) {
  EXPECT_EQ(format_time(std::numeric_limits<std::int64_t>::max()), "292278994-08-17T07:12:55.807Z");
  EXPECT_EQ(format_time(std::numeric_limits<std::int64_t>::min()),
            "-292275055-05-16T16:47:04.192Z");
}

TEST(Time, EveryDayOfFourCenturiesReadsBack) {
  std::int64_t days = std::int64_t{-12} * 366;
  for (int count = 0; count < 146'097; ++count, ++days) {
    const std::int64_t ms = days * 86'400'000 + 45'296'007;
    ASSERT_EQ(parse_time(format_time(ms)), ms) << days;
  }
}

TEST(Time, ReadsDatesAndWholeSeconds) {
  EXPECT_EQ(parse_time("2026-12-01"), 1'796'083'200'000);
  EXPECT_EQ(parse_time("2026-12-01T00:00:01Z"), 1'796'083'201'000);
}

TEST(Time, RefusesEverythingElse) {
  for (const char* bad : {"",
                          "2026",
                          "2026-12",
                          "2026-13-01",
                          "2026-00-01",
                          "2026-02-29",
                          "2100-02-29",
                          "2026-04-31",
                          "2026-12-01T24:00:00Z",
                          "2026-12-01T00:60:00Z",
                          "2026-12-01T00:00:60Z",
                          "2026-12-01T00:00:00",
                          "2026-12-01T00:00:00+00:00",
                          "2026-12-01T00:00:00.1Z",
                          "2026-12-01T00:00:00.0000Z",
                          "2026-12-01 00:00:00Z",
                          "2026-12-01t00:00:00z",
                          " 2026-12-01",
                          "2026-12-01 ",
                          "2026-12-01Z",
                          "+026-12-01",
                          "2026-1-01",
                          "2026-12-1"}) {
    EXPECT_TRUE(refused(parse_time(bad), "time.syntax", "is no date or time")) << bad;
  }
}

}  // namespace
}  // namespace rgx
