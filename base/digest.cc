#include "base/digest.h"

#include <openssl/evp.h>

#include "base/canonical.h"
#include "base/check.h"

namespace rgx {

namespace {

constexpr std::string_view kPrefix = "sha256:";

/// Fetched once: a fetch per digest would cost more than hashing a record does.
const EVP_MD* sha256() {
  static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  RGX_CHECK(kAlgorithm != nullptr);
  return kAlgorithm;
}

Hasher& thread_hasher() {
  thread_local Hasher hasher;
  return hasher;
}

}  // namespace

struct Hasher::Context {
  EVP_MD_CTX* evp = nullptr;

  Context() : evp(EVP_MD_CTX_new()) {
    RGX_CHECK(evp != nullptr);
    RGX_CHECK(EVP_DigestInit_ex2(evp, sha256(), nullptr) == 1);
  }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Hasher::Hasher() : context_(std::make_unique<Context>()) {}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::update(std::string_view bytes) {
  RGX_CHECK(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1);
}

Digest Hasher::finish() {
  Digest::Array bytes{};
  unsigned int size = 0;
  RGX_CHECK(EVP_DigestFinal_ex(context_->evp, bytes.data(), &size) == 1);
  RGX_CHECK(size == Digest::kSize);
  RGX_CHECK(EVP_DigestInit_ex2(context_->evp, nullptr, nullptr) == 1);
  return Digest(bytes);
}

std::string Digest::hex() const {
  return to_hex(bytes_);
}

std::string Digest::to_string() const {
  return std::string(kPrefix) + hex();
}

Result<Digest> Digest::parse(std::string_view text) {
  if (!text.starts_with(kPrefix)) {
    return fail(ErrorKind::usage, "digest.syntax", "digest does not start with `sha256:`",
                "write `sha256:` and 64 lower-case hex digits");
  }
  return parse_hex(text.substr(kPrefix.size()));
}

Result<Digest> Digest::parse_hex(std::string_view text) {
  const auto bytes = text.size() == 2 * kSize ? from_hex(text) : Result<std::string>("");
  if (!bytes || bytes->size() != kSize) {
    return fail(ErrorKind::usage, "digest.syntax", "digest is not 64 lower-case hex digits",
                "copy the whole digest");
  }
  Array array{};
  for (std::size_t index = 0; index < kSize; ++index) {
    array[index] = static_cast<std::uint8_t>((*bytes)[index]);
  }
  return Digest(array);
}

Digest digest_bytes(std::string_view bytes) {
  Hasher& hasher = thread_hasher();
  hasher.update(bytes);
  return hasher.finish();
}

Digest digest_domain(std::string_view domain, std::string_view bytes) {
  RGX_CHECK(!domain.empty());
  RGX_CHECK(domain.find('\0') == std::string_view::npos);
  Hasher& hasher = thread_hasher();
  hasher.update(domain);
  hasher.update(std::string_view("\0", 1));
  hasher.update(bytes);
  return hasher.finish();
}

Digest digest_of(std::string_view domain, const Json& value) {
  return digest_domain(domain, canonical(value));
}

}  // namespace rgx
