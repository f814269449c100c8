#include "cli/policy_test_report.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace rgx::cli {
namespace {

constexpr std::int64_t kWhole = 100;

std::size_t failures(const TestedFile& file) {
  return static_cast<std::size_t>(std::ranges::count_if(
      file.report.results, [](const policy::CaseResult& result) { return !result.passed; }));
}

std::string number(std::size_t value) {
  return std::to_string(value);
}

std::string file_line(const TestedFile& file, Colour colour) {
  const std::size_t failed = failures(file);
  const std::size_t all = file.tests.cases.size();
  return paint(colour, failed == 0 ? Tone::good : Tone::bad, failed == 0 ? "ok" : "FAIL") + "  " +
         printable(file.tests.file) + "  " + number(all - failed) + " of " +
         counted(static_cast<std::int64_t>(all), "case") + " passed\n";
}

std::string failure_lines(const TestedFile& file) {
  std::string text;
  for (std::size_t i = 0; i < file.tests.cases.size(); ++i) {
    const policy::CaseResult& result = file.report.results[i];
    if (result.passed) {
      continue;
    }
    const policy::TestCase& test = file.tests.cases[i];
    text += "  " + to_string(test.place) + ": " + printable(test.name) + "\n    " +
            printable(result.difference) + '\n';
    const std::string decision = policy::describe(result.decision);
    for (const std::string_view line : split(decision, '\n')) {
      text += line.empty() ? "" : "      " + printable(line) + '\n';
    }
  }
  return text;
}

std::string coverage_line(const PolicyCoverage& coverage, std::int64_t floor, Colour colour) {
  const std::int64_t percent = coverage.percent();
  std::string text = paint(colour, percent < floor ? Tone::bad : Tone::plain, "rules covered") +
                     "  " + printable(coverage.policy_file) + "  " +
                     number(coverage.rules - coverage.uncovered.size()) + " of " +
                     number(coverage.rules) + " (" + std::to_string(percent) + " %)";
  text += percent < floor ? ", " + std::to_string(floor) + " % asked for\n" : "\n";
  for (const std::string& rule : coverage.uncovered) {
    text += "  no case is decided by `" + rule + "`\n";
  }
  return text;
}

Json case_json(const policy::TestCase& test, const policy::CaseResult& result) {
  Json rules = Json::array();
  for (const policy::RuleHit& hit : result.decision.deciding) {
    rules.push(hit.rule);
  }
  return Json::object({{"decision", std::string(policy::to_string(result.decision.effect))},
                       {"difference", result.difference},
                       {"expected", std::string(policy::to_string(test.decision))},
                       {"line", static_cast<std::int64_t>(test.place.line)},
                       {"name", test.name},
                       {"passed", result.passed},
                       {"rules", std::move(rules)}});
}

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string junit_case(const TestedFile& file, std::size_t index) {
  const policy::TestCase& test = file.tests.cases[index];
  const policy::CaseResult& result = file.report.results[index];
  std::string text = "    <testcase classname=\"" + xml(file.tests.policy) + "\" name=\"" +
                     xml(test.name) + "\" file=\"" + xml(file.tests.file) + "\" line=\"" +
                     std::to_string(test.place.line) + "\"";
  if (result.passed) {
    return text + "/>\n";
  }
  return text + ">\n      <failure message=\"" + xml(result.difference) + "\"/>\n    </testcase>\n";
}

}  // namespace

std::int64_t PolicyCoverage::percent() const {
  const auto covered = static_cast<std::int64_t>(rules - uncovered.size());
  return rules == 0 ? kWhole : covered * kWhole / static_cast<std::int64_t>(rules);
}

std::vector<PolicyCoverage> coverage_of(const std::vector<TestedFile>& files) {
  std::vector<PolicyCoverage> all;
  for (const TestedFile& file : files) {
    const auto known = std::ranges::find(all, file.policy_file, &PolicyCoverage::policy_file);
    if (known == all.end()) {
      all.push_back({file.policy_file, file.report.rules.size(), file.report.uncovered});
      continue;
    }
    std::vector<std::string> both;
    std::ranges::set_intersection(known->uncovered, file.report.uncovered,
                                  std::back_inserter(both));
    known->uncovered = std::move(both);
  }
  return all;
}

std::size_t failed_cases(const std::vector<TestedFile>& files) {
  std::size_t failed = 0;
  for (const TestedFile& file : files) {
    failed += failures(file);
  }
  return failed;
}

std::string test_report_text(const std::vector<TestedFile>& files, std::int64_t floor,
                             Colour colour) {
  std::string text;
  for (const TestedFile& file : files) {
    text += file_line(file, colour) + failure_lines(file);
  }
  for (const PolicyCoverage& coverage : coverage_of(files)) {
    text += coverage_line(coverage, floor, colour);
  }
  return text;
}

Json test_report_json(const std::vector<TestedFile>& files) {
  Json list = Json::array();
  for (const TestedFile& file : files) {
    Json cases = Json::array();
    for (std::size_t i = 0; i < file.tests.cases.size(); ++i) {
      cases.push(case_json(file.tests.cases[i], file.report.results[i]));
    }
    list.push(Json::object({{"cases", std::move(cases)},
                            {"file", json_text(file.tests.file)},
                            {"policy", json_text(file.policy_file)}}));
  }
  Json coverage = Json::array();
  for (const PolicyCoverage& policy : coverage_of(files)) {
    Json uncovered = Json::array();
    for (const std::string& rule : policy.uncovered) {
      uncovered.push(rule);
    }
    coverage.push(Json::object({{"percent", policy.percent()},
                                {"policy", json_text(policy.policy_file)},
                                {"rules", static_cast<std::int64_t>(policy.rules)},
                                {"uncovered", std::move(uncovered)}}));
  }
  return Json::object({{"coverage", std::move(coverage)},
                       {"failed", static_cast<std::int64_t>(failed_cases(files))},
                       {"files", std::move(list)},
                       {"schema", "rgx.policy-test-report/v1"}});
}

std::string test_report_junit(const std::vector<TestedFile>& files) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const TestedFile& file : files) {
    text += "  <testsuite name=\"" + xml(file.tests.file) + "\" tests=\"" +
            number(file.tests.cases.size()) + "\" failures=\"" + number(failures(file)) +
            "\" errors=\"0\" skipped=\"0\">\n";
    for (std::size_t i = 0; i < file.tests.cases.size(); ++i) {
      text += junit_case(file, i);
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace rgx::cli
