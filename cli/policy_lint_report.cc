#include "cli/policy_lint_report.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"

namespace rgx::cli {
namespace {

using policy::LintCode;
using policy::LintFinding;
using policy::Severity;

constexpr std::array<Severity, 3> kSeverities = {Severity::error, Severity::warning,
                                                 Severity::note};

std::int64_t count(const std::vector<LintFinding>& findings, Severity severity) {
  return std::ranges::count(findings, severity, &LintFinding::severity);
}

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Tone::bad;
    case Severity::warning:
      return Tone::careful;
    case Severity::note:
      break;
  }
  return Tone::plain;
}

std::string summary(const std::vector<LintFinding>& findings) {
  std::vector<std::string> parts;
  for (const Severity severity : kSeverities) {
    if (const std::int64_t found = count(findings, severity); found > 0) {
      parts.push_back(counted(found, to_string(severity)));
    }
  }
  return parts.empty() ? "nothing found" : join(parts, ", ");
}

Json finding_json(const LintFinding& finding) {
  return Json::object({{"code", std::string(finding.code)},
                       {"column", static_cast<std::int64_t>(finding.place.column)},
                       {"line", static_cast<std::int64_t>(finding.place.line)},
                       {"message", finding.message},
                       {"remedy", finding.remedy},
                       {"rule", finding.rule.empty() ? Json() : Json(finding.rule)},
                       {"severity", std::string(to_string(finding.severity))}});
}

Json message(const std::string& text) {
  return Json::object({{"text", text}});
}

Json location(const Place& place) {
  Json where = Json::object({{"artifactLocation", Json::object({{"uri", uri_of(place.file)}})}});
  if (place.line > 0) {
    // Columns count bytes here, and UTF-16 units there: the line is enough.
    where.set("region", Json::object({{"startLine", static_cast<std::int64_t>(place.line)}}));
  }
  Json list = Json::array();
  list.push(Json::object({{"physicalLocation", std::move(where)}}));
  return list;
}

/// One entry for each kind of finding; results refer to them by id and index.
Json sarif_rules() {
  Json rules = Json::array();
  for (const LintCode& code : policy::lint_codes()) {
    rules.push(Json::object(
        {{"defaultConfiguration", Json::object({{"level", std::string(to_string(code.severity))}})},
         {"help", message("docs/policy-lint.md, section " + std::string(code.code))},
         {"id", std::string(code.code)},
         {"shortDescription", message(std::string(code.summary))}}));
  }
  return rules;
}

Json sarif_results(const std::vector<LintedFile>& files) {
  Json results = Json::array();
  for (const LintedFile& file : files) {
    for (const LintFinding& finding : file.findings) {
      const auto code = std::ranges::find(policy::lint_codes(), finding.code, &LintCode::code);
      results.push(Json::object(
          {{"level", std::string(to_string(finding.severity))},
           {"locations", location(finding.place)},
           {"message", message(finding.message + ". To do: " + finding.remedy)},
           {"ruleId", std::string(finding.code)},
           {"ruleIndex", static_cast<std::int64_t>(code - policy::lint_codes().begin())}}));
    }
  }
  return results;
}

/// Mistakes that kept a file from loading: the tool's own trouble, as SARIF sees it.
Json sarif_notifications(const std::vector<Error>& unreadable) {
  Json notifications = Json::array();
  for (const Error& error : unreadable) {
    for (const Diagnostic& diagnostic : error.diagnostics) {
      Json notification = Json::object({{"descriptor", Json::object({{"id", diagnostic.code}})},
                                        {"level", "error"},
                                        {"message", message(json_text(diagnostic.message))}});
      if (!diagnostic.place.file.empty()) {
        notification.set("locations", location(diagnostic.place));
      }
      notifications.push(std::move(notification));
    }
  }
  return notifications;
}

}  // namespace

std::string uri_of(std::string_view file) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char byte : file) {
    if (kPlain.find(byte) != std::string_view::npos) {
      uri += byte;
    } else {
      const auto value = static_cast<unsigned char>(byte);
      uri += {'%', kHex[value >> 4U], kHex[value & 15U]};
    }
  }
  return uri;
}

bool has_failing_finding(const std::vector<LintedFile>& files) {
  return std::ranges::any_of(files, [](const LintedFile& file) {
    return std::ranges::any_of(file.findings, [](const LintFinding& finding) {
      return finding.severity != Severity::note;
    });
  });
}

std::string lint_report_text(const std::vector<LintedFile>& files, Colour colour) {
  std::string text;
  for (const LintedFile& file : files) {
    for (const LintFinding& finding : file.findings) {
      text += printable(to_string(finding.place)) + ": " +
              paint(colour, tone_of(finding.severity), to_string(finding.severity)) + ": " +
              printable(finding.message) + " [" + std::string(finding.code) + "]\n  " +
              printable(finding.remedy) + '\n';
    }
  }
  for (const LintedFile& file : files) {
    const bool good = !has_failing_finding({file});
    text += paint(colour, good ? Tone::good : Tone::bad, good ? "ok" : "FAIL") + "  " +
            printable(file.file) + "  " + summary(file.findings) + '\n';
  }
  return text;
}

Json lint_report_json(const std::vector<LintedFile>& files) {
  Json list = Json::array();
  std::map<Severity, std::int64_t> totals;
  for (const LintedFile& file : files) {
    Json findings = Json::array();
    for (const LintFinding& finding : file.findings) {
      findings.push(finding_json(finding));
      ++totals[finding.severity];
    }
    list.push(Json::object({{"file", json_text(file.file)}, {"findings", std::move(findings)}}));
  }
  return Json::object({{"errors", totals[Severity::error]},
                       {"files", std::move(list)},
                       {"notes", totals[Severity::note]},
                       {"schema", "rgx.policy-lint/v1"},
                       {"warnings", totals[Severity::warning]}});
}

Json lint_report_sarif(const std::vector<LintedFile>& files, const std::vector<Error>& unreadable,
                       std::string_view version) {
  Json invocations = Json::array();
  invocations.push(Json::object({{"executionSuccessful", unreadable.empty()},
                                 {"toolExecutionNotifications", sarif_notifications(unreadable)}}));
  Json runs = Json::array();
  runs.push(Json::object(
      {{"invocations", std::move(invocations)},
       {"results", sarif_results(files)},
       {"tool", Json::object({{"driver", Json::object({{"name", "rgx policy lint"},
                                                       {"rules", sarif_rules()},
                                                       {"version", std::string(version)}})}})}}));
  return Json::object({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"runs", std::move(runs)},
                       {"version", "2.1.0"}});
}

}  // namespace rgx::cli
