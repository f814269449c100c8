#include "base/yaml/source.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace rgx::yaml {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMistakesMax = 100;

std::string escape_of(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return printable(text);
}

}  // namespace

Source::Source(std::string_view text, std::string_view name) : name_(name) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  text_ = std::string(text);
  find_lines();
  if (const auto offset = find_invalid_utf8(text_)) {
    hopeless_ = true;
    mistake("yaml.invalid_utf8", *offset,
            "invalid UTF-8 at `" + printable(std::string_view(text_).substr(*offset, 1)) + "`",
            "save the file as UTF-8");
    return;
  }
  check_characters();
  check_directives();
  // Readers differ on blanks behind the last line feed; only a block text could mean them.
  const std::size_t last = text_.find_last_not_of(' ');
  if (last != std::string::npos && last + 1 < text_.size() && text_[last] == '\n') {
    text_.resize(last + 1);
    ends_in_blanks_ = true;
  }
}

void Source::find_lines() {
  line_starts_.push_back(0);
  for (std::size_t end = text_.find('\n'); end != std::string::npos;
       end = text_.find('\n', end + 1)) {
    line_starts_.push_back(end + 1);
  }
}

Position Source::position(std::size_t offset) const {
  constexpr std::size_t kStepsMax = 8;
  std::size_t line = last_line_;
  for (std::size_t steps = 0; line + 1 < line_starts_.size() && line_starts_[line + 1] <= offset;
       ++steps, ++line) {
    if (steps == kStepsMax) {
      break;
    }
  }
  const bool found = line_starts_[line] <= offset &&
                     (line + 1 == line_starts_.size() || line_starts_[line + 1] > offset);
  if (!found) {
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    line = static_cast<std::size_t>(after - line_starts_.begin()) - 1;
  }
  last_line_ = line;
  return Position{.line = static_cast<std::uint32_t>(line + 1),
                  .column = static_cast<std::uint32_t>(offset - line_starts_[line] + 1)};
}

Place Source::place(std::size_t offset) const {
  const Position at = position(offset);
  return Place{.file = name_, .line = at.line, .column = at.column};
}

void Source::mistake(std::string_view code, std::size_t offset, std::string_view message,
                     std::string_view remedy) {
  if (mistakes_.size() < kMistakesMax) {
    mistakes_.push_back(Diagnostic{.code = std::string(code),
                                   .message = std::string(message),
                                   .remedy = std::string(remedy),
                                   .place = place(offset)});
  }
}

void Source::check_characters() {
  for (std::size_t offset = 0; offset < text_.size();) {
    const auto byte = static_cast<std::uint8_t>(text_[offset]);
    const bool ordinary = (byte >= 0x20 && byte < 0x7F) || byte == '\n';
    offset += ordinary ? 1 : check_character(offset);
  }
}

/// Returns how many bytes it looked at; the text is known to be valid UTF-8.
std::size_t Source::check_character(std::size_t offset) {
  const auto point = decode_utf8(text_, offset).value_or(CodePoint{.value = 0, .bytes = 1});
  if (point.value == U'\r') {
    if (offset + 1 < text_.size() && text_[offset + 1] == '\n') {
      return 1;
    }
    hopeless_ = true;  // where lines end is then anybody's guess
    mistake("yaml.carriage_return", offset, "carriage return without a line feed",
            "end lines with LF or CRLF");
  } else if (point.value == U'\t') {
    const std::uint32_t line = position(offset).line;
    if (line != tab_line_) {
      tab_line_ = line;
      mistake("yaml.tab", offset, "tab character",
              "indent with spaces, or write `\\t` in double quotes");
    }
  } else if (point.value == 0xFEFF) {
    mistake("yaml.byte_order_mark", offset, "byte order mark inside the text", "remove it");
  } else if (point.value < 0x20 || (point.value >= 0x7F && point.value <= 0x9F) ||
             point.value == 0xFFFE || point.value == 0xFFFF) {
    mistake("yaml.control_character", offset, "control character `" + escape_of(point.value) + "`",
            "remove it, or write it as an escape in double quotes");
  } else if (is_deceptive(point.value)) {
    mistake("yaml.deceptive_character", offset,
            "invisible or reordering character `" + escape_of(point.value) + "`", "remove it");
  } else {
    return point.bytes;
  }
  std::fill_n(text_.begin() + static_cast<std::ptrdiff_t>(offset), point.bytes, ' ');
  return point.bytes;
}

void Source::check_directives() {
  for (const std::size_t start : line_starts_) {
    if (start < text_.size() && text_[start] == '%') {
      mistake("yaml.directive", start, "`%` at the start of a line is a directive",
              "remove the directive, or indent or quote the text");
      text_[start] = '#';
    }
  }
}

std::size_t quoted_end(std::string_view text, std::size_t offset) {
  const char quote = text[offset];
  for (std::size_t index = offset + 1; index < text.size(); ++index) {
    if (quote == '"' && text[index] == '\\') {
      ++index;
    } else if (text[index] == quote) {
      if (quote == '"' || index + 1 >= text.size() || text[index + 1] != quote) {
        return index + 1;
      }
      ++index;
    }
  }
  return std::string_view::npos;
}

}  // namespace rgx::yaml
