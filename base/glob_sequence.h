#pragma once

#include <cstddef>
#include <vector>

// Relations of two sequences in which some elements are stars (any run of elements): used for the
// characters of a component and for the components of a path. Both fill a table from its end, so
// that time and memory are the product of the lengths whatever the patterns are.
// Not for use outside base/glob*.cc.

namespace rgx::glob_sequence {

class Table {
 public:
  Table(std::size_t rows, std::size_t columns)
      : columns_(columns + 1),
        cells_((rows + 1) * columns_, false) {}

  [[nodiscard]] bool get(std::size_t i, std::size_t j) const { return cells_[i * columns_ + j]; }
  void set(std::size_t i, std::size_t j, bool value) { cells_[i * columns_ + j] = value; }

 private:
  std::size_t columns_;
  std::vector<bool> cells_;
};

/// True only if each sequence that `b` stands for is one that `a` stands for. `Side` offers
/// `size()` and `star(i)`; `single(i, j)` says whether a[i] covers b[j], neither being a star.
template <class Side, class Single>
[[nodiscard]] bool covers(const Side& a, const Side& b, const Single& single) {
  Table table(a.size(), b.size());
  for (std::size_t i = a.size() + 1; i-- > 0;) {
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      bool value = i == a.size() && j == b.size();
      if (i < a.size() && a.star(i)) {
        value = table.get(i + 1, j) || (j < b.size() && table.get(i, j + 1));
      } else if (i < a.size() && j < b.size() && !b.star(j)) {
        value = table.get(i + 1, j + 1) && single(i, j);
      }
      table.set(i, j, value);
    }
  }
  return table.get(0, 0);
}

/// True if and only if some sequence is one that both stand for, provided that `single` is exact.
template <class Side, class Single>
[[nodiscard]] bool overlaps(const Side& a, const Side& b, const Single& single) {
  Table table(a.size(), b.size());
  for (std::size_t i = a.size() + 1; i-- > 0;) {
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      bool value = i == a.size() && j == b.size();
      const bool a_star = i < a.size() && a.star(i);
      const bool b_star = j < b.size() && b.star(j);
      if (a_star || b_star) {
        // A star ends, or takes one element of the other side, which may be a star itself.
        value = (i < a.size() && table.get(i + 1, j)) || (j < b.size() && table.get(i, j + 1));
      } else if (i < a.size() && j < b.size()) {
        value = table.get(i + 1, j + 1) && single(i, j);
      }
      table.set(i, j, value);
    }
  }
  return table.get(0, 0);
}

}  // namespace rgx::glob_sequence
