#include "cli/trust.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/files.h"

namespace rgx::cli {
namespace {

constexpr std::string_view kHead =
    "# Policies of repositories that count before they are committed. Written by rgx init and by\n"
    "# rgx policy trust.\n";

Result<std::string> read_list(const std::string& trust_file) {
  if (!exists(trust_file)) {
    return std::string();
  }
  return read_file(
      {.path = trust_file, .bytes_max = kTrustBytesMax, .ownership = Ownership::root_or_user});
}

Result<std::vector<Digest>> parse_list(std::string_view text, const std::string& file) {
  std::vector<Digest> digests;
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const auto digest = Digest::parse(line.substr(0, line.find(' ')));
    if (!digest) {
      return fail(ErrorKind::environment, "trust.syntax",
                  "this line does not start with a digest: `" + printable(line) + "`",
                  "remove the line; `rgx policy trust FILE` adds one",
                  Place{.file = file, .line = number, .column = 1});
    }
    digests.push_back(*digest);
  }
  return digests;
}

bool contains(const std::vector<Digest>& digests, const Digest& digest) {
  return std::find(digests.begin(), digests.end(), digest) != digests.end();
}

}  // namespace

Result<bool> is_trusted(const std::string& trust_file, const Digest& digest) {
  RGX_TRY(const std::string text, read_list(trust_file));
  RGX_TRY(const std::vector<Digest> digests, parse_list(text, trust_file));
  return contains(digests, digest);
}

Status record_trust(const std::string& trust_file, const Digest& digest, std::string_view where) {
  RGX_TRY(std::string text, read_list(trust_file));
  RGX_TRY(const std::vector<Digest> digests, parse_list(text, trust_file));
  if (contains(digests, digest)) {
    return {};
  }
  if (text.empty()) {
    text = kHead;
  } else if (!text.ends_with('\n')) {
    text += '\n';
  }
  text += digest.to_string() + ' ' + printable(where) + '\n';
  constexpr std::uint32_t kOwnerOnly = 0600;
  return write_file(trust_file, text, kOwnerOnly, IfExists::replace);
}

}  // namespace rgx::cli
