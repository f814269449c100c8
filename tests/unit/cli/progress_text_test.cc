#include "cli/progress_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace rgx::cli {
namespace {

TEST(ProgressText, Ages) {
  EXPECT_EQ(format_age(-5), "0s");
  EXPECT_EQ(format_age(999), "0s");
  EXPECT_EQ(format_age(59'999), "59s");
  EXPECT_EQ(format_age(60'000), "1m00s");
  EXPECT_EQ(format_age(3'599'999), "59m59s");
  EXPECT_EQ(format_age(3'600'000), "1h00m");
  EXPECT_EQ(format_age(86'400'000 + 4 * 3'600'000), "1d04h");
  EXPECT_EQ(format_wall(340), "340ms");
  EXPECT_EQ(format_wall(1000), "1s");
  EXPECT_EQ(format_ago(13 * 60'000 + 59'000), "13m ago");
  EXPECT_EQ(format_ago(7 * 86'400'000LL), "7d ago");
  EXPECT_EQ(spoken_age(0), "less than a second");
  EXPECT_EQ(spoken_age(61'000), "1 minute 1 second");
  EXPECT_EQ(spoken_age(2 * 3'600'000 + 60'000), "2 hours 1 minute");
}

TEST(ProgressText, Amounts) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1 kB");
  EXPECT_EQ(format_bytes(1'250'000), "1.2 MB");
  EXPECT_EQ(format_bytes(80'400), "80 kB");
  EXPECT_EQ(format_bytes(std::numeric_limits<std::int64_t>::max()), "9223372 TB");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1900), "1.9k");
  EXPECT_EQ(format_count(18'400), "18k");
  EXPECT_EQ(format_count(2'000'000), "2M");
}

TEST(ProgressText, Meters) {
  EXPECT_EQ(format_meter({.name = "tokens", .spent = 18'400, .reserved = 0, .limit = 60'000}),
            "tokens 18k/60k");
  EXPECT_EQ(format_meter({.name = "tokens", .spent = 0, .reserved = 500, .limit = 600}),
            "tokens 0+500/600");
  EXPECT_EQ(format_meter(
                {.name = "cost_usd_micros", .spent = 420'000, .reserved = 0, .limit = 2'000'000}),
            "USD 0.42/2.00");
  EXPECT_EQ(format_meter({.name = "wall_ms", .spent = 61'000, .reserved = 0, .limit = 900'000}),
            "time 1m01s/15m00s");
  EXPECT_EQ(format_meter({.name = "x\x1b", .spent = 1, .reserved = 0, .limit = 2}), "x\\x1b 1/2");
}

TEST(ProgressText, NearlySpentCountsReservations) {
  EXPECT_FALSE(is_nearly_spent({.name = "", .spent = 79, .reserved = 0, .limit = 100}));
  EXPECT_TRUE(is_nearly_spent({.name = "", .spent = 80, .reserved = 0, .limit = 100}));
  EXPECT_TRUE(is_nearly_spent({.name = "", .spent = 50, .reserved = 30, .limit = 100}));
  EXPECT_FALSE(is_nearly_spent({.name = "", .spent = 0, .reserved = 0, .limit = 0}));
}

TEST(ProgressText, Digests) {
  const SymbolSet& ascii = symbol_set(Symbols::ascii);
  EXPECT_EQ(short_digest("sha256:9c1e0000000040d2", ascii), "9c1e...40d2");
  EXPECT_EQ(short_digest("abc", ascii), "abc");
  EXPECT_EQ(short_digest("sha256:\x1b[2J0000000040d2", ascii), "\\x1b[2J...40d2");
}

TEST(ProgressText, TailsAreTheLastLinesThatSayAnything) {
  EXPECT_EQ(tail_lines("one\ntwo\n\n  \r\nthree\r\n", 2, 100),
            (std::vector<std::string>{"two", "three"}));
  EXPECT_TRUE(tail_lines("", 3, 100).empty());
  EXPECT_TRUE(tail_lines("\n\n", 3, 100).empty());
  EXPECT_EQ(tail_lines("a\tb", 1, 100), std::vector<std::string>{"a    b"});
  EXPECT_EQ(tail_lines("\x1b]0;x\x07", 1, 100), std::vector<std::string>{"\\x1b]0;x\\x07"});
}

TEST(ProgressText, LongTailLinesAreCutBetweenCharacters) {
  EXPECT_EQ(tail_lines("abcdef", 1, 4), std::vector<std::string>{"abcd ..."});
  EXPECT_EQ(tail_lines("ab依赖", 1, 4), std::vector<std::string>{"ab ..."});
  EXPECT_EQ(tail_lines("ab依赖", 1, 5), std::vector<std::string>{"ab依 ..."});
  // Broken bytes end the search for a boundary; they are shown one by one.
  EXPECT_EQ(tail_lines("\x80\x80\x80\x80\x80\x80", 1, 5),
            std::vector<std::string>{"\\x80\\x80 ..."});
}

}  // namespace
}  // namespace rgx::cli
