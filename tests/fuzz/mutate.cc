#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace rgx::fuzz {
namespace {

/// Fragments that the formats give a meaning to.
constexpr std::array<std::string_view, 56> kFragments = {
    ": ",      "- ",      "? ",      "\n",    "\r\n",  "\r",     "  ",         "\t",
    "'",       "\"",      "''",      "\\\"",  "|\n",   ">-\n",   "#",          " # ",
    "{",       "}",       "[",       "]",     ",",     ":",      "&a ",        "*a",
    "!!str ",  "!",       "%YAML ",  "---\n", "...\n", "<<: ",   "~",          "null",
    "true",    "017",     "-0",      "1e3",   "1.0",   "0x1f",   "2026-12-01", "\xEF\xBB\xBF",
    "\\u202e", "\\ud83d", "\\u0041", "\xFF",  "\xC2",  "\u202E", "中",         "😀",
    "**",      "**/",     "*",       "[!a-",  "\\",    "../",    "home:",      "abs:/",
};

std::size_t below(Prng& prng, std::size_t bound) {
  return static_cast<std::size_t>(prng.below(bound));
}

/// A random part of `text`.
std::string part_of(const std::string& text, Prng& prng) {
  if (text.empty()) {
    return {};
  }
  const std::size_t start = below(prng, text.size());
  return text.substr(start, 1 + below(prng, std::min<std::size_t>(64, text.size() - start)));
}

void change(std::string& text, std::span<const std::string> seeds, Prng& prng) {
  const std::size_t at = below(prng, text.size() + 1);
  switch (prng.below(8)) {
    case 0:
      if (at < text.size()) {
        const auto flipped = static_cast<unsigned char>(text[at]) ^ (1U << prng.below(8));
        text[at] = static_cast<char>(flipped);
      }
      return;
    case 1:
      if (at < text.size()) {
        text[at] = static_cast<char>(prng.below(256));
      }
      return;
    case 2:
      text.erase(at, 1 + below(prng, 8));
      return;
    case 3:
      text.insert(at, part_of(text, prng));
      return;
    case 4:
      if (!seeds.empty()) {
        text.insert(at, part_of(seeds[below(prng, seeds.size())], prng));
      }
      return;
    case 5:
      text.resize(at);
      return;
    default:
      text.insert(at, kFragments[below(prng, kFragments.size())]);
      return;
  }
}

}  // namespace

std::string mutate(std::span<const std::string> seeds, Prng& prng, std::size_t bytes_max) {
  std::string text = seeds.empty() ? std::string() : seeds[below(prng, seeds.size())];
  const std::uint64_t changes = 1 + prng.below(12);
  for (std::uint64_t count = 0; count < changes; ++count) {
    change(text, seeds, prng);
  }
  text.resize(std::min(text.size(), bytes_max));
  return text;
}

}  // namespace rgx::fuzz
