#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// The bytes of one YAML file, checked for what the parser's events cannot show: encoding, control
// and invisible characters, tabs, directives, line ends. Not for use outside base/yaml.

namespace rgx::yaml {

/// 1-based line and byte column; the byte order mark does not count.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Source {
 public:
  /// Checks `text`; `name` is the file name in messages.
  Source(std::string_view text, std::string_view name);

  /// What the parser reads: the text without a byte order mark, each refused byte replaced by a
  /// harmless one of the same length, so that offsets stay and the parser can go on.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Replaces one byte for another parse.
  void patch(std::size_t offset, char replacement) { text_[offset] = replacement; }

  /// Quickest for offsets that rise, as those of events do.
  [[nodiscard]] Position position(std::size_t offset) const;
  [[nodiscard]] Place place(std::size_t offset) const;

  [[nodiscard]] std::vector<Diagnostic>& mistakes() { return mistakes_; }
  /// The text is so broken that parsing it would only produce more noise.
  [[nodiscard]] bool hopeless() const { return hopeless_; }
  /// The last line was blanks without a line feed, and was dropped.
  [[nodiscard]] bool ends_in_blanks() const { return ends_in_blanks_; }

 private:
  void find_lines();
  void check_characters();
  void check_directives();
  std::size_t check_character(std::size_t offset);
  void mistake(std::string_view code, std::size_t offset, std::string_view message,
               std::string_view remedy);

  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
  mutable std::size_t last_line_ = 0;  ///< index of the line last asked for
  std::vector<Diagnostic> mistakes_;
  std::size_t tab_line_ = 0;  ///< line of the last tab, of which one a line is told
  bool hopeless_ = false;
  bool ends_in_blanks_ = false;
};

/// Offset behind the quoted scalar that starts at `offset`, npos when it is never closed.
[[nodiscard]] std::size_t quoted_end(std::string_view text, std::size_t offset);

}  // namespace rgx::yaml
