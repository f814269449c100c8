#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The order that `needs` gives to steps. Private to the package.

namespace rgx::templates {

/// Nodes are numbers 0..n-1 with unique names; edges are given once each, from a node to what it
/// needs. INVARIANT: order() holds every node once if and only if there is no cycle.
class StepGraph {
 public:
  StepGraph(std::vector<std::string_view> names, std::vector<std::vector<std::uint32_t>> needs);

  [[nodiscard]] bool has_cycle() const { return order_.size() != names_.size(); }
  /// The canonical topological order: of the nodes that are ready, the bytewise smallest name.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// One cycle, as `a -> b -> a` ("a needs b"), starting at its smallest name. Needs has_cycle().
  [[nodiscard]] std::string cycle() const;
  /// True when `node` needs `other`, directly or through others. Needs !has_cycle().
  [[nodiscard]] bool comes_after(std::uint32_t node, std::uint32_t other);
  [[nodiscard]] bool ordered(std::uint32_t a, std::uint32_t b) {
    return comes_after(a, b) || comes_after(b, a);
  }
  /// A set of nodes, one bit each.
  using NodeSet = std::vector<std::uint64_t>;
  [[nodiscard]] NodeSet set_of(const std::vector<std::uint32_t>& nodes) const;
  /// Members of `set` other than `node` that have no order with it; ascending.
  [[nodiscard]] std::vector<std::uint32_t> unordered_in(std::uint32_t node, const NodeSet& set);

 private:
  void sort();
  void find_relations();

  std::vector<std::string_view> names_;
  std::vector<std::vector<std::uint32_t>> needs_;
  std::vector<std::uint32_t> order_;
  std::size_t words_ = 0;  // 64-bit words of one row
  // Rows of bits, made at the first question.
  std::vector<std::uint64_t> ancestors_;
  std::vector<std::uint64_t> descendants_;
};

}  // namespace rgx::templates
