#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/progress_sink.h"

namespace rgx::cli::test {

/// A sink that keeps what is written, each write apart, and a reader with habits.
class RecordingSink final : public ProgressSink {
 public:
  void write(std::string_view bytes) override { writes.emplace_back(bytes); }
  bool flush() override { return !stuck; }
  void drain(std::int64_t /*patience_ms*/) override { ++drains; }
  TerminalSize size() override { return terminal; }
  bool take_continued() override { return std::exchange(continued, false); }

  [[nodiscard]] std::string all() const {
    std::string text;
    for (const std::string& each : writes) {
      text += each;
    }
    return text;
  }

  std::vector<std::string> writes;
  int drains = 0;
  bool stuck = false;
  bool continued = false;
  TerminalSize terminal;
};

/// How a terminal counts cells. They differ, and a picture must hold up on all of them.
enum class Widths : std::uint8_t {
  graphemes,    ///< like rgx
  code_points,  ///< joined emoji take the cells of their parts, wide characters two
  narrow,       ///< an old one: everything that is not ASCII takes one cell
};

/// A terminal in memory that obeys exactly what a live view may write, and notes anything else.
class ScreenModel {
 public:
  ScreenModel(TerminalSize size, Widths widths);

  void write(std::string_view bytes);

  /// The lines of the screen without blanks at their ends.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// What has been scrolled out of the screen, and the screen.
  [[nodiscard]] std::string text() const;
  /// The cell in which `text` begins in a line, or -1.
  [[nodiscard]] int column_of(std::size_t line, std::string_view text) const;
  [[nodiscard]] bool is_as_found() const { return wrap_ && cursor_ && !synchronized_ && !styled_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  /// Lines from the top of the screen to that of the cursor.
  [[nodiscard]] std::size_t cursor_row() const { return row_; }

 private:
  using Row = std::vector<std::string>;  // a cell each; the second half of a wide one is empty

  void put(std::string_view grapheme, std::size_t cells);
  void line_feed();
  std::size_t obey(std::string_view bytes, std::size_t at);
  void set_mode(std::string_view number, bool on);
  [[nodiscard]] std::string line_text(const Row& row) const;

  TerminalSize size_;
  Widths widths_;
  std::vector<Row> rows_;
  std::vector<std::string> scrolled_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  bool wrap_ = true;
  bool cursor_ = true;
  bool synchronized_ = false;
  bool styled_ = false;
  std::vector<std::string> complaints_;
};

}  // namespace rgx::cli::test
