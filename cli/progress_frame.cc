#include "cli/progress_frame.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/text.h"
#include "cli/display_width.h"
#include "cli/progress_table.h"

namespace rgx::cli {
namespace {

/// Narrower terminals are drawn for this width, and cut by the terminal.
constexpr std::size_t kColumnsMin = 20;
constexpr std::size_t kWordColumn = 3;
constexpr std::size_t kIdColumn = 8;
constexpr std::size_t kIndent = kIdColumn;
constexpr std::size_t kBarCells = 26;
constexpr std::int64_t kLongQuietMs = 60'000;
constexpr std::size_t kDetailLines = 2;
constexpr std::size_t kDetailBytesMax = 400;
constexpr std::size_t kAskLinesMax = 4;
/// A frame with less room for rows has none for a table.
constexpr std::size_t kTableFrom = 8;
constexpr std::size_t kTableCellsMin = 34;
constexpr std::size_t kTableLinesMin = 4;
/// Rows of waiting and done steps beside a table.
constexpr std::size_t kBesideTableMax = 3;
/// Rows of one kind of trouble, so that no kind hides the next.
constexpr std::size_t kTroubleRowsMax = 3;

std::string padded_left(const std::string& text, std::size_t cells) {
  const std::size_t width = display_width(text);
  return width < cells ? std::string(cells - width, ' ') + text : text;
}

std::string padded_right(const std::string& text, std::size_t cells) {
  const std::size_t width = display_width(text);
  return width < cells ? text + std::string(cells - width, ' ') : text;
}

class Painter {
 public:
  Painter(const RunView& view, TerminalSize size, Symbols symbols, std::int64_t now_ms)
      : view_(view),
        symbols_(symbol_set(symbols)),
        now_ms_(std::max(now_ms, view.last_ms())),
        // The last column stays free: some terminals wrap as soon as it is filled.
        cells_(std::max(size.columns, kColumnsMin) - 1),
        rows_(std::min(kFrameRowsMax, std::max<std::size_t>(size.rows, 2) - 1)) {}

  Frame draw();

 private:
  struct Row {
    std::size_t step = 0;
    std::vector<std::string> extra;  // lines under it
  };

  [[nodiscard]] std::size_t left(const Frame& frame) const { return rows_ - frame.size(); }
  [[nodiscard]] std::string cut(std::string_view text, std::size_t cells) const {
    return fit(text, cells, symbols_.ellipsis);
  }

  [[nodiscard]] Frame header() const;
  [[nodiscard]] FrameLine title_line() const;
  [[nodiscard]] FrameLine bar_line() const;
  [[nodiscard]] FrameLine interrupted_line() const;
  [[nodiscard]] std::pair<FrameLine, FrameLine> count_lines() const;
  [[nodiscard]] std::string meter_text(std::size_t cells) const;

  void choose_rows(std::size_t lines);
  std::size_t choose_attention(std::size_t lines);
  [[nodiscard]] std::vector<std::string> ask_lines(const StepView& step) const;
  [[nodiscard]] std::vector<std::string> cause_lines(std::size_t step) const;
  void add_rows(Frame& frame) const;
  [[nodiscard]] FrameLine row_line(const Row& row, std::size_t id_cells) const;
  [[nodiscard]] std::string right_text(const StepView& step, std::size_t index) const;
  [[nodiscard]] FrameLine footer() const;

  const RunView& view_;
  const SymbolSet& symbols_;
  std::int64_t now_ms_;
  std::size_t cells_;
  std::size_t rows_;

