#include "base/glob.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/glob_component.h"
#include "base/glob_sequence.h"
#include "base/path.h"
#include "base/text.h"

namespace rgx {

namespace {

using Tokens = std::vector<glob_component::Token>;

constexpr std::string_view kAnyDepth = "**";

/// `home:a/b` as `home:` and `a/b`; `abs:/a` as `abs:` and `a`; the root as nothing.
struct Split {
  std::string_view prefix;
  std::string_view rest;
};

Split split_prefix(std::string_view path) {
  Split parts{.prefix = {}, .rest = path};
  for (const std::string_view prefix : {"home:", "abs:"}) {
    if (path.starts_with(prefix)) {
      parts = Split{.prefix = prefix, .rest = path.substr(prefix.size())};
    }
  }
  if (parts.prefix == "abs:" && parts.rest.starts_with('/')) {
    parts.rest.remove_prefix(1);
  }
  if (parts.rest == ".") {
    parts.rest = {};
  }
  return parts;
}

std::vector<std::string_view> components_of(std::string_view rest) {
  return rest.empty() ? std::vector<std::string_view>() : split(rest, '/');
}

/// One component of a pattern, read for comparison; nothing stands for `**`.
using Element = std::optional<Tokens>;

bool takes_any_name(const Element& element) {
  return element && element->size() == 1 && element->front().star;
}

/// In each run of `*` and `**` components puts `*` first and keeps one `**`: the same paths, but
/// `**/*` and `*/**` become equal.
std::vector<Element> elements_of(const std::vector<std::string>& components) {
  std::vector<Element> all;
  for (const std::string& component : components) {
    if (component == kAnyDepth) {
      all.emplace_back(std::nullopt);
      continue;
    }
    auto tokens = glob_component::parse(component);
    RGX_CHECK(tokens.has_value());  // Glob::parse has read the same bytes
    all.emplace_back(std::move(*tokens));
  }
  std::vector<Element> ordered;
  bool any_depth = false;
  for (Element& element : all) {
    if (!element) {
      any_depth = true;
      continue;
    }
    if (any_depth && !takes_any_name(element)) {
      ordered.emplace_back(std::nullopt);
      any_depth = false;
    }
    ordered.push_back(std::move(element));
  }
  if (any_depth) {
    ordered.emplace_back(std::nullopt);
  }
  return ordered;
}

struct Side {
  const std::vector<Element>& elements;

  [[nodiscard]] std::size_t size() const { return elements.size(); }
  [[nodiscard]] bool star(std::size_t index) const { return !elements[index].has_value(); }
};

Status check_pattern(std::string_view pattern) {
  if (pattern.starts_with('!')) {
    return fail(ErrorKind::usage, "glob.unsupported",
                "pattern `" + printable(pattern.substr(0, 200)) + "` starts with `!`",
                "list what is meant instead of excluding, or escape it as `\\!`");
  }
  if (pattern == "~" || pattern.starts_with("~/")) {
    return fail(ErrorKind::usage, "glob.unsupported",
                "pattern `" + printable(pattern.substr(0, 200)) + "` starts with `~`",
                "write `home:` for the home folder, or escape it as `\\~`");
  }
  bool wild = false;
  for (const std::string_view component : split(pattern, '/')) {
    if (component == ".." && wild) {
      return fail(ErrorKind::usage, "glob.syntax",
                  "pattern `" + printable(pattern.substr(0, 200)) + "` has `..` behind a wildcard",
                  "write the pattern without `..`");
    }
    wild = wild || !glob_component::is_literal(component);
  }
  return {};
}

}  // namespace

Result<Glob> Glob::parse(std::string_view pattern) {
  RGX_TRY_STATUS(check_pattern(pattern));
  Glob glob;
  RGX_TRY(glob.pattern_, normal_path(pattern));
  RGX_TRY_STATUS(check_pattern(glob.pattern_));  // `./!a` has become `!a`
  const Split parts = split_prefix(glob.pattern_);
  glob.prefix_ = std::string(parts.prefix);
  for (const std::string_view component : components_of(parts.rest)) {
    if (component != kAnyDepth) {
      RGX_TRY_STATUS(glob_component::parse(component).map([](const Tokens&) {}));
    }
    glob.components_.emplace_back(component);
  }
  return glob;
}

bool Glob::is_literal() const {
  return std::all_of(components_.begin(), components_.end(), [](const std::string& component) {
    return glob_component::is_literal(component);
  });
}

bool Glob::matches(std::string_view normal_path) const {
  const Split path = split_prefix(normal_path);
  if (path.prefix != prefix_) {
    return false;
  }
  // Names are cut off the path as they are needed; the end is one behind the last separator.
  const std::string_view rest = path.rest;
  const std::size_t end = rest.empty() ? 0 : rest.size() + 1;
  const auto name_end = [&rest](std::size_t start) {
    return std::min(rest.find('/', start), rest.size());
  };
  std::size_t at = 0;
  std::size_t offset = 0;
  // As in a component, only the last `**` needs to be tried again.
  std::optional<std::size_t> star_at;
  std::size_t star_offset = 0;
  while (offset < end) {
    if (at < components_.size() && components_[at] == kAnyDepth) {
      star_at = ++at;
      star_offset = offset;
      continue;
    }
    const std::size_t stop = name_end(offset);
    if (at < components_.size() &&
        glob_component::matches(components_[at], rest.substr(offset, stop - offset))) {
      ++at;
      offset = stop + 1;
    } else if (star_at) {
      star_offset = name_end(star_offset) + 1;
      offset = star_offset;
      at = *star_at;
    } else {
      return false;
    }
  }
  return std::all_of(components_.begin() + static_cast<std::ptrdiff_t>(at), components_.end(),
                     [](const std::string& component) { return component == kAnyDepth; });
}

bool Glob::covers(const Glob& other) const {
  if (prefix_ != other.prefix_) {
    return false;
  }
  if (pattern_ == other.pattern_) {
    return true;
  }
  const std::vector<Element> a = elements_of(components_);
  const std::vector<Element> b = elements_of(other.components_);
  return glob_sequence::covers(Side{a}, Side{b}, [&](std::size_t i, std::size_t j) {
    return glob_component::covers(*a[i], *b[j]);
  });
}

bool Glob::overlaps(const Glob& other) const {
  if (prefix_ != other.prefix_) {
    return false;
  }
  const std::vector<Element> a = elements_of(components_);
  const std::vector<Element> b = elements_of(other.components_);
  return glob_sequence::overlaps(Side{a}, Side{b}, [&](std::size_t i, std::size_t j) {
    return glob_component::overlaps(*a[i], *b[j]);
  });
}

}  // namespace rgx
