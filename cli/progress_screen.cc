#include "cli/display_width.h"
#include "cli/progress_frame.h"

#include "base/check.h"

// How a frame reaches a terminal. One string a frame, written at once: modes, cursor up over the
// last frame, each line over what stood there, and the modes back.

namespace rgx::cli {
namespace {

constexpr std::string_view kBegin =
    "\x1b[?2026h\x1b[?25l\x1b[?7l";  // synchronized, no cursor, no wrap
constexpr std::string_view kEnd = "\x1b[?7h\x1b[?25h\x1b[?2026l";
constexpr std::string_view kWrapOn = "\x1b[?7h";
constexpr std::string_view kWrapOff = "\x1b[?7l";
constexpr std::string_view kEraseLine = "\x1b[K";
constexpr std::string_view kEraseBelow = "\x1b[J";
constexpr std::string_view kPlainTone = "\x1b[0m";

std::string sequence(std::size_t count, char final) {
  return "\x1b[" + std::to_string(count) + final;
}

void append_line(std::string& out, const FrameLine& line, Colour colour) {
  out += '\r';
  if (line.empty()) {
    out += kEraseLine;
  }
  bool first = true;
  for (const FrameCell& cell : line) {
    if (first) {
      out.append(cell.column, ' ');
    } else {
      out += sequence(cell.column + 1, 'G');
    }
    first = false;
    const bool painted = colour == Colour::on && cell.tone != Tone::plain;
    if (painted) {
      out += tone_sequence(cell.tone);
    }
    out += cell.text;
    if (painted) {
      out += kPlainTone;
    }
    out += kEraseLine;
  }
  out += "\r\n";
}

}  // namespace

std::string_view tone_sequence(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::careful:
      return "\x1b[33m";
    case Tone::faint:
      return "\x1b[90m";
    case Tone::strong:
      return "\x1b[36m";
  }
  RGX_CHECK(false);
}

std::string to_text(const Frame& frame) {
  std::string out;
  for (const FrameLine& line : frame) {
    std::size_t at = 0;
    for (const FrameCell& cell : line) {
      if (cell.column > at) {
        out.append(cell.column - at, ' ');
        at = cell.column;
      }
      out += cell.text;
      at += display_width(cell.text);
    }
    while (out.ends_with(' ')) {
      out.pop_back();
    }
    out += '\n';
  }
  return out;
}

std::string to_terminal(const Frame& frame, const Repaint& repaint) {
  std::string out(kBegin);
  if (repaint.lines_before > 0) {
    out += sequence(repaint.lines_before, 'A');
  }
  if (!repaint.above.empty()) {
    out += '\r';
    out += kEraseBelow;
    out += kWrapOn;
    for (const std::string& line : repaint.above) {
      out += line;
      out += "\r\n";
    }
    out += kWrapOff;
  }
  for (const FrameLine& line : frame) {
    append_line(out, line, repaint.colour);
  }
  if (repaint.above.empty() && frame.size() < repaint.lines_before) {
    out += kEraseBelow;
  }
  out += kEnd;
  return out;
}

}  // namespace rgx::cli
