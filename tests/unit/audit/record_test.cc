#include "audit/record.h"

#include "audit/ledger_format.h"
#include "base/canonical.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rgx::audit::test {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

Record example() {
  return {std::string(kLogId),
          7,
          digest_bytes("before"),
          0,
          "0123456789abcdef",
          RecordType::step_skipped,
          Json::object({{"because", "no reason"}, {"step", "test"}}),
          Json::object({{"host", "build-7"},
                        {"monotonic_ms", 12},
                        {"pid", 4711},
                        {"time", "2026-01-01T00:00:00.000Z"}})};
}

/// Bytes of the example with one member changed.
std::string with(std::string_view key, Json value) {
  Json json = *parse_json(record_bytes(example()));
  json.set(key, std::move(value));
  return canonical(json);
}

std::string without(const std::string& key) {
  Json json = *parse_json(record_bytes(example()));
  json.as_object().erase(key);
  return canonical(json);
}

TEST(Record, BytesAreCanonicalJsonOfAllMembers) {
  EXPECT_EQ(record_bytes(example()),
            R"({"body":{"because":"no reason","step":"test"},)"
            R"("env":{"host":"build-7","monotonic_ms":12,"pid":4711,)"
            R"("time":"2026-01-01T00:00:00.000Z"},"epoch":0,"kid":"0123456789abcdef",)"
            R"("log_id":"00112233445566778899aabbccddeeff","prev":")" +
                digest_bytes("before").to_string() + R"(","seq":7,"type":"step_skipped","v":1})");
}

TEST(Record, ParsesWhatItWrites) {
  const Result<Record> parsed = parse_record(record_bytes(example()));
  ASSERT_TRUE(accepted(parsed));
  EXPECT_EQ(*parsed, example());
}

TEST(Record, LeafHashIsSha256OfAZeroByteAndTheRecord) {
  EXPECT_EQ(leaf_hash("record"), digest_bytes(std::string("\0record", 7)));
  EXPECT_EQ(leaf_hash(""), digest_bytes(std::string(1, '\0')));
  // twice: the hasher of before leaves nothing behind
  EXPECT_EQ(leaf_hash("record"), digest_bytes(std::string("\0record", 7)));
}

// Scenario 29: what is verified is what is parsed, so other spellings do not exist.
TEST(Record, Scenario29OtherSpellingsAreRefused) {
  const std::string bytes = record_bytes(example());
  EXPECT_TRUE(refused(parse_record(" " + bytes), "json.not_canonical", "canonical"));
  EXPECT_TRUE(refused(parse_record(bytes + "\n"), "json.not_canonical", "canonical"));
  EXPECT_TRUE(refused(parse_record(bytes + "{}"), "json.syntax", "record"));
  std::string twice = bytes;
  twice.insert(1, R"("body":{},)");
  EXPECT_TRUE(refused(parse_record(twice), "json.duplicate_key", "body"));
  std::string escaped = bytes;
  escaped.replace(escaped.find("build-7"), 7, "\\u0062uild-7");
  EXPECT_TRUE(refused(parse_record(escaped), "json.not_canonical", "canonical"));
}

// Scenario 30.
TEST(Record, Scenario30NumbersThatJcsDoesNotKnowAreRefused) {
  const std::string bytes = record_bytes(example());
  for (const std::string_view number : {"-0", "7.0", "7e0", "1e400", "9007199254740993", "07"}) {
    std::string changed = bytes;
    changed.replace(changed.find("\"seq\":7") + 6, 1, number);
    EXPECT_FALSE(parse_record(changed).has_value()) << number;
  }
  std::string surrogate = bytes;
  surrogate.replace(surrogate.find("build-7"), 7, "\\ud800");
  EXPECT_FALSE(parse_record(surrogate).has_value());
}

// Scenario 27: the algorithm follows from the version, and the version is known.
TEST(Record, Scenario27UnknownVersionsAndAlgorithmsAreRefused) {
  EXPECT_TRUE(refused(parse_record(with("v", 2)), "ledger.version",
                      "version 2, which this rgx does not know"));
  EXPECT_TRUE(refused(parse_record(with("v", 0)), "ledger.version", "version 0"));
  EXPECT_TRUE(refused(parse_record(with("alg", "none")), "json.unknown_member", "alg"));
}

TEST(Record, EveryMemberIsNeeded) {
  for (const char* key : {"body", "env", "epoch", "kid", "log_id", "prev", "seq", "type", "v"}) {
    EXPECT_TRUE(refused(parse_record(without(key)), "json.missing_member", key));
  }
}

TEST(Record, MembersHaveTheirForms) {
  EXPECT_TRUE(refused(parse_record(with("kid", "0123456789ABCDEF")), "ledger.record",
                      "must be 16 lower-case hex digits"));
  EXPECT_TRUE(refused(parse_record(with("log_id", "00")), "ledger.record",
                      "must be 32 lower-case hex digits"));
  EXPECT_TRUE(refused(parse_record(with("prev", "sha256:00")), "ledger.record", "sha256:"));
  EXPECT_TRUE(refused(parse_record(with("seq", -1)), "json.range", "seq"));
  EXPECT_TRUE(refused(parse_record(with("epoch", std::int64_t{1} << 32)), "json.range", "epoch"));
  EXPECT_TRUE(refused(parse_record(with("type", "step_done")), "ledger.record_type",
                      "unknown kind of record `step_done`"));
  EXPECT_TRUE(refused(parse_record(with("body", Json())), "json.type", "body"));
  EXPECT_TRUE(refused(parse_record(with("env", Json::array())), "json.type", "env"));
}

TEST(Record, EnvironmentIsClosed) {
  Json env = example().env;
  env.set("user", "ada");
  EXPECT_TRUE(refused(parse_record(with("env", env)), "json.unknown_member", "user"));
  env = example().env;
  env.set("time", "2026-01-01");
  EXPECT_TRUE(refused(parse_record(with("env", env)), "ledger.record", "UTC time"));
  env = example().env;
  env.as_object().erase("pid");
  EXPECT_TRUE(refused(parse_record(with("env", env)), "json.missing_member", "pid"));
}

TEST(Record, DepthAndSizeAreLimited) {
  Json deep;
  for (int i = 0; i < 100; ++i) {
    deep = Json::array({deep});
  }
  EXPECT_TRUE(
      refused(parse_record(with("body", Json::object({{"deep", deep}}))), "json.too_deep", "64"));
  const std::string large(kRecordBytesMax, 'x');
  EXPECT_TRUE(
      refused(parse_record(with("body", Json::object({{"large", large}}))), "json.too_large", "1"));
}

TEST(RecordType, NamesAreReadBack) {
  for (int number = 0; number <= static_cast<int>(RecordType::pruned); ++number) {
    const auto type = static_cast<RecordType>(number);
    const Result<RecordType> read = record_type(to_string(type));
    ASSERT_TRUE(accepted(read));
    EXPECT_EQ(*read, type);
  }
  EXPECT_TRUE(refused(record_type("Genesis"), "ledger.record_type", "`Genesis`"));
}

}  // namespace
}  // namespace rgx::audit::test
