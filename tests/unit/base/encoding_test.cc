#include "base/digest.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rgx {
namespace {

using test::refused;

TEST(Hex, IsLowerCaseAndReadsBack) {
  EXPECT_EQ(to_hex(as_bytes("\x01\xAB\xFF")), "01abff");
  EXPECT_EQ(from_hex("01abff"), "\x01\xAB\xFF");
  EXPECT_EQ(to_hex({}), "");
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, IsStrict) {
  EXPECT_TRUE(refused(from_hex("abc"), "hex.syntax", "odd number of digits"));
  EXPECT_TRUE(refused(from_hex("AB"), "hex.syntax", "at byte 0"));
  EXPECT_TRUE(refused(from_hex("aB"), "hex.syntax", "at byte 1"));
  EXPECT_TRUE(refused(from_hex("0x"), "hex.syntax", "at byte 1"));
  EXPECT_TRUE(refused(from_hex("0 "), "hex.syntax", "at byte 1"));
}

TEST(Base64, GivesTheVectorsOfRfc4648) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFB\xFF\xFE", "+//+"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(to_base64(as_bytes(bytes)), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, RefusesEverySecondFormOfTheSameBytes) {
  for (const char* bad : {"Zg", "Zg=", "Zh==", "Zm9=", "Zg===", "Zg==Zg==", "Zm9v\n", " Zm9v",
                          "Zm9-", "Zm9_", "====", "Z===", "=Zg=", "Zm9v====", "Z g="}) {
    EXPECT_TRUE(refused(from_base64(bad), "base64.syntax", "base64 text")) << bad;
  }
  EXPECT_TRUE(refused(from_base64("Zh=="), "base64.syntax", "unused bits"));
}

TEST(Base64, EveryByteReadsBackAtEveryOffset) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all.push_back(static_cast<char>(byte));
  }
  for (std::size_t start = 0; start < 4; ++start) {
    const std::string part = all.substr(start);
    EXPECT_EQ(from_base64(to_base64(as_bytes(part))), part);
    EXPECT_EQ(from_hex(to_hex(as_bytes(part))), part);
  }
}

}  // namespace
}  // namespace rgx
