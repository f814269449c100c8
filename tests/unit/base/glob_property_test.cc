// Globs against a matcher that is slow and obvious, and their relations against all short paths.
#include "base/glob.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rgx {
namespace {

/// Every split is tried. Only for patterns over `a b * ? [ab] [!a]`.
bool component_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() == '*') {
    return component_matches(pattern.substr(1), text) ||
           (!text.empty() && component_matches(pattern, text.substr(1)));
  }
  if (text.empty()) {
    return false;
  }
  if (pattern.starts_with("[ab]")) {
    return (text.front() == 'a' || text.front() == 'b') &&
           component_matches(pattern.substr(4), text.substr(1));
  }
  if (pattern.starts_with("[!a]")) {
    return text.front() != 'a' && component_matches(pattern.substr(4), text.substr(1));
  }
  return (pattern.front() == '?' || pattern.front() == text.front()) &&
         component_matches(pattern.substr(1), text.substr(1));
}

using Names = std::vector<std::string>;

bool path_matches(const Names& pattern, std::size_t at, const Names& path, std::size_t index) {
  if (at == pattern.size()) {
    return index == path.size();
  }
  if (pattern[at] == "**") {
    return path_matches(pattern, at + 1, path, index) ||
           (index < path.size() && path_matches(pattern, at, path, index + 1));
  }
  return index < path.size() && component_matches(pattern[at], path[index]) &&
         path_matches(pattern, at + 1, path, index + 1);
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : "/") + name;
  }
  return text.empty() ? "." : text;
}

/// All paths of at most three components out of all names of at most two letters of `abc`.
const std::vector<Names>& short_paths() {
  static const std::vector<Names> paths = [] {
    Names names;
    for (const char a : {'a', 'b', 'c'}) {
      names.emplace_back(1, a);
      for (const char b : {'a', 'b', 'c'}) {
        names.push_back({a, b});
      }
    }
    std::vector<Names> all = {{}};
    std::size_t start = 0;
    for (int depth = 0; depth < 3; ++depth) {
      const std::size_t end = all.size();
      for (; start < end; ++start) {
        for (const std::string& name : names) {
          Names longer = all[start];
          longer.push_back(name);
          all.push_back(std::move(longer));
        }
      }
    }
    return all;
  }();
  return paths;
}

rc::Gen<Names> pattern_names() {
  const auto component = rc::gen::map(
      rc::gen::container<Names>(rc::gen::elementOf(Names{"a", "b", "*", "?", "[ab]", "[!a]"})),
      [](const Names& parts) {
        std::string text;
        for (const std::string& part : parts) {
          if (text.size() < 8 && !(part == "*" && text.ends_with('*'))) {
            text += part;
          }
        }
        return text.empty() ? std::string("**") : text;
      });
  return rc::gen::map(rc::gen::container<Names>(component), [](Names names) {
    names.resize(std::min<std::size_t>(names.size(), 4));
    return names;
  });
}

/// `names` with some parts replaced by wilder ones, so that the result often covers them.
rc::Gen<Names> wilder(const Names& names) {
  return rc::gen::exec([names] {
    Names out;
    for (const std::string& name : names) {
      switch (*rc::gen::inRange(0, 5)) {
        case 0:
          out.emplace_back("**");
          break;
        case 1:
          out.emplace_back("*");
          break;
        case 2:
          out.push_back(name == "**" || name.starts_with('*') ? name : "*" + name.substr(1));
          break;
        default:
          out.push_back(name);
          break;
      }
    }
    for (std::string& name : out) {
      // Cutting a class in two leaves brackets that mean nothing.
      if (name.find('[') != name.rfind('[') || (name.find(']') < name.find('['))) {
        name = "*";
      }
    }
    return out;
  });
}

Glob glob_of(const Names& names) {
  auto parsed = Glob::parse(joined(names));
  RC_ASSERT(parsed.has_value());
  return *parsed;
}

RC_GTEST_PROP(GlobProperty, MatchesWhatTheObviousMatcherMatches, ()) {
  const Names pattern = *pattern_names();
  const Glob glob = glob_of(pattern);
  for (const Names& path : short_paths()) {
    if (glob.matches(joined(path)) != path_matches(pattern, 0, path, 0)) {
      RC_FAIL(joined(pattern) + " on " + joined(path));
    }
  }
}

RC_GTEST_PROP(GlobProperty, CoversIsSound, ()) {
  const Names inner = *pattern_names();
  const auto parsed = Glob::parse(joined(*wilder(inner)));
  RC_PRE(parsed.has_value());
  const Glob& a = *parsed;
  const Glob b = glob_of(inner);
  const bool covers = a.covers(b);
  RC_CLASSIFY(covers);
  if (covers) {
    for (const Names& path : short_paths()) {
      const std::string text = joined(path);
      if (b.matches(text) && !a.matches(text)) {
        RC_FAIL(a.pattern() + " does not cover " + b.pattern() + ": " + text);
      }
    }
    RC_ASSERT(a.overlaps(b));
  }
}

RC_GTEST_PROP(GlobProperty, CoversLiteralsExactly, ()) {
  const Glob a = glob_of(*pattern_names());
  const auto index = *rc::gen::inRange<std::size_t>(0, short_paths().size());
  const Names& path = short_paths()[index];
  const Glob literal = glob_of(path);
  RC_ASSERT(a.covers(literal) == a.matches(joined(path)));
  RC_ASSERT(a.overlaps(literal) == a.matches(joined(path)));
}

RC_GTEST_PROP(GlobProperty, OverlapsIsSoundAndSymmetric, ()) {
  const Names one = *pattern_names();
  const auto parsed = Glob::parse(joined(*rc::gen::oneOf(pattern_names(), wilder(one))));
  RC_PRE(parsed.has_value());
  const Glob& a = *parsed;
  const Glob b = glob_of(one);
  const bool overlaps = a.overlaps(b);
  RC_CLASSIFY(overlaps);
  RC_ASSERT(b.overlaps(a) == overlaps);
  if (!overlaps) {
    for (const Names& path : short_paths()) {
      const std::string text = joined(path);
      if (a.matches(text) && b.matches(text)) {
        RC_FAIL(a.pattern() + " overlaps " + b.pattern() + ": " + text);
      }
    }
  }
}

RC_GTEST_PROP(GlobProperty, CoversIsReflexiveAndEverythingIsCovered, ()) {
  const Glob a = glob_of(*pattern_names());
  RC_ASSERT(a.covers(a));
  RC_ASSERT(Glob::parse("**")->covers(a));
}

}  // namespace
}  // namespace rgx
