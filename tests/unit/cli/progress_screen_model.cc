#include "tests/unit/cli/progress_screen_model.h"

#include "base/text.h"
#include "cli/display_width.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace rgx::cli::test {
namespace {

std::size_t number_of(std::string_view text, std::size_t otherwise) {
  std::size_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool is_digit_or_mark(char c) {
  return (c >= '0' && c <= '9') || c == ';' || c == '?';
}

}  // namespace

ScreenModel::ScreenModel(TerminalSize size, Widths widths)
    : size_(size),
      widths_(widths),
      rows_(size.rows, Row(size.columns, " ")) {}

void ScreenModel::write(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const char c = bytes[at];
    if (c == '\r') {
      column_ = 0;
      ++at;
    } else if (c == '\n') {
      line_feed();
      ++at;
    } else if (c == '\x1b') {
      at = obey(bytes, at);
    } else {
      const auto point = decode_utf8(bytes, at);
      if (!point || is_deceptive(point->value)) {
        complaints_.push_back("a byte that is no text: " + printable(bytes.substr(at, 4)));
        ++at;
        continue;
      }
      std::size_t length = point->bytes;
      if (widths_ == Widths::graphemes) {
        // Grow while the width of the cluster says that the next code point belongs to it.
        for (auto next = decode_utf8(bytes, at + length); next && next->value >= 0x80;
             next = decode_utf8(bytes, at + length)) {
          const std::string_view longer = bytes.substr(at, length + next->bytes);
          if (prefix_within(longer, display_width(longer) - 1).bytes > 0) {
            break;
          }
          length += next->bytes;
        }
      }
      const std::string_view text = bytes.substr(at, length);
      const std::size_t cells =
          widths_ == Widths::narrow ? 1 : std::max<std::size_t>(display_width(text), 1);
      put(text, cells);
      at += length;
    }
  }
}

void ScreenModel::put(std::string_view grapheme, std::size_t cells) {
  if (column_ + cells > size_.columns) {
    if (wrap_) {
      column_ = 0;
      line_feed();
    } else {
      column_ = size_.columns - cells;  // the last cells are written over and over
    }
  }
  rows_[row_][column_] = grapheme;
  for (std::size_t i = 1; i < cells; ++i) {
    rows_[row_][column_ + i].clear();
  }
  column_ += cells;
}

void ScreenModel::line_feed() {
  if (row_ + 1 < size_.rows) {
    ++row_;
    return;
  }
  scrolled_.push_back(line_text(rows_.front()));
  rows_.erase(rows_.begin());
  rows_.emplace_back(size_.columns, " ");
}

std::size_t ScreenModel::obey(std::string_view bytes, std::size_t at) {
  std::size_t end = at + 2;
  while (end < bytes.size() && is_digit_or_mark(bytes[end])) {
    ++end;
  }
  if (at + 1 >= bytes.size() || bytes[at + 1] != '[' || end >= bytes.size()) {
    complaints_.push_back("an escape that no picture needs: " + printable(bytes.substr(at, 8)));
    return at + 1;
  }
  const std::string_view arguments = bytes.substr(at + 2, end - at - 2);
  switch (bytes[end]) {
    case 'A':
      row_ -= std::min(row_, number_of(arguments, 1));
      break;
    case 'G':
      column_ = std::min(number_of(arguments, 1), size_.columns) - 1;
      break;
    case 'J':
      for (std::size_t row = row_ + 1; row < size_.rows; ++row) {
        rows_[row].assign(size_.columns, " ");
      }
      [[fallthrough]];
    case 'K':
      for (std::size_t i = column_; i < size_.columns; ++i) {
        rows_[row_][i] = " ";
      }
      break;
    case 'm':
      styled_ = arguments != "0";
      break;
    case 'h':
    case 'l':
      set_mode(arguments, bytes[end] == 'h');
      break;
    default:
      complaints_.push_back("a sequence that no picture needs: " +
                            printable(bytes.substr(at, end + 1 - at)));
  }
  return end + 1;
}

void ScreenModel::set_mode(std::string_view number, bool on) {
  if (number == "?7") {
    wrap_ = on;
  } else if (number == "?25") {
    cursor_ = on;
  } else if (number == "?2026") {
    synchronized_ = on;
  } else {
    complaints_.push_back("mode " + std::string(number));
  }
}

std::string ScreenModel::line_text(const Row& row) const {
  std::string text;
  for (const std::string& cell : row) {
    text += cell;
  }
  while (text.ends_with(' ')) {
    text.pop_back();
  }
  return text;
}

std::vector<std::string> ScreenModel::lines() const {
  std::vector<std::string> lines;
  for (const Row& row : rows_) {
    lines.push_back(line_text(row));
  }
  return lines;
}

std::string ScreenModel::text() const {
  std::string text;
  for (const std::string& line : scrolled_) {
    text += line + "\n";
  }
  std::vector<std::string> screen = lines();
  while (!screen.empty() && screen.back().empty()) {
    screen.pop_back();
  }
  for (const std::string& line : screen) {
    text += line + "\n";
  }
  return text;
}

int ScreenModel::column_of(std::size_t line, std::string_view text) const {
  const Row& row = rows_[line];
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string rest;
    for (std::size_t j = i; j < row.size(); ++j) {
      rest += row[j];
    }
    if (rest.starts_with(text)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace rgx::cli::test
