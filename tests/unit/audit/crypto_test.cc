#include "audit/crypto.h"

#include "base/check.h"
#include "base/json.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::audit::test {
namespace {

using rgx::test::refused;

std::string unhex(std::string_view hex) {
  const Result<std::string> bytes = from_hex(hex);
  RGX_CHECK(bytes.has_value());
  return *bytes;
}

std::string hex(std::string_view bytes) {
  return to_hex(as_bytes(bytes));
}

std::string hkdf(std::string_view key, std::string_view salt, std::string_view info,
                 std::size_t size) {
  std::vector<std::uint8_t> out(size);
  hkdf_sha256(as_bytes(key), as_bytes(salt), as_bytes(info), out);
  return to_hex(out);
}

std::string hmac(std::string_view key, std::string_view message) {
  return hmac_sha256(as_bytes(key), as_bytes(message)).hex();
}

const std::string& member(const Json& value, std::string_view key) {
  const Json* found = value.find(key);
  RGX_CHECK(found != nullptr);
  return found->as_string();
}

/// Every test of a Wycheproof file with its group.
template <class Check>
void for_each_test(const std::filesystem::path& file, Check check) {
  const Result<Json> vectors = parse_json(rgx::test::read_file(file), file.string());
  ASSERT_TRUE(vectors.has_value()) << to_string(vectors.error());
  std::int64_t count = 0;
  for (const Json& group : vectors->find("testGroups")->as_array()) {
    for (const Json& test : group.find("tests")->as_array()) {
      SCOPED_TRACE("tcId " + std::to_string(test.find("tcId")->as_integer()));
      check(group, test);
      ++count;
    }
  }
  EXPECT_EQ(count, vectors->find("numberOfTests")->as_integer());
}

TEST(Hmac, MatchesRfc4231) {
  EXPECT_EQ(hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(
      hmac(unhex("0102030405060708090a0b0c0d0e0f10111213141516171819"), std::string(50, '\xcd')),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  EXPECT_EQ(
      hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(hmac(std::string(131, '\xaa'),
                 "This is a test using a larger than block-size key and a larger than "
                 "block-size data. The key needs to be hashed before being used by the HMAC "
                 "algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Hmac, MatchesWycheproof) {
  RGX_REQUIRE_VECTORS(file, "vectors/wycheproof/hmac_sha256_test.json");
  for_each_test(file, [](const Json& group, const Json& test) {
    const auto digits = static_cast<std::size_t>(group.find("tagSize")->as_integer() / 4);
    const std::string tag =
        hmac(unhex(member(test, "key")), unhex(member(test, "msg"))).substr(0, digits);
    EXPECT_EQ(tag == member(test, "tag"), member(test, "result") == "valid");
  });
}

TEST(Hkdf, MatchesRfc5869) {
  EXPECT_EQ(hkdf(std::string(22, '\x0b'), unhex("000102030405060708090a0b0c"),
                 unhex("f0f1f2f3f4f5f6f7f8f9"), 42),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  std::string key;
  std::string salt;
  std::string info;
  for (int i = 0; i < 80; ++i) {
    key += static_cast<char>(i);
    salt += static_cast<char>(0x60 + i);
    info += static_cast<char>(0xb0 + i);
  }
  EXPECT_EQ(hkdf(key, salt, info, 82),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
            "cc30c58179ec3e87c14c01d5c1f3434f1d87");
  EXPECT_EQ(hkdf(std::string(22, '\x0b'), "", "", 42),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            "9d201395faa4b61a96c8");
}

TEST(Hkdf, MatchesWycheproof) {
  RGX_REQUIRE_VECTORS(file, "vectors/wycheproof/hkdf_sha256_test.json");
  for_each_test(file, [](const Json&, const Json& test) {
    const auto size = static_cast<std::size_t>(test.find("size")->as_integer());
    if (member(test, "result") == "invalid") {
      EXPECT_GT(size, 255U * 32U);  // the only invalid ones: more than HKDF can give
      return;
    }
    EXPECT_EQ(hkdf(unhex(member(test, "ikm")), unhex(member(test, "salt")),
                   unhex(member(test, "info")), size),
              member(test, "okm"));
  });
}

struct SignatureVector {
  std::string_view seed;
  std::string_view public_key;
  std::string_view message;
  std::string_view signature;
};
constexpr SignatureVector kRfc8032[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
     "46bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
     "d8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc"
     "6594a7c15e9716ed28dc027beceea1ec40a"},
};

TEST(Ed25519, MatchesRfc8032) {
  for (const SignatureVector& vector : kRfc8032) {
    const SecretKey seed(unhex(vector.seed));
    const std::string message = unhex(vector.message);
    EXPECT_EQ(hex(ed25519_public_key(seed)), vector.public_key);
    EXPECT_EQ(hex(ed25519_sign(seed, as_bytes(message))), vector.signature);
    EXPECT_TRUE(
        ed25519_verify(unhex(vector.public_key), as_bytes(message), unhex(vector.signature)));
    EXPECT_FALSE(
        ed25519_verify(unhex(vector.public_key), as_bytes(message + "x"), unhex(vector.signature)));
  }
}

TEST(Ed25519, MatchesWycheproof) {
  RGX_REQUIRE_VECTORS(file, "vectors/wycheproof/ed25519_test.json");
  for_each_test(file, [](const Json& group, const Json& test) {
    const std::string key = unhex(member(*group.find("publicKey"), "pk"));
    const std::string message = unhex(member(test, "msg"));
    EXPECT_EQ(ed25519_verify(key, as_bytes(message), unhex(member(test, "sig"))),
              member(test, "result") == "valid")
        << member(test, "comment");
  });
}

TEST(Ed25519, KeysAndSignaturesOfAnotherLengthDoNotVerify) {
  const SecretKey seed(unhex(kRfc8032[0].seed));
  const std::string key = ed25519_public_key(seed);
  const std::string signature = ed25519_sign(seed, {});
  EXPECT_TRUE(ed25519_verify(key, {}, signature));
  EXPECT_FALSE(ed25519_verify(key.substr(1), {}, signature));
  EXPECT_FALSE(ed25519_verify(key + "x", {}, signature));
  EXPECT_FALSE(ed25519_verify(key, {}, signature.substr(1)));
  EXPECT_FALSE(ed25519_verify(key, {}, signature + "x"));
  EXPECT_FALSE(ed25519_verify({}, {}, {}));
}

TEST(PublicKey, TextHasOneSpelling) {
  const std::string raw = unhex(kRfc8032[0].public_key);
  const std::string text = public_key_text(raw);
  EXPECT_EQ(text, "ed25519:MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
  EXPECT_EQ(parse_public_key(text), raw);
  for (const std::string& other : {
           std::string(),
           std::string("ed25519:"),
           text.substr(8),
           "Ed25519:" + text.substr(8),
           text + "=",
           text + "\n",
           " " + text,
           text.substr(0, text.size() - 1),
           "ed25519:" + to_base64(as_bytes(raw)),
           // other bits below the padding
           text.substr(0, text.size() - 2) + "p=",
           // X25519 instead of Ed25519
           "ed25519:" + to_base64(as_bytes(unhex("302a300506032b656e032100") + raw)),
       }) {
    EXPECT_TRUE(
        refused(parse_public_key(other), "signature.public_key", "not an Ed25519 public key"))
        << other;
  }
}

// Scenario 31: the lengths of the encoding count bytes, not characters.
TEST(PreAuthentication, Scenario31LengthsAreInBytes) {
  EXPECT_EQ(pre_authentication("http://example.com/HelloWorld", "hello world"),
            "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  EXPECT_EQ(pre_authentication("", ""), "DSSEv1 0  0 ");
  EXPECT_EQ(pre_authentication("t\xc3\xa4", "\xe2\x82\xac"), "DSSEv1 3 t\xc3\xa4 3 \xe2\x82\xac");
}

TEST(Authenticator, IsHmacOfTheEncodingForEveryMessage) {
  const RootKey root = root_key();
  Authenticator authenticator(root.secret);
  for (const std::string_view message : {"", "a", "", "longer message", "a"}) {
    const std::string encoding = pre_authentication("type", message);
    EXPECT_EQ(authenticator.mac("type", message),
              hmac_sha256(root.secret.bytes(), as_bytes(encoding)));
  }
}

TEST(Authenticator, TypesAndKeysSeparate) {
  Authenticator first(root_key("a").secret);
  Authenticator second(root_key("b").secret);
  EXPECT_NE(first.mac("t", "m"), second.mac("t", "m"));
  EXPECT_NE(first.mac("t", "m"), first.mac("u", "m"));
  EXPECT_TRUE(equal_constant_time(first.mac("t", "m"), first.mac("t", "m")));
  EXPECT_FALSE(equal_constant_time(first.mac("t", "m"), first.mac("t", "n")));
}

}  // namespace
}  // namespace rgx::audit::test
