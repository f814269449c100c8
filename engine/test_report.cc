#include "engine/test_report.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "engine/test_report_runners.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kNamesShown = 5;

/// Colours and cursor movements are not part of a line.
std::string without_escapes(std::string_view line) {
  std::string plain;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b' && at + 1 < line.size() && line[at + 1] == '[') {
      at += 2;
      while (at < line.size() && (line[at] < '@' || line[at] > '~')) {
        ++at;
      }
      continue;
    }
    if (line[at] != '\r') {
      plain += line[at];
    }
  }
  return plain;
}

std::string counted(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " test" : " tests");
}

}  // namespace

std::optional<TestReport> read_test_report(std::string_view output) {
  const auto readers = make_test_readers();
  std::size_t number = 0;
  for (const std::string_view raw : split(output, '\n')) {
    ++number;
    const std::string line = without_escapes(raw);
    for (const auto& reader : readers) {
      reader->line(line, number);
    }
  }
  const TestReader* last = nullptr;
  for (const auto& reader : readers) {
    if (reader->result_line() > (last == nullptr ? 0 : last->result_line())) {
      last = reader.get();
    }
  }
  return last == nullptr ? std::nullopt : std::optional(last->report());
}

std::optional<TestReport> read_test_report(std::string_view out, std::string_view err) {
  auto report = read_test_report(out);
  return report ? report : read_test_report(err);
}

Json to_json(const TestReport& report) {
  return Json::object({{"failed", report.failed},
                       {"failures", Json::array_of(report.failures)},
                       {"passed", report.passed},
                       {"runner", report.runner},
                       {"skipped", report.skipped}});
}

std::string describe(const TestReport& report) {
  if (report.failed == 0) {
    const std::string skipped =
        report.skipped == 0 ? "" : ", " + std::to_string(report.skipped) + " skipped";
    return counted(report.passed) + " passed" + skipped;
  }
  std::string text = std::to_string(report.failed) + " of " +
                     counted(report.passed + report.failed + report.skipped) + " failed";
  std::size_t shown = 0;
  for (const std::string& name : report.failures) {
    if (shown == kNamesShown) {
      text += ", ...";
      break;
    }
    text += (shown++ == 0 ? ": " : ", ") + name;
  }
  return text;
}

}  // namespace rgx::engine
