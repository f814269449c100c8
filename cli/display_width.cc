#include "cli/display_width.h"

#include <utf8proc.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace rgx::cli {
namespace {

constexpr char32_t kTextStyle = 0xFE0E;   // variation selector 15: drawn as text
constexpr char32_t kEmojiStyle = 0xFE0F;  // variation selector 16: drawn as emoji

bool is_regional_indicator(char32_t point) {
  return point >= 0x1F1E6 && point <= 0x1F1FF;
}

bool is_keycap_base(char32_t point) {
  return (point >= U'0' && point <= U'9') || point == U'#' || point == U'*';
}

utf8proc_int32_t as_utf8proc(char32_t point) {
  return static_cast<utf8proc_int32_t>(point);
}

bool is_pictograph(char32_t point) {
  return utf8proc_get_property(as_utf8proc(point))->boundclass ==
         UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/// Marks that have cells of their own: Thai and Indic vowels, half-width voiced sound marks.
bool is_spacing(char32_t point) {
  return point == 0xFF9E || point == 0xFF9F ||
         utf8proc_get_property(as_utf8proc(point))->boundclass == UTF8PROC_BOUNDCLASS_SPACINGMARK;
}

std::size_t width_of(char32_t point) {
  const int cells = utf8proc_charwidth(as_utf8proc(point));
  return cells > 0 ? static_cast<std::size_t>(cells) : 0;
}

/// One grapheme that starts at `offset`, which is inside of `text`.
Prefix grapheme_at(std::string_view text, std::size_t offset) {
  const auto first = decode_utf8(text, offset);
  if (!first) {
    return {.bytes = 1, .cells = 1};
  }
  Prefix grapheme{.bytes = first->bytes, .cells = width_of(first->value)};
  utf8proc_int32_t state = 0;
  char32_t before = first->value;
  for (auto next = decode_utf8(text, offset + grapheme.bytes); next;
       next = decode_utf8(text, offset + grapheme.bytes)) {
    if (utf8proc_grapheme_break_stateful(as_utf8proc(before), as_utf8proc(next->value), &state)) {
      break;
    }
    grapheme.bytes += next->bytes;
    if (next->value == kEmojiStyle) {
      if (is_pictograph(before) || is_keycap_base(before)) {
        grapheme.cells = 2;
      }
    } else if (next->value == kTextStyle) {
      if (is_pictograph(before)) {
        grapheme.cells = 1;
      }
    } else if (is_regional_indicator(before) && is_regional_indicator(next->value)) {
      grapheme.cells = 2;  // a flag
    } else if (is_spacing(next->value)) {
      grapheme.cells += width_of(next->value);
    } else {
      grapheme.cells = std::max(grapheme.cells, width_of(next->value));
    }
    before = next->value;
  }
  return grapheme;
}

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F;
}

}  // namespace

Prefix prefix_within(std::string_view text, std::size_t cells_max) {
  Prefix prefix;
  while (prefix.bytes < text.size()) {
    const std::size_t at = prefix.bytes;
    // Two ASCII characters in a row never join, and nearly all text is that.
    const bool ascii = is_plain(text[at]) && (at + 1 == text.size() || is_plain(text[at + 1]));
    const Prefix next = ascii ? Prefix{.bytes = 1, .cells = 1} : grapheme_at(text, at);
    if (next.cells > cells_max - prefix.cells) {
      break;
    }
    prefix.bytes += next.bytes;
    prefix.cells += next.cells;
  }
  return prefix;
}

std::size_t display_width(std::string_view text) {
  return prefix_within(text, static_cast<std::size_t>(-1)).cells;
}

std::string fit(std::string_view text, std::size_t cells_max, std::string_view mark) {
  const Prefix whole = prefix_within(text, cells_max);
  if (whole.bytes == text.size()) {
    return std::string(text);
  }
  const std::size_t mark_cells = display_width(mark);
  if (mark_cells > cells_max) {
    return std::string(text.substr(0, whole.bytes));
  }
  std::string cut(text.substr(0, prefix_within(text, cells_max - mark_cells).bytes));
  cut += mark;
  return cut;
}

std::string fit_middle(std::string_view text, std::size_t cells_max, std::string_view mark) {
  const std::size_t mark_cells = display_width(mark);
  if (mark_cells + 2 > cells_max || prefix_within(text, cells_max).bytes == text.size()) {
    return fit(text, cells_max, mark);
  }
  const Prefix head = prefix_within(text, (cells_max - mark_cells) / 2);
  std::string_view tail = text.substr(head.bytes);
  while (display_width(tail) > cells_max - mark_cells - head.cells) {
    tail.remove_prefix(grapheme_at(tail, 0).bytes);
  }
  return std::string(text.substr(0, head.bytes)) + std::string(mark) + std::string(tail);
}

std::vector<std::string> wrap(std::string_view text, std::size_t cells_max) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    // A grapheme wider than the line still has to go somewhere: one a piece.
    std::size_t bytes = prefix_within(text, cells_max).bytes;
    if (bytes == 0) {
      bytes = grapheme_at(text, 0).bytes;
    }
    if (bytes < text.size() && text[bytes] != ' ') {
      const std::size_t blank = text.substr(0, bytes).rfind(' ');
      if (blank != std::string_view::npos && blank > 0) {
        bytes = blank;
      }
    }
    pieces.emplace_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
    while (text.starts_with(' ')) {
      text.remove_prefix(1);
    }
  }
  return pieces;
}

}  // namespace rgx::cli
