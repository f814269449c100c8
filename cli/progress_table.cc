#include "cli/progress_table.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/display_width.h"
#include "cli/progress_text.h"

namespace rgx::cli {
namespace {

struct Column {
  std::string_view heading;
  std::size_t Tally::* member;  // none: the size of the group
  Tone tone;
};

constexpr std::array<Column, 8> kColumns = {{
    {"steps", nullptr, Tone::plain},
    {"ok", &Tally::succeeded, Tone::plain},
    {"fail", &Tally::failed, Tone::bad},
    {"run", &Tally::running, Tone::plain},
    {"wait", &Tally::waiting, Tone::plain},
    {"deny", &Tally::refused, Tone::bad},
    {"ask", &Tally::asking, Tone::careful},
    {"skip", &Tally::skipped, Tone::plain},
}};
constexpr std::size_t kNarrowColumns = 5;
constexpr std::size_t kWideFrom = 70;     // cells from which all columns are shown
constexpr std::size_t kLongestFrom = 90;  // and the longest running step of each group
constexpr std::size_t kLongestCells = 30;
constexpr std::size_t kNumberCells = 6;
constexpr std::size_t kNameCellsMax = 40;
constexpr std::string_view kEllipsis = "...";

void add_up(Tally& sum, const Tally& tally) {
  for (const auto member :
       {&Tally::succeeded, &Tally::failed, &Tally::refused, &Tally::skipped, &Tally::cancelled,
        &Tally::unfinished, &Tally::running, &Tally::asking, &Tally::waiting}) {
    sum.*member += tally.*member;
  }
}

/// Lower comes first: trouble, then work, then the rest.
int urgency(const Tally& tally) {
  if (tally.failed + tally.refused + tally.asking > 0) {
    return 0;
  }
  return tally.running > 0 ? 1 : 2;
}

class Table {
 public:
  Table(const RunView& view, TableSpace space, std::int64_t now_ms)
      : view_(view),
        now_ms_(now_ms),
        longest_(space.cells >= kLongestFrom),
        columns_(space.cells >= kWideFrom ? kColumns.size() : kNarrowColumns) {
    const std::size_t taken = columns_ * number_cells() + (longest_ ? kLongestCells : 0) + 1;
    name_cells_ = std::min(kNameCellsMax, space.cells > taken + 4 ? space.cells - taken : 4);
  }

  [[nodiscard]] FrameLine headings() const {
    FrameLine line = {{.column = 1, .text = fit("group", name_cells_, kEllipsis)}};
    for (std::size_t i = 0; i < columns_; ++i) {
      add_number(line, i, std::string(kColumns[i].heading), Tone::plain);
    }
    if (longest_) {
      line.push_back({.column = end() + 2, .text = "longest running"});
    }
    return line;
  }

  [[nodiscard]] FrameLine row(std::string_view name, const Tally& tally,
                              std::optional<std::size_t> group) const {
    FrameLine line = {{.column = 1, .text = fit(name, name_cells_, kEllipsis)}};
    for (std::size_t i = 0; i < columns_; ++i) {
      const Column& column = kColumns[i];
      const std::size_t count = column.member == nullptr ? tally.total() : tally.*(column.member);
      add_number(line, i, format_count(static_cast<std::int64_t>(count)),
                 count > 0 ? column.tone : Tone::plain);
    }
    if (longest_ && group) {
      line.push_back({.column = end() + 2, .text = longest_running(*group)});
    }
    return line;
  }

 private:
  [[nodiscard]] std::size_t number_cells() const {
    return columns_ == kColumns.size() ? kNumberCells : kNumberCells - 1;
  }
  [[nodiscard]] std::size_t end() const { return 1 + name_cells_ + columns_ * number_cells(); }

  void add_number(FrameLine& line, std::size_t index, std::string text, Tone tone) const {
    const std::size_t right = 1 + name_cells_ + (index + 1) * number_cells();
    line.push_back({.column = right - text.size(), .text = std::move(text), .tone = tone});
  }

  [[nodiscard]] std::string longest_running(std::size_t group) const {
    const StepView* longest = nullptr;
    for (const std::size_t index : view_.running()) {
      const StepView& step = view_.steps()[index];
      if (step.group == group && (longest == nullptr || step.since_ms < longest->since_ms)) {
        longest = &step;
      }
    }
    if (longest == nullptr) {
      return {};
    }
    const std::string times = " " + format_age(now_ms_ - longest->since_ms) + " quiet " +
                              format_age(now_ms_ - longest->output_ms);
    return fit(printable(longest->plan.id), kLongestCells - 2 - times.size(), kEllipsis) + times;
  }

  const RunView& view_;
  std::int64_t now_ms_;
  bool longest_;
  std::size_t columns_;
  std::size_t name_cells_ = 0;
};

}  // namespace

Frame draw_group_table(const RunView& view, TableSpace space, std::int64_t now_ms) {
  const std::vector<StepGroup>& groups = view.groups();
  if (space.lines_max < 2 || groups.empty()) {
    return {};
  }
  const Table table(view, space, now_ms);
  Frame frame = {table.headings()};

  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t rows = space.lines_max - 1;
  std::size_t shown = groups.size();
  if (shown > rows) {
    shown = rows - 1;
    std::stable_sort(order.begin(), order.end(), [&groups](std::size_t left, std::size_t right) {
      return urgency(groups[left].tally) < urgency(groups[right].tally);
    });
    // Chosen by urgency, but shown in the order of the plan: rows that swap are hard to read.
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const StepGroup& group = groups[order[i]];
    frame.push_back(table.row(printable(group.name), group.tally, order[i]));
  }
  if (shown < groups.size()) {
    Tally rest;
    for (std::size_t i = shown; i < groups.size(); ++i) {
      add_up(rest, groups[order[i]].tally);
    }
    frame.push_back(
        table.row(std::to_string(groups.size() - shown) + " more groups", rest, std::nullopt));
  }
  return frame;
}

}  // namespace rgx::cli
