#include "templates/plan_access.h"

#include "base/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rgx::templates {
namespace {

/// The components of a pattern before its first wildcard, with a `/` behind each.
std::string literal_prefix(const std::string& pattern) {
  const std::size_t wildcard = pattern.find_first_of("*?[\\");
  const std::size_t slash = pattern.rfind('/', wildcard);
  return slash == std::string::npos ? std::string() : pattern.substr(0, slash + 1);
}

}  // namespace

AccessIndex::AccessIndex(const std::vector<Effects>& effects) {
  std::map<std::pair<std::string, AccessMode>, std::vector<std::uint32_t>> steps_of;
  for (std::uint32_t step = 0; step < effects.size(); ++step) {
    for (const std::string& path : effects[step].reads) {
      steps_of[{path, AccessMode::read}].push_back(step);
    }
    for (const std::string& path : effects[step].writes) {
      steps_of[{path, AccessMode::write}].push_back(step);
    }
  }
  for (auto& [key, steps] : steps_of) {
    auto glob = Glob::parse(key.first);
    RGX_CHECK(glob.has_value());
    const bool literal = glob->is_literal();
    (literal ? literals_ : globs_)
        .push_back(Access{std::move(*glob), key.second, std::move(steps)});
  }
}

std::vector<std::uint32_t> AccessIndex::literals_matching(const Glob& glob) const {
  const std::string prefix = literal_prefix(glob.pattern());
  const auto pattern_of = [](const Access& access) -> const std::string& {
    return access.glob.pattern();
  };
  std::vector<std::uint32_t> matching;
  // `build/**` also matches `build` itself, which sorts before every `build/…`.
  const std::string start = prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1);
  auto at = std::ranges::lower_bound(literals_, start, {}, pattern_of);
  for (; at != literals_.end(); ++at) {
    const std::string& path = pattern_of(*at);
    if (!path.starts_with(start)) {
      break;
    }
    if (glob.matches(path)) {
      matching.push_back(static_cast<std::uint32_t>(at - literals_.begin()));
    }
  }
  return matching;
}

std::vector<std::uint32_t> AccessIndex::writers_of(const std::string& path) const {
  std::vector<std::uint32_t> writers;
  const auto pattern_of = [](const Access& access) -> const std::string& {
    return access.glob.pattern();
  };
  const auto same = std::ranges::equal_range(literals_, path, {}, pattern_of);
  for (const Access& access : same) {
    if (access.mode == AccessMode::write) {
      writers.insert(writers.end(), access.steps.begin(), access.steps.end());
    }
  }
  for (const Access& access : globs_) {
    if (access.mode == AccessMode::write && access.glob.matches(path)) {
      writers.insert(writers.end(), access.steps.begin(), access.steps.end());
    }
  }
  std::ranges::sort(writers);
  writers.erase(std::ranges::unique(writers).begin(), writers.end());
  return writers;
}

std::optional<std::uint32_t> last_writer_before(const AccessIndex& index, StepGraph& graph,
                                                std::uint32_t step, const std::string& path) {
  std::optional<std::uint32_t> last;
  for (const std::uint32_t writer : index.writers_of(path)) {
    if (writer != step && graph.comes_after(step, writer) &&
        (!last || graph.comes_after(writer, *last))) {
      last = writer;
    }
  }
  return last;
}

}  // namespace rgx::templates
