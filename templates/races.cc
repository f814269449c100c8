#include "templates/races.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rgx::templates {
namespace {

class RaceFinder {
 public:
  RaceFinder(StepGraph& graph, std::size_t count_max) : graph_(graph), count_max_(count_max) {}

  /// Two accesses whose patterns overlap; `a_steps` are the steps of `a`.
  void compare(const Access& a, const StepGraph::NodeSet& a_steps, const Access& b) {
    if (a.mode == AccessMode::read && b.mode == AccessMode::read) {
      return;
    }
    for (const std::uint32_t y : b.steps) {
      for (const std::uint32_t x : graph_.unordered_in(y, a_steps)) {
        if (races_.size() >= count_max_) {
          return;
        }
        add(x, a, y, b);
      }
    }
  }

  [[nodiscard]] std::vector<Race> races() && {
    std::vector<Race> all;
    for (auto& [pair, race] : races_) {
      all.push_back(std::move(race));
    }
    return all;
  }

 private:
  void add(std::uint32_t x, const Access& a, std::uint32_t y, const Access& b) {
    if (x > y) {
      add(y, b, x, a);
      return;
    }
    races_.try_emplace({x, y}, Race{x, y, a.mode, b.mode, a.glob.pattern(), b.glob.pattern()});
  }

  StepGraph& graph_;
  std::size_t count_max_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Race> races_;
};

}  // namespace

std::vector<Race> find_races(const AccessIndex& accesses, StepGraph& graph, std::size_t count_max) {
  RaceFinder finder(graph, count_max);
  const std::vector<Access>& literals = accesses.literals();
  for (std::size_t index = 0; index < literals.size(); ++index) {
    // The readers of a path stand just before its writers.
    const Access& access = literals[index];
    if (access.mode == AccessMode::write) {
      const StepGraph::NodeSet steps = graph.set_of(access.steps);
      finder.compare(access, steps, access);
      if (index > 0 && literals[index - 1].glob == access.glob) {
        finder.compare(access, steps, literals[index - 1]);
      }
    }
  }
  const std::vector<Access>& globs = accesses.globs();
  for (std::size_t index = 0; index < globs.size(); ++index) {
    const StepGraph::NodeSet steps = graph.set_of(globs[index].steps);
    for (const std::uint32_t literal : accesses.literals_matching(globs[index].glob)) {
      finder.compare(globs[index], steps, literals[literal]);
    }
    for (std::size_t other = index; other < globs.size(); ++other) {
      if (globs[index].glob.overlaps(globs[other].glob)) {
        finder.compare(globs[index], steps, globs[other]);
      }
    }
  }
  return std::move(finder).races();
}

}  // namespace rgx::templates
