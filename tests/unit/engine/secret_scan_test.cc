#include "engine/secret_scan.h"

#include <gtest/gtest.h>

namespace rgx::engine {
namespace {

// Every secret is put together here, so that no scanner takes this file for a leak.
std::string joined(std::string_view head, std::string_view rest) {
  return std::string(head) + std::string(rest);
}

std::string kind_of(std::string_view text) {
  const auto found = find_secrets(text);
  return found.empty() ? "" : found.front().kind;
}

constexpr std::string_view kLong = "q7Zk2Lm9Xc4Vb1Nf8Rt5Yw3Hp6Jd0GsAeUiBoTz";

TEST(SecretScan, KnowsWellKnownFormats) {
  const std::string value(kLong);
  EXPECT_EQ(kind_of(joined("gh", "p_") + value.substr(0, 36)), "github_token");
  EXPECT_EQ(kind_of(joined("AK", "IAQ7ZK2LM4XC4VB2NF")), "aws_access_key");
  EXPECT_EQ(kind_of(joined("glp", "at-") + value.substr(0, 20)), "gitlab_token");
  EXPECT_EQ(kind_of(joined("AI", "za") + value.substr(0, 35)), "google_api_key");
  EXPECT_EQ(kind_of(joined("np", "m_") + value.substr(0, 36)), "npm_token");
  EXPECT_EQ(kind_of(joined("sk-", "ant-") + value), "anthropic_key");
  EXPECT_EQ(kind_of(joined("sk-", "proj-") + value + value), "openai_key");
  EXPECT_EQ(kind_of(joined("xo", "xb-") + value), "slack_token");
  EXPECT_EQ(kind_of(joined("sk_", "live_") + value), "stripe_key");
  EXPECT_EQ(kind_of(joined("ey", "J") + value + ".eyJ" + value + "." + value), "jwt");
  EXPECT_EQ(kind_of("postgres://app:" + value.substr(0, 12) + "@db/x"), "url_password");
  EXPECT_EQ(kind_of(joined("-----BEGIN ", "RSA PRIVATE KEY-----\nMIIE\n")), "private_key");
}

TEST(SecretScan, RandomValuesOfTellingNamesCount) {
  const std::string value(kLong.substr(0, 24));
  EXPECT_EQ(kind_of("db_password = \"" + value + "\""), "assigned_secret");
  EXPECT_EQ(kind_of("{\"apiKey\": \"" + value + "\"}"), "assigned_secret");
  EXPECT_EQ(kind_of("title = \"" + value + "\""), "");
  EXPECT_EQ(kind_of("password = \"correct-horse-battery\""), "");
  EXPECT_EQ(kind_of("password = \"aaaaaaaaaaaaaaaaaaaaaaa1\""), "");
  EXPECT_EQ(kind_of("token: \"${GITHUB_TOKEN_OF_CI_1}\""), "");
}

TEST(SecretScan, TellsLineAndMarkButNotTheSecret) {
  const std::string secret = joined("gh", "p_") + std::string(kLong.substr(0, 36));
  const auto found = find_secrets("a\r\nb " + secret + "\nc " + secret + "\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].line, 3);
  EXPECT_EQ(found[0].mark, found[1].mark);
  EXPECT_EQ(found[0].mark.size(), 12U);
  EXPECT_EQ(secret.find(found[0].mark), std::string::npos);
}

TEST(SecretScan, RedactsWholeSecrets) {
  const std::string secret = joined("gh", "p_") + std::string(kLong.substr(0, 36));
  EXPECT_EQ(redact_secrets("token " + secret + " of ci"), "token [github_token] of ci");
  const std::string key =
      joined("-----BEGIN ", "PRIVATE KEY-----\nTUlJRXZnSUJBREFO\nQmdrcWhraUc5dzBC\n");
  EXPECT_EQ(redact_secrets("x\n" + key + "-----END"), "x\n[private_key]-----END");
  EXPECT_EQ(redact_secrets("nothing here\n"), "nothing here\n");
}

TEST(SecretScan, AnyBytesAreTaken) {
  EXPECT_TRUE(find_secrets("").empty());
  using namespace std::string_view_literals;
  EXPECT_TRUE(find_secrets("\0\xff\xfe password=\"\xff\xff\""sv).empty());
}

}  // namespace
}  // namespace rgx::engine
