#include <cstdio>
#include <utility>

#include "audit/storage_posix.h"
#include "audit/verifier.h"

// check_ledger LEDGER KEY: prints the verdict; exits with 0 for VERIFIED.

namespace {

rgx::Result<rgx::audit::Verdict> check(const char* ledger, const char* key) {
  rgx::audit::VerifyOptions options;
  RGX_TRY(options.root_key, rgx::audit::load_root_key(key));
  RGX_TRY(const auto storage, rgx::audit::open_storage(ledger, rgx::audit::OpenMode::read));
  return rgx::audit::verify_ledger(*storage, options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  const auto verdict = check(argv[1], argv[2]);
  if (!verdict) {
    std::fprintf(stderr, "%s\n", rgx::to_string(verdict.error()).c_str());
    return 2;
  }
  std::printf("%s\n", std::string(rgx::audit::to_string(verdict->kind)).c_str());
  return verdict->kind == rgx::audit::VerdictKind::verified ? 0 : 1;
}
