#include "cli/progress_report.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "cli/progress_frame.h"
#include "cli/progress_text.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kWordCells = 5;
constexpr std::string_view kIndent = "      ";
constexpr std::size_t kLineBytesMax = 1000;
constexpr std::size_t kDetailBytesMax = 64U << 10;
/// Failures that the last words name; a log that ends in a thousand of them hides the first.
constexpr std::size_t kRepeatedMax = 20;

std::string painted(Colour colour, Tone tone, std::string_view text) {
  if (colour == Colour::off || tone == Tone::plain) {
    return std::string(text);
  }
  return std::string(tone_sequence(tone)) + std::string(text) + "\x1b[0m";
}

/// `FAIL  ` with the word coloured and the blanks not.
std::string lead(std::string_view word, Tone tone, const ReportStyle& style) {
  const std::size_t blanks = kWordCells > word.size() ? kWordCells - word.size() : 0;
  return painted(style.colour, tone, word) + std::string(blanks + 1, ' ');
}

std::string_view spoken(StepEnd end) {
  switch (end) {
    case StepEnd::succeeded:
      return "succeeded";
    case StepEnd::failed:
      return "failed";
    case StepEnd::timed_out:
      return "timed out";
    case StepEnd::refused:
      return "was denied by policy";
    case StepEnd::skipped:
      return "was skipped";
    case StepEnd::cancelled:
      return "was stopped";
    case StepEnd::unfinished:
      return "was left unfinished";
  }
  RGX_CHECK(false);
}

std::string_view spoken(RunEnd end) {
  switch (end) {
    case RunEnd::succeeded:
      return "succeeded";
    case RunEnd::failed:
      return "failed";
    case RunEnd::denied:
      return "was denied by policy";
    case RunEnd::budget_exhausted:
      return "ran out of budget";
    case RunEnd::drifted:
      return "met a changed world";
    case RunEnd::waiting:
      return "waits for approval";
    case RunEnd::interrupted:
      return "was interrupted";
    case RunEnd::aborted:
      return "stopped without a result";
  }
  RGX_CHECK(false);
}

std::string named(const StepView& step) {
  const std::string title = step_title(step);
  return printable(step.plan.id) + (title.empty() ? "" : " " + title);
}

std::string skipped_line(std::size_t skipped, const ReportStyle& style) {
  const std::string text = counted(static_cast<std::int64_t>(skipped), "step");
  return style.wording == Wording::terse ? std::string(kIndent) + text + " skipped because of it"
                                         : "Because of it, " + text + " did not run.";
}

/// `count_text` to be read aloud.
std::string spoken_counts(const Tally& tally) {
  std::string text = std::to_string(tally.succeeded) + " of " +
                     counted(static_cast<std::int64_t>(tally.total()), "step") + " succeeded";
  const auto say = [&text](std::size_t count, std::string_view word) {
    if (count > 0) {
      text += ", " + std::to_string(count) + " " + std::string(word);
    }
  };
  say(tally.failed, "failed");
  say(tally.refused, "denied");
  say(tally.asking, "waiting for approval");
  say(tally.running, "running");
  say(tally.waiting, "waiting");
  say(tally.skipped, "skipped");
  say(tally.cancelled, "stopped");
  say(tally.unfinished, "left");
  return text;
}

void append(Lines& lines, Lines more) {
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

/// One failure in the last words.
Lines repeated(const RunView& view, std::size_t index, const ReportStyle& style, Repeat repeat) {
  const StepView& step = view.steps()[index];
  const bool is_first = index == view.troubles().front();
  Lines lines;
  if (repeat == Repeat::consequences) {
    if (const std::size_t skipped = view.skipped_because_of(index); skipped > 0) {
      lines.push_back(skipped_line(skipped, style));
    }
    return lines;
  }
  lines.push_back(step_line(step, style));
  if (is_first && view.troubles().size() > 1) {
    lines.front() += style.wording == Wording::terse ? " - first cause" : " This was the first.";
  }
  append(lines, detail_lines(step, is_first ? kCauseLines : 1, style));
  if (const std::size_t skipped = view.skipped_because_of(index); skipped > 0) {
    lines.push_back(skipped_line(skipped, style));
  }
  return lines;
}

std::string end_line(const RunView& view, RunEnd end, const ReportStyle& style) {
  if (style.wording == Wording::sentences) {
    return "The run " + std::string(spoken(end)) + ": " + spoken_counts(view.tally()) + ".";
  }
  const Tone tone = end == RunEnd::succeeded ? Tone::good : Tone::bad;
  return lead("rgx", Tone::strong, style) + "run " + printable(view.run().run) + " " +
         painted(style.colour, tone, spoken(end)) + ": " + count_text(view.tally()) + " (" +
         format_age(view.last_ms() - view.announced_ms()) + ")";
}

}  // namespace

Lines opening_lines(const RunView& view, const ReportStyle& style) {
  const std::string name = printable(view.run().run);
  const std::string steps = counted(static_cast<std::int64_t>(view.steps().size()), "step");
  const std::int64_t before = view.run().done_before;
  if (style.wording == Wording::sentences) {
    return {before == 0 ? "Run " + name + " has started with " + steps + "."
                        : "Run " + name + " goes on with " + steps + "; " + std::to_string(before) +
                              " were done before."};
  }
  std::string line = lead("rgx", Tone::strong, style) + "run " + name + ": " + steps;
  if (before > 0) {
    line += " to go, " + std::to_string(before) + " done before";
  }
  const SymbolSet& symbols = symbol_set(style.symbols);
  if (!view.run().plan.empty()) {
    line += ", plan " + short_digest(view.run().plan, symbols);
  }
  if (!view.run().admission.empty()) {
    line += ", admission " + short_digest(view.run().admission, symbols);
  }
  return {line};
}

