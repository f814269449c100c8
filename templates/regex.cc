#include "templates/regex.h"

#include "base/check.h"
#include "base/text.h"

#include <re2/re2.h>

namespace rgx::templates {
namespace {

constexpr std::int64_t kMemoryBytes = std::int64_t{8} << 20;

re2::RE2::Options options() {
  re2::RE2::Options all(re2::RE2::Quiet);
  all.set_max_mem(kMemoryBytes);
  return all;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

/// Behind the character at `at`: no empty match stands inside one.
std::size_t next_character(std::string_view bytes, std::size_t at) {
  ++at;
  while (at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U) {
    ++at;
  }
  return at;
}

}  // namespace

struct Regex::Compiled {
  explicit Compiled(std::string_view text) : pattern(piece(text), options()) {}

  /// Calls `visit(groups)` for each match until it says false; returns how many.
  template <class Visit>
  [[nodiscard]] std::int64_t each_match(std::string_view bytes, int groups, Visit visit) const {
    std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups));
    std::int64_t count = 0;
    std::size_t at = 0;
    std::size_t last_end = std::string_view::npos;
    while (at <= bytes.size() && pattern.Match(piece(bytes), at, bytes.size(), re2::RE2::UNANCHORED,
                                               found.data(), groups)) {
      const auto start = static_cast<std::size_t>(found[0].data() - bytes.data());
      const std::size_t end = start + found[0].size();
      if (!found[0].empty() || start != last_end) {
        ++count;
        if (!visit(found)) {
          break;
        }
      }
      last_end = end;
      at = found[0].empty() ? next_character(bytes, start) : end;
    }
    return count;
  }

  re2::RE2 pattern;
};

Result<Regex> Regex::parse(std::string_view pattern) {
  auto compiled = std::make_shared<const Compiled>(pattern);
  if (!compiled->pattern.ok()) {
    return fail(ErrorKind::usage, "regex.syntax",
                "`" + printable(pattern) +
                    "` is no regular expression: " + printable(compiled->pattern.error()),
                "use the syntax of RE2, which has no look-around and no back references");
  }
  return Regex(std::move(compiled));
}

std::int64_t Regex::count(std::string_view bytes) const {
  return compiled_->each_match(bytes, 1, [](const auto& /*groups*/) { return true; });
}

bool Regex::matches_in(std::string_view bytes) const {
  return re2::RE2::PartialMatch(piece(bytes), compiled_->pattern);
}

std::optional<std::vector<std::string_view>> Regex::find(std::string_view bytes,
                                                         std::size_t from) const {
  const int groups = compiled_->pattern.NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups));
  if (from > bytes.size() ||
      !compiled_->pattern.Match(piece(bytes), from, bytes.size(), re2::RE2::UNANCHORED,
                                found.data(), groups)) {
    return std::nullopt;
  }
  std::vector<std::string_view> all;
  for (const re2::StringPiece& group : found) {
    all.push_back(group.data() == nullptr ? std::string_view()
                                          : std::string_view(group.data(), group.size()));
  }
  return all;
}

Status Regex::check_replacement(std::string_view to) const {
  std::string error;
  if (!compiled_->pattern.CheckRewriteString(piece(to), &error)) {
    return fail(
        ErrorKind::usage, "regex.replacement",
        "the replacement `" + printable(to) + "` does not fit its pattern: " + printable(error),
        "name groups of the pattern as `\\1` to `\\9`, and write a backslash as `\\\\`");
  }
  return {};
}

std::optional<Regex::Replaced> Regex::replace_all(std::string_view bytes, std::string_view to,
                                                  std::size_t bytes_max) const {
  const int groups = re2::RE2::MaxSubmatch(piece(to)) + 1;
  Replaced replaced;
  std::size_t copied = 0;
  replaced.count = compiled_->each_match(bytes, groups, [&](const auto& found) {
    const auto start = static_cast<std::size_t>(found[0].data() - bytes.data());
    replaced.bytes.append(bytes.substr(copied, start - copied));
    RGX_CHECK(compiled_->pattern.Rewrite(&replaced.bytes, piece(to), found.data(), groups));
    copied = start + found[0].size();
    return replaced.bytes.size() <= bytes_max;
  });
  replaced.bytes.append(bytes.substr(copied));
  return replaced.bytes.size() <= bytes_max ? std::optional(std::move(replaced)) : std::nullopt;
}

std::string regex_quote(std::string_view text) {
  return re2::RE2::QuoteMeta(piece(text));
}

}  // namespace rgx::templates
