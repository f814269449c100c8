#include "templates/step_graph.h"

#include "base/check.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <utility>

namespace rgx::templates {

StepGraph::StepGraph(std::vector<std::string_view> names,
                     std::vector<std::vector<std::uint32_t>> needs)
    : names_(std::move(names)),
      needs_(std::move(needs)) {
  RGX_CHECK(names_.size() == needs_.size());
  sort();
}

void StepGraph::sort() {
  const std::size_t count = names_.size();
  std::vector<std::vector<std::uint32_t>> dependents(count);
  std::vector<std::size_t> open(count);
  for (std::uint32_t node = 0; node < count; ++node) {
    open[node] = needs_[node].size();
    for (const std::uint32_t need : needs_[node]) {
      RGX_CHECK(need < count);
      dependents[need].push_back(node);
    }
  }
  // Names are unique, so this order has no ties and does not depend on the order of the input.
  const auto later = [this](std::uint32_t a, std::uint32_t b) { return names_[a] > names_[b]; };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> ready(later);
  for (std::uint32_t node = 0; node < count; ++node) {
    if (open[node] == 0) {
      ready.push(node);
    }
  }
  order_.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    order_.push_back(node);
    for (const std::uint32_t dependent : dependents[node]) {
      if (--open[dependent] == 0) {
        ready.push(dependent);
      }
    }
  }
}

std::string StepGraph::cycle() const {
  RGX_CHECK(has_cycle());
  std::vector<bool> sorted(names_.size(), false);
  for (const std::uint32_t node : order_) {
    sorted[node] = true;
  }
  // Every node left over needs another one left over: following the smallest need must repeat.
  std::uint32_t node = 0;
  while (sorted[node]) {
    ++node;
  }
  std::vector<std::uint32_t> path;
  auto repeated = path.end();
  while (repeated == path.end()) {
    path.push_back(node);
    std::uint32_t next = node;
    bool found = false;
    for (const std::uint32_t need : needs_[node]) {
      if (!sorted[need] && (!found || names_[need] < names_[next])) {
        next = need;
        found = true;
      }
    }
    RGX_CHECK(found);
    node = next;
    repeated = std::ranges::find(path, node);
  }
  path.erase(path.begin(), repeated);
  const auto by_name = [this](std::uint32_t index) { return names_[index]; };
  std::ranges::rotate(path, std::ranges::min_element(path, {}, by_name));
  std::string text;
  for (const std::uint32_t index : path) {
    text += std::string(names_[index]) + " -> ";
  }
  return text + std::string(names_[path.front()]);
}

void StepGraph::find_relations() {
  RGX_CHECK(!has_cycle());
  words_ = (names_.size() + 63) / 64;
  ancestors_.assign(words_ * names_.size(), 0);
  descendants_.assign(words_ * names_.size(), 0);
  const auto inherit = [this](std::vector<std::uint64_t>& rows, std::uint32_t to,
                              std::uint32_t from) {
    for (std::size_t word = 0; word < words_; ++word) {
      rows[to * words_ + word] |= rows[from * words_ + word];
    }
    rows[to * words_ + from / 64] |= std::uint64_t{1} << (from % 64);
  };
  for (const std::uint32_t node : order_) {
    for (const std::uint32_t need : needs_[node]) {
      inherit(ancestors_, node, need);
    }
  }
  for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
    for (const std::uint32_t need : needs_[*node]) {
      inherit(descendants_, need, *node);
    }
  }
}

bool StepGraph::comes_after(std::uint32_t node, std::uint32_t other) {
  if (ancestors_.empty()) {
    find_relations();
  }
  return ((ancestors_[node * words_ + other / 64] >> (other % 64)) & 1U) != 0;
}

StepGraph::NodeSet StepGraph::set_of(const std::vector<std::uint32_t>& nodes) const {
  NodeSet set((names_.size() + 63) / 64, 0);
  for (const std::uint32_t node : nodes) {
    set[node / 64] |= std::uint64_t{1} << (node % 64);
  }
  return set;
}

std::vector<std::uint32_t> StepGraph::unordered_in(std::uint32_t node, const NodeSet& set) {
  if (ancestors_.empty()) {
    find_relations();
  }
  std::vector<std::uint32_t> found;
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t left =
        set[word] & ~ancestors_[node * words_ + word] & ~descendants_[node * words_ + word];
    while (left != 0) {
      const auto member = static_cast<std::uint32_t>(word * 64) +
                          static_cast<std::uint32_t>(std::countr_zero(left));
      left &= left - 1;
      if (member != node) {
        found.push_back(member);
      }
    }
  }
  return found;
}

}  // namespace rgx::templates