std::string step_line(const StepView& step, const ReportStyle& style) {
  // A step that was denied before it started took no time.
  const bool ran = step.end != StepEnd::refused || step.wall_ms > 0;
  if (style.wording == Wording::sentences) {
    const std::string title = step_title(step);
    const std::string summary = printable(step.summary);
    return "Step " + printable(step.plan.id) + (title.empty() ? "" : ", " + title + ",") + " " +
           std::string(spoken(step.end)) + (ran ? " after " + spoken_age(step.wall_ms) : "") +
           (summary.empty() ? "." : ": " + summary + ".");
  }
  const RowWord word = row_word(step, symbol_set(style.symbols));
  const std::string summary = step_summary(step);
  return lead(word.word, word.tone, style) + named(step) + (summary.empty() ? "" : ": " + summary) +
         (ran ? " (" + format_wall(step.wall_ms) + ")" : "");
}

Lines detail_lines(const StepView& step, std::size_t count_max, const ReportStyle& style) {
  if (step.end == StepEnd::succeeded) {
    return {};
  }
  const std::string_view detail = step.detail;
  const std::string_view end =
      detail.substr(detail.size() - std::min(detail.size(), kDetailBytesMax));
  Lines lines;
  for (const std::string& line : tail_lines(end, count_max, kLineBytesMax)) {
    lines.push_back((style.wording == Wording::terse ? std::string(kIndent) + "| " : "Detail: ") +
                    line);
  }
  return lines;
}

Lines ask_lines(const StepView& step, const ReportStyle& style) {
  const StepWaiting& asks = step.asks;
  std::string why = asks.rule.empty() ? "" : "rule " + printable(asks.rule);
  if (!asks.need.empty()) {
    why += (why.empty() ? "needs " : ", needs ") + printable(asks.need);
  }
  const std::string how = printable(asks.how);
  if (style.wording == Wording::sentences) {
    const std::string title = step_title(step);
    std::string line = "Step " + printable(step.plan.id) +
                       (title.empty() ? "" : ", " + title + ",") + " waits for approval" +
                       (why.empty() ? "" : ": " + why) + ".";
    return how.empty() ? Lines{line} : Lines{line, "To approve it: " + how};
  }
  Lines lines = {lead("ASK", Tone::careful, style) + named(step) + (why.empty() ? "" : ": " + why)};
  if (!how.empty()) {
    lines.push_back(std::string(kIndent) + how);
  }
  return lines;
}

std::string interrupted_line(const RunView& view, const ReportStyle& style) {
  const std::string running = counted(static_cast<std::int64_t>(view.tally().running), "step");
  const bool first = view.interruption() == Interruption::finish_running;
  if (style.wording == Wording::sentences) {
    return first ? "Interrupted: " + running + " will be finished. Interrupt again to stop them."
                 : "Interrupted again: " + running + " will be stopped.";
  }
  return lead("stop", Tone::careful, style) +
         (first ? "interrupted: finishing " + running + ", once more stops them"
                : "interrupted: stopping " + running);
}

std::string heartbeat_line(const RunView& view, const ReportStyle& style, std::int64_t now_ms) {
  const std::int64_t age_ms = now_ms - view.announced_ms();
  const std::vector<std::size_t> running = view.longest_silent();
  if (style.wording == Wording::sentences) {
    std::string line =
        "Still running after " + spoken_age(age_ms) + ": " + spoken_counts(view.tally()) + ".";
    if (!running.empty()) {
      const StepView& step = view.steps()[running.front()];
      line += " Step " + printable(step.plan.id) + " has run for " +
              spoken_age(now_ms - step.since_ms) + " and said nothing for " +
              spoken_age(now_ms - step.output_ms) + ".";
    }
    return line;
  }
  std::string line =
      lead("...", Tone::plain, style) + format_age(age_ms) + ": " + count_text(view.tally());
  if (!running.empty()) {
    const StepView& step = view.steps()[running.front()];
    line += "; " + named(step) + " " + format_age(now_ms - step.since_ms) + ", quiet " +
            format_age(now_ms - step.output_ms);
  }
  return line;
}

Lines closing_lines(const RunView& view, const ReportStyle& style, Repeat repeat) {
  Lines lines;
  for (const StepView& step : view.steps()) {
    // The request of a step that ended `unfinished` is still open.
    if (!step.asks.step.empty() && step.end == StepEnd::unfinished && lines.size() < kRepeatedMax) {
      append(lines, ask_lines(step, style));
    }
  }
  const std::size_t shown = std::min(kRepeatedMax, view.troubles().size());
  for (std::size_t i = 0; i < shown; ++i) {
    append(lines, repeated(view, view.troubles()[i], style, repeat));
  }
  if (shown < view.troubles().size()) {
    const std::string more =
        std::to_string(view.troubles().size() - shown) + " more failed or denied";
    lines.push_back(style.wording == Wording::terse ? std::string(kIndent) + more : more + ".");
  }
  const std::optional<RunFinished>& finished = view.finished();
  if (!finished) {
    return lines;
  }
  const RunFinished& end = *finished;
  if (view.is_announced()) {  // a run that never started has nothing to count
    lines.push_back(end_line(view, end.end, style));
  }
  std::string_view summary = end.summary;
  while (summary.ends_with('\n')) {
    summary.remove_suffix(1);
  }
  if (!summary.empty()) {
    for (const std::string_view line : split(summary, '\n')) {
      lines.push_back(escape_controls(line));
    }
  }
  return lines;
}

}  // namespace rgx::cli
