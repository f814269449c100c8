#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// How many cells of a terminal a text takes, and where to cut it. Counted per grapheme cluster
// (what a person sees as one character), with Unicode 15.0 widths: Chinese, Japanese and Korean
// take two cells, emoji two, combining marks none, ambiguous characters one.
//
// Terminals differ about newer characters, so a painter never pads with blanks after such text: it
// goes to the next column by number (cli/progress_screen.h).

namespace rgx::cli {

/// Cells of `text`. Controls take none and a byte that is no UTF-8 one: text for a terminal has
/// been through `printable` (base/text.h), which leaves neither.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// A prefix of whole graphemes.
struct Prefix {
  std::size_t bytes = 0;
  std::size_t cells = 0;
};
/// The longest prefix of `text` that takes at most `cells_max`.
[[nodiscard]] Prefix prefix_within(std::string_view text, std::size_t cells_max);

/// `text` where it fits into `cells_max`, else a prefix that ends with `mark`.
[[nodiscard]] std::string fit(std::string_view text, std::size_t cells_max, std::string_view mark);

/// Like `fit`, but cut in the middle, for names that differ at their ends.
[[nodiscard]] std::string fit_middle(std::string_view text, std::size_t cells_max,
                                     std::string_view mark);

/// `text` in pieces of at most `cells_max` each, cut at blanks where there are some; nothing is
/// left out but the blanks at the cuts.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t cells_max);

}  // namespace rgx::cli
