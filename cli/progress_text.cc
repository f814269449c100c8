#include "cli/progress_text.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

constexpr SymbolSet kAscii = {.ask = "?",
                              .failed = "x",
                              .refused = "!",
                              .running = ">",
                              .succeeded = "+",
                              .waiting = ".",
                              .skipped = "-",
                              .ellipsis = "...",
                              .separator = "-"};
constexpr SymbolSet kUnicode = {.ask = "?",
                                .failed = "✗",
                                .refused = "!",
                                .running = "▸",
                                .succeeded = "✓",
                                .waiting = "·",
                                .skipped = "-",
                                .ellipsis = "…",
                                .separator = "·"};

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::size_t kDigestEnd = 4;

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

/// `1.2` of 1234567 and a million; no decimal from ten on.
std::string scaled(std::int64_t value, std::int64_t unit) {
  const std::int64_t whole = value / unit;
  if (whole >= 10) {
    return std::to_string(whole);
  }
  const std::int64_t tenth = value % unit * 10 / unit;
  return tenth == 0 ? std::to_string(whole) : std::to_string(whole) + "." + std::to_string(tenth);
}

std::string format_dollars(std::int64_t micros) {
  return std::to_string(micros / 1'000'000) + "." + two_digits(micros / 10'000 % 100);
}

/// At most `bytes_max` of a line, not ending inside of a character.
std::string_view whole_prefix(std::string_view line, std::size_t bytes_max) {
  if (line.size() <= bytes_max) {
    return line;
  }
  const auto continues = [line](std::size_t at) {
    return (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
  };
  std::size_t end = bytes_max;
  for (std::size_t back = 0; back < 3 && end > 0 && continues(end); ++back) {
    --end;
  }
  return line.substr(0, end);
}

/// Tabs as blanks: the one control that test programs print all the time.
std::string spaced(std::string_view line) {
  std::string text;
  for (const char c : line) {
    text += c == '\t' ? std::string("    ") : std::string(1, c);
  }
  return text;
}

struct MeterForm {
  std::string_view name;
  std::string_view label;
  std::string (*format)(std::int64_t);
};

constexpr std::array<MeterForm, 4> kMeterForms = {{
    {"cost_usd_micros", "USD", format_dollars},
    {"wall_ms", "time", format_age},
    {"files_changed", "files", format_count},
    {"bytes_written", "written", format_bytes},
}};

}  // namespace

const SymbolSet& symbol_set(Symbols symbols) {
  return symbols == Symbols::unicode ? kUnicode : kAscii;
}

RowWord row_word(const StepView& step, const SymbolSet& symbols) {
  switch (step.stage) {
    case StepStage::waiting:
      return {"wait", symbols.waiting, Tone::plain};
    case StepStage::asking:
      return {"ASK", symbols.ask, Tone::careful};
    case StepStage::running:
      return {"run", symbols.running, Tone::strong};
    case StepStage::ended:
      break;
  }
  switch (step.end) {
    case StepEnd::succeeded:
      return {"ok", symbols.succeeded, Tone::good};
    case StepEnd::failed:
    case StepEnd::timed_out:
      return {"FAIL", symbols.failed, Tone::bad};
    case StepEnd::refused:
      return {"DENY", symbols.refused, Tone::bad};
    case StepEnd::skipped:
      return {"skip", symbols.skipped, Tone::plain};
    case StepEnd::cancelled:
      return {"stop", symbols.skipped, Tone::careful};
    case StepEnd::unfinished:
      return {"left", symbols.waiting, Tone::plain};
  }
  RGX_CHECK(false);
}

std::string format_age(std::int64_t ms) {
  ms = std::max<std::int64_t>(ms, 0);
  if (ms < kMinute) {
    return std::to_string(ms / kSecond) + "s";
  }
  if (ms < kHour) {
    return std::to_string(ms / kMinute) + "m" + two_digits(ms / kSecond % 60) + "s";
  }
  if (ms < kDay) {
    return std::to_string(ms / kHour) + "h" + two_digits(ms / kMinute % 60) + "m";
  }
  return std::to_string(ms / kDay) + "d" + two_digits(ms / kHour % 24) + "h";
}

std::string format_ago(std::int64_t ms) {
  ms = std::max<std::int64_t>(ms, 0);
  if (ms < kMinute) {
    return std::to_string(ms / kSecond) + "s ago";
  }
  if (ms < kHour) {
    return std::to_string(ms / kMinute) + "m ago";
  }
  return ms < kDay ? std::to_string(ms / kHour) + "h ago" : std::to_string(ms / kDay) + "d ago";
}

std::string format_wall(std::int64_t ms) {
  return ms >= 0 && ms < kSecond ? std::to_string(ms) + "ms" : format_age(ms);
}

std::string spoken_age(std::int64_t ms) {
  ms = std::max<std::int64_t>(ms, 0);
  std::string text;
  const auto say = [&text](std::int64_t count, std::string_view unit) {
    if (count > 0) {
      text += (text.empty() ? "" : " ") + counted(count, unit);
    }
  };
  say(ms / kDay, "day");
  say(ms / kHour % 24, "hour");
  say(ms / kMinute % 60, "minute");
  if (ms < kHour) {
    say(ms / kSecond % 60, "second");
  }
  return text.empty() ? "less than a second" : text;
}

std::string format_bytes(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 4> kUnits = {"kB", "MB", "GB", "TB"};
  bytes = std::max<std::int64_t>(bytes, 0);
  if (bytes < 1000) {
    return std::to_string(bytes) + " B";
  }
  std::int64_t unit = 1000;
  std::size_t index = 0;
  while (index + 1 < kUnits.size() && bytes / unit >= 1000) {
    unit *= 1000;
    ++index;
  }
  return scaled(bytes, unit) + " " + std::string(kUnits[index]);
}

std::string format_count(std::int64_t count) {
  if (count < 1000) {
    return std::to_string(count);
  }
  return count < 1'000'000 ? scaled(count, 1000) + "k" : scaled(count, 1'000'000) + "M";
}

std::string format_meter(const Meter& meter) {
  const auto* form =
      std::find_if(kMeterForms.begin(), kMeterForms.end(),
                   [&meter](const MeterForm& each) { return each.name == meter.name; });
  const bool known = form != kMeterForms.end();
  auto* const format = known ? form->format : format_count;
  std::string text = known ? std::string(form->label) : printable(meter.name);
  text += " " + format(meter.spent);
  if (meter.reserved > 0) {
    text += "+" + format(meter.reserved);
  }
  return text + "/" + format(meter.limit);
}

bool is_nearly_spent(const Meter& meter) {
  // By division, which cannot overflow.
  return meter.limit > 0 && meter.spent >= meter.limit - meter.limit / 5 - meter.reserved;
}

std::string short_digest(std::string_view digest, const SymbolSet& symbols) {
  if (const std::size_t colon = digest.find(':'); colon != std::string_view::npos) {
    digest.remove_prefix(colon + 1);
  }
  if (digest.size() <= 2 * kDigestEnd + 1) {
    return printable(digest);
  }
  return printable(digest.substr(0, kDigestEnd)) + std::string(symbols.ellipsis) +
         printable(digest.substr(digest.size() - kDigestEnd));
}

std::string step_title(const StepView& step) {
  std::string title = printable(step.plan.tool);
  if (!step.plan.title.empty()) {
    title += (title.empty() ? "" : " ") + printable(step.plan.title);
  }
  return title;
}

std::string step_summary(const StepView& step) {
  std::string summary = printable(step.summary);
  if (step.stage == StepStage::ended && step.end == StepEnd::timed_out) {
    return summary.empty() ? "timed out" : "timed out: " + summary;
  }
  return summary;
}

std::string waiting_reason(const RunView& view, std::size_t step) {
  std::string first;
  std::int64_t more = 0;
  for (const std::string& need : view.steps()[step].plan.needs) {
    const auto found = view.find(need);
    const bool is_met = found && view.steps()[*found].stage == StepStage::ended &&
                        view.steps()[*found].end == StepEnd::succeeded;
    if (is_met) {
      continue;
    }
    if (first.empty()) {
      first = "after " + printable(need);
    } else {
      ++more;
    }
  }
  if (first.empty()) {
    return view.interruption() ? "stopping" : "for a slot";
  }
  return more == 0 ? first : first + " and " + std::to_string(more) + " more";
}

std::vector<CountPart> count_parts(const Tally& tally) {
  std::vector<CountPart> parts = {
      {std::to_string(tally.succeeded) + "/" + std::to_string(tally.total()) + " ok",
       tally.succeeded == tally.total() ? Tone::good : Tone::plain}};
  const auto add = [&parts](std::size_t count, std::string_view word, Tone tone) {
    if (count > 0) {
      parts.push_back({std::to_string(count) + " " + std::string(word), tone});
    }
  };
  add(tally.failed, "FAILED", Tone::bad);
  add(tally.refused, "DENIED", Tone::bad);
  add(tally.asking, tally.asking == 1 ? "asks" : "ask", Tone::careful);
  add(tally.running, "running", Tone::strong);
  add(tally.waiting, "waiting", Tone::plain);
  add(tally.skipped, "skipped", Tone::plain);
  add(tally.cancelled, "stopped", Tone::careful);
  add(tally.unfinished, "left", Tone::plain);
  return parts;
}

std::string count_text(const Tally& tally) {
  std::string text;
  for (const CountPart& part : count_parts(tally)) {
    text += (text.empty() ? "" : ", ") + part.text;
  }
  return text;
}

std::vector<std::string> tail_lines(std::string_view output, std::size_t count_max,
                                    std::size_t bytes_max) {
  std::vector<std::string> lines;
  std::size_t end = output.size();
  while (lines.size() < count_max && end > 0) {
    const std::size_t feed = output.substr(0, end).rfind('\n');
    const std::size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
    std::string_view line = output.substr(begin, end - begin);
    end = feed == std::string_view::npos ? 0 : feed;
    while (line.ends_with('\r') || line.ends_with(' ')) {
      line.remove_suffix(1);
    }
    if (line.empty()) {
      continue;
    }
    const std::string_view kept = whole_prefix(line, bytes_max);
    lines.push_back(escape_controls(spaced(kept)) + (kept.size() < line.size() ? " ..." : ""));
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace rgx::cli