  std::vector<Row> chosen_;
  std::size_t table_lines_ = 0;
  Tally shown_;  // how many of each kind are among the chosen rows
};

FrameLine Painter::title_line() const {
  std::string rest;
  const RunAnnounced& run = view_.run();
  for (const auto& [name, digest] :
       {std::pair("plan", &run.plan), std::pair("admission", &run.admission)}) {
    if (!digest->empty()) {
      rest += " " + std::string(symbols_.separator) + " " + name + " " +
              short_digest(*digest, symbols_);
    }
  }
  const std::string head = cut("rgx run " + printable(run.run), cells_);
  FrameLine line = {{.column = 0, .text = head, .tone = Tone::strong}};
  const std::size_t at = display_width(head);
  if (!rest.empty() && at + display_width(rest) <= cells_) {
    line.push_back({.column = at, .text = rest, .tone = Tone::faint});
  }
  return line;
}

FrameLine Painter::bar_line() const {
  const Tally& tally = view_.tally();
  const std::size_t total = std::max<std::size_t>(tally.total(), 1);
  const std::size_t open = tally.running + tally.asking + tally.waiting;
  const std::size_t cells = std::min(kBarCells, cells_ / 3);
  const std::size_t full = (total - std::min(open, total)) * cells / total;
  std::string bar = " [" + std::string(full, '=');
  if (full < cells) {
    bar += ">" + std::string(cells - full - 1, '.');
  }
  bar += "] " + format_age(now_ms_ - view_.announced_ms());
  FrameLine line = {{.column = 0, .text = bar, .tone = Tone::plain}};

  const std::size_t phase = view_.phase();
  if (phase < view_.phases().size() && !view_.phases()[phase].empty()) {
    std::string text = "  phase " + printable(view_.phases()[phase]);
    if (view_.phases().size() > 1) {
      text += " " + std::to_string(phase + 1) + "/" + std::to_string(view_.phases().size());
    }
    const std::size_t at = display_width(bar);
    if (at < cells_) {
      line.push_back({.column = at, .text = cut(text, cells_ - at), .tone = Tone::plain});
    }
  }
  return line;
}

FrameLine Painter::interrupted_line() const {
  const std::string running = counted(static_cast<std::int64_t>(view_.tally().running), "step");
  const bool first = view_.interruption() == Interruption::finish_running;
  const std::string text = first ? " interrupted: finishing " + running + ", once more stops them"
                                 : " interrupted: stopping " + running;
  return {{.column = 0, .text = cut(text, cells_), .tone = Tone::careful}};
}

/// As many meters as fit, the nearly spent ones first.
std::string Painter::meter_text(std::size_t cells) const {
  std::vector<const Meter*> meters;
  for (const Meter& meter : view_.meters()) {
    if (meter.limit > 0 && (meter.spent > 0 || meter.reserved > 0)) {
      meters.push_back(&meter);
    }
  }
  std::stable_partition(meters.begin(), meters.end(),
                        [](const Meter* meter) { return is_nearly_spent(*meter); });
  std::string text;
  for (const Meter* meter : meters) {
    std::string longer = text + (text.empty() ? "" : "  ") + format_meter(*meter) +
                         (is_nearly_spent(*meter) ? "!" : "");
    if (display_width(longer) > cells) {
      break;
    }
    text = std::move(longer);
  }
  return text;
}

/// The counts, and the budget beside them or, where that does not fit, on a line of its own.
std::pair<FrameLine, FrameLine> Painter::count_lines() const {
  FrameLine counts;
  std::size_t at = 1;
  for (const CountPart& part : count_parts(view_.tally())) {
    if (at + display_width(part.text) > cells_) {
      break;
    }
    counts.push_back({.column = at, .text = part.text, .tone = part.tone});
    at += display_width(part.text) + 2;
  }
  const std::string all = meter_text(cells_ - 1);
  const std::size_t width = display_width(all);
  if (width == 0) {
    return {counts, {}};
  }
  if (at + 1 + width <= cells_) {
    counts.push_back({.column = cells_ - width, .text = all, .tone = Tone::plain});
    return {counts, {}};
  }
  return {counts, {{.column = 1, .text = all, .tone = Tone::plain}}};
}

/// At most a third of the frame; what matters least is left out first.
Frame Painter::header() const {
  const std::size_t lines_max = std::max<std::size_t>(1, rows_ / 3);
  const auto [counts, meters] = count_lines();
  Frame frame = {counts};
  const auto has_room = [&] { return frame.size() < lines_max; };
  if (view_.interruption() && has_room()) {
    frame.push_back(interrupted_line());
  }
  if (has_room()) {
    frame.push_back(bar_line());
  }
  if (!meters.empty() && has_room()) {
    frame.push_back(meters);
  }
  if (has_room()) {
    frame.insert(frame.begin(), title_line());
  }
  return frame;
}

std::vector<std::string> Painter::ask_lines(const StepView& step) const {
  std::string why = printable(step.asks.rule);
  if (!why.empty()) {
    why = "rule " + why;
  }
  if (!step.asks.need.empty()) {
    why += (why.empty() ? "needs " : ", needs ") + printable(step.asks.need);
  }
  std::vector<std::string> lines;
  if (!why.empty()) {
    lines.push_back(cut(why, cells_ - kIndent));
  }
  // The command is there to be copied, so it is wrapped and never cut.
  for (std::string& piece : wrap(printable(step.asks.how), cells_ - kIndent)) {
    lines.push_back(std::move(piece));
  }
  return lines;
}

std::vector<std::string> Painter::cause_lines(std::size_t step) const {
  std::vector<std::string> lines =
      tail_lines(view_.steps()[step].detail, kDetailLines, kDetailBytesMax);
  for (std::string& line : lines) {
    line = cut(line, cells_ - kIndent);
  }
  if (const std::size_t skipped = view_.skipped_because_of(step); skipped > 0) {
    lines.push_back(
        cut(counted(static_cast<std::int64_t>(skipped), "step") + " skipped because of it",
            cells_ - kIndent));
  }
  return lines;
}

/// Requests, failures and denials within `lines`; returns how many they take.
std::size_t Painter::choose_attention(std::size_t lines) {
  std::vector<std::vector<std::size_t>> kinds(3);
  kinds[0].assign(view_.asking().begin(), view_.asking().end());
  for (const std::size_t step : view_.troubles()) {
    kinds[view_.steps()[step].end == StepEnd::refused ? 2U : 1U].push_back(step);
  }
  std::size_t used = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    // Each later kind that has something keeps a line.
    const auto later = static_cast<std::size_t>(
        std::count_if(kinds.begin() + static_cast<std::ptrdiff_t>(kind) + 1, kinds.end(),
                      [](const auto& steps) { return !steps.empty(); }));
    std::size_t rows = 0;
    for (const std::size_t step : kinds[kind]) {
      const std::size_t open = lines - used;
      if (open == 0 || rows == kTroubleRowsMax || (rows > 0 && open <= later)) {
        break;
      }
      // The first of a kind comes before what the later ones keep.
      const std::size_t room = open > later ? open - later : 1;
      Row row{.step = step, .extra = {}};
      const bool is_cause = kind > 0 && step == view_.troubles().front();
      if (kind == 0 && rows == 0) {
        row.extra = ask_lines(view_.steps()[step]);
      } else if (is_cause) {
        row.extra = cause_lines(step);
      }
      // A command that is cut is worse than none; `rgx show` has it.
      if (kind == 0 && (row.extra.size() > kAskLinesMax || row.extra.size() + 1 > room)) {
        row.extra.clear();
      }
      if (row.extra.size() + 1 > room) {  // what comes last says most
        const auto excess = static_cast<std::ptrdiff_t>(row.extra.size() + 1 - room);
        row.extra.erase(row.extra.begin(), row.extra.begin() + excess);
      }
      used += 1 + row.extra.size();
      ++rows;
      chosen_.push_back(std::move(row));
    }
  }
  return used;
}

void Painter::choose_rows(std::size_t lines) {
  const bool grouped =
      view_.steps().size() >= kFrameGroupsFrom && lines >= kTableFrom && cells_ >= kTableCellsMin;
  const std::size_t groups = grouped ? view_.groups().size() + 1 : 0;
  const std::size_t table = std::min(kTableLinesMin, groups);
  const std::vector<std::size_t> running = view_.longest_silent();
  const std::size_t reserve = table + (running.empty() ? 0 : 1);

  lines -= choose_attention(lines > reserve ? lines - reserve : std::min<std::size_t>(lines, 1));
  const std::size_t running_max = std::min(kFrameRunningMax, lines - std::min(lines, table));
  for (std::size_t i = 0; i < running.size() && i < running_max; ++i) {
    chosen_.push_back({.step = running[i], .extra = {}});
    --lines;
  }
  table_lines_ = std::min(lines, groups);
  lines -= table_lines_;
  if (grouped) {
    lines = std::min(lines, kBesideTableMax);
  }
  if (const auto last = view_.last_succeeded(); last && lines > 0) {
    chosen_.push_back({.step = *last, .extra = {}});
    --lines;
  }
  for (const std::size_t step : view_.waiting(lines)) {
    chosen_.push_back({.step = step, .extra = {}});
  }
  for (const Row& row : chosen_) {
    ++shown_.of(view_.steps()[row.step]);
  }
}

std::string Painter::right_text(const StepView& step, std::size_t index) const {
  std::string age = format_age(now_ms_ - step.since_ms);
  switch (step.stage) {
    case StepStage::waiting:
      return cut(waiting_reason(view_, index), cells_ / 3);
    case StepStage::asking:
      return age;
    case StepStage::running:
      break;
    case StepStage::ended:
      return step.end == StepEnd::succeeded ? format_wall(step.wall_ms)
                                            : format_ago(now_ms_ - step.since_ms);
  }
  const std::int64_t quiet_ms = now_ms_ - step.output_ms;
  const std::string quiet = format_age(quiet_ms) + (quiet_ms >= kLongQuietMs ? "!" : "");
  const bool wide = cells_ >= 70;
  std::string text = padded_left(age, wide ? 7 : 0) + (wide ? "  quiet " : " quiet ") +
                     padded_right(quiet, wide ? 7 : 0);
  if (wide) {
    text = padded_left(step.output_bytes > 0 ? format_bytes(step.output_bytes) : "", 8) + text;
  }
  return text;
}

FrameLine Painter::row_line(const Row& row, std::size_t id_cells) const {
  const StepView& step = view_.steps()[row.step];
  const RowWord word = row_word(step, symbols_);
  FrameLine line = {{.column = 1, .text = std::string(word.symbol), .tone = word.tone},
                    {.column = kWordColumn, .text = std::string(word.word), .tone = word.tone},
                    {.column = kIdColumn,
                     .text = fit_middle(printable(step.plan.id), id_cells, symbols_.ellipsis),
                     .tone = Tone::plain}};

  const std::string right = right_text(step, row.step);
  const std::size_t right_width = display_width(right);
  const std::size_t right_column = cells_ - std::min(cells_, right_width);
  const std::size_t begin = kIdColumn + id_cells + 1;
  if (begin + 1 < right_column) {
    const std::size_t room = right_column - 1 - begin;
    std::string title = step_title(step);
    const std::string summary = step.stage == StepStage::ended ? step_summary(step) : "";
    if (!summary.empty()) {
      // What came of it counts more than what it was: the title gives way.
      const std::string end = cut(": " + summary, room);
      const std::size_t end_width = display_width(end);
      title = cut(title, std::max(room / 3, room - end_width));
      title = cut(title + ": " + summary, room);
    }
    line.push_back({.column = begin, .text = cut(title, room), .tone = Tone::plain});
  }
  if (right_column > begin && right_width > 0) {
    const bool silent = step.stage == StepStage::running && right.find('!') != std::string::npos;
    line.push_back(
        {.column = right_column, .text = right, .tone = silent ? Tone::careful : Tone::plain});
  }
  return line;
}

void Painter::add_rows(Frame& frame) const {
  std::size_t id_cells = 2;
  for (const Row& row : chosen_) {
    id_cells = std::max(id_cells, display_width(printable(view_.steps()[row.step].plan.id)));
  }
  id_cells = std::min(id_cells, std::max<std::size_t>(6, cells_ / 4));
  for (const Row& row : chosen_) {
    frame.push_back(row_line(row, id_cells));
    for (const std::string& line : row.extra) {
      frame.push_back({{.column = kIndent, .text = line, .tone = Tone::plain}});
    }
  }
}

/// What the rows above do not show, in the same words as the counts.
FrameLine Painter::footer() const {
  const Tally& all = view_.tally();
  Tally hidden;
  hidden.failed = all.failed - shown_.failed;
  hidden.refused = all.refused - shown_.refused;
  hidden.asking = all.asking - shown_.asking;
  hidden.running = all.running - shown_.running;
  if (table_lines_ < 2) {
    hidden.waiting = all.waiting - shown_.waiting;
    hidden.succeeded = all.succeeded - shown_.succeeded;
  }
  std::string text;
  const auto add = [&text](std::size_t count, std::string_view word) {
    if (count > 0) {
      text += (text.empty() ? " " : ", ") + std::to_string(count) + " more " + std::string(word);
    }
  };
  add(hidden.asking, hidden.asking == 1 ? "asks" : "ask");
  add(hidden.failed, "FAILED");
  add(hidden.refused, "DENIED");
  add(hidden.running, "running");
  add(hidden.succeeded, "ok");
  add(hidden.waiting, "waiting");
  if (text.empty()) {
    return {};
  }
  return {{.column = 0, .text = cut(text, cells_), .tone = Tone::plain}};
}

Frame Painter::draw() {
  Frame frame = header();
  // The footer has its line even where it turns out empty: the height should not jump.
  if (left(frame) > 1) {
    choose_rows(left(frame) - 1);
    add_rows(frame);
    if (table_lines_ > 1) {
      Frame table = draw_group_table(view_, {.lines_max = table_lines_, .cells = cells_}, now_ms_);
      std::move(table.begin(), table.end(), std::back_inserter(frame));
    }
    if (FrameLine line = footer(); !line.empty()) {
      frame.push_back(std::move(line));
    }
  }
  return frame;
}

}  // namespace

Frame draw_frame(const RunView& view, TerminalSize size, Symbols symbols, std::int64_t now_ms) {
  return Painter(view, size, symbols, now_ms).draw();
}

}  // namespace rgx::cli
