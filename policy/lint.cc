#include "policy/lint.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/check.h"
#include "base/clock.h"
#include "base/text.h"
#include "policy/lint_findings.h"

namespace rgx::policy {
namespace {

using linting::Findings;
using linting::shown;

constexpr std::int64_t kDayMs = std::int64_t{24} * 60 * 60 * 1000;

constexpr std::array kCodes = {
    LintCode{"lint.broad_argv", Severity::warning, "an allow rule takes any arguments"},
    LintCode{"lint.broad_path", Severity::warning, "an allow rule takes paths without a bound"},
    LintCode{"lint.broad_tool", Severity::warning, "an allow rule takes every tool"},
    LintCode{"lint.comment", Severity::warning, "a `#` cuts off the end of a value"},
    LintCode{"lint.dead_selector", Severity::warning,
             "a rule names what no step of its tools can have"},
    LintCode{"lint.denied_pattern", Severity::warning,
             "what an allow rule grants is denied in any case"},
    LintCode{"lint.deny_by_argv", Severity::note, "a deny rule lists spellings of a command"},
    LintCode{"lint.duplicate_rule", Severity::warning, "two rules say the same"},
    LintCode{"lint.exception_expired", Severity::error, "an exception has ended"},
    LintCode{"lint.exception_expiring", Severity::warning, "an exception ends soon"},
    LintCode{"lint.exception_unused", Severity::warning, "an exception lifts nothing"},
    LintCode{"lint.no_remedy", Severity::warning, "a remedy does not say what to do"},
    LintCode{"lint.pattern_covered", Severity::note, "a pattern is part of another one"},
    LintCode{"lint.program_unused", Severity::note, "no rule and no delegation starts a program"},
    LintCode{"lint.rule_shadowed", Severity::warning, "another rule makes a rule superfluous"},
    LintCode{"lint.rule_unused", Severity::warning, "a rule can never match"},
    LintCode{"lint.shared_host", Severity::note, "anybody can publish on a host"},
    LintCode{"lint.unfinished", Severity::note, "the file is too large to compare all its rules"},
};
static_assert(std::ranges::is_sorted(kCodes, {}, &LintCode::code));

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  return out;
}

bool says_nothing(std::string_view remedy) {
  static constexpr std::array<std::string_view, 10> kEmpty = {
      "none", "na", "no", "nothing", "todo", "tbd", "fixme", "xxx", "fix it", "see above"};
  std::string words;
  for (const char byte : lower(remedy)) {
    if ((byte >= 'a' && byte <= 'z') || byte == ' ' || (static_cast<unsigned char>(byte) & 0x80U)) {
      words += byte;
    }
  }
  while (words.starts_with(' ')) {
    words.erase(0, 1);
  }
  while (words.ends_with(' ')) {
    words.pop_back();
  }
  return words.empty() || std::ranges::find(kEmpty, words) != kEmpty.end();
}

void find_remedies(const Policy& policy, Findings& findings) {
  for (const Rule& rule : policy.rules) {
    if (says_nothing(rule.remedy) || lower(rule.remedy) == lower(rule.why)) {
      findings.add("lint.no_remedy", rule,
                   "the remedy of " + shown(rule) + " does not say what to do",
                   "say what whoever meets the rule can do instead, or whom to ask");
    }
  }
}

bool touches(const std::vector<Glob>& patterns, const std::optional<std::vector<Glob>>& of_rule) {
  return std::ranges::any_of(patterns, [&](const Glob& pattern) {
    return of_rule && std::ranges::any_of(
                          *of_rule, [&](const Glob& named) { return named.overlaps(pattern); });
  });
}

void find_exceptions(const Policy& policy, const LintContext& context, Findings& findings) {
  for (const Exception& exception : policy.exceptions) {
    const std::string name = "the exception to `" + exception.rule + "` (" + exception.ticket + ")";
    const std::string day = format_time(exception.expires_unix_ms - kDayMs).substr(0, 10);
    const std::int64_t left = exception.expires_unix_ms - context.now_unix_ms;
    if (left <= 0) {
      findings.add("lint.exception_expired", exception.place, exception.rule,
                   std::string(name)
                       .append(" ended with ")
                       .append(day)
                       .append(", so the rule is in force again"),
                   "remove it, or have " + exception.owner + " renew it");
    } else if (left <= context.within_days * kDayMs) {
      findings.add("lint.exception_expiring", exception.place, exception.rule,
                   std::string(name).append(" ends with ").append(day),
                   "remove it, or have " + exception.owner + " renew it in time");
    }
    const auto rule = std::ranges::find(policy.rules, exception.rule, &Rule::id);
    if (exception.rule_layer == policy.layer && rule != policy.rules.end() &&
        !touches(exception.read, rule->when.read) && !touches(exception.write, rule->when.write)) {
      findings.add("lint.exception_unused", exception.place, exception.rule,
                   name + " names no path that the rule is about",
                   "name paths that lie within those of the rule");
    }
  }
}

/// Where in a line of YAML a `#` begins a comment; npos without one. `quote` is the open quote, or
/// 0.
std::size_t comment_start(std::string_view line, char& quote) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char byte = line[at];
    if (quote != 0) {
      // `\x` in double quotes and `''` in single ones are part of the text.
      const bool is_pair = quote == '"' ? byte == '\\' : line.substr(at).starts_with("''");
      if (is_pair) {
        ++at;
      } else if (byte == quote) {
        quote = 0;
      }
    } else if ((byte == '"' || byte == '\'') &&
               (at == 0 ||
                std::string_view(" [{,:").find(line[at - 1]) != std::string_view::npos)) {
      quote = byte;
    } else if (byte == '#' && (at == 0 || line[at - 1] == ' ')) {
      return at;
    }
  }
  return std::string_view::npos;
}

/// `cmd: echo #x` says `echo`. A comment begins with `# ` here, so that one can tell.
void find_comments(const Policy& policy, std::string_view text, Findings& findings) {
  char quote = 0;
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::size_t at = comment_start(line, quote);
    const std::string_view before = line.substr(0, std::min(at, line.size()));
    if (at == std::string_view::npos || at + 1 >= line.size() ||
        before.find_first_not_of(' ') == std::string_view::npos ||
        std::string_view(" #!-=\r").find(line[at + 1]) != std::string_view::npos) {
      continue;
    }
    const Place place{
        .file = policy.file, .line = number, .column = static_cast<std::uint32_t>(at + 1)};
    findings.add("lint.comment", place, {},
                 "`#` begins a comment here, so the value ends before it",
                 "put the value in quotes, or write `# ` for a comment");
  }
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::span<const LintCode> lint_codes() {
  return kCodes;
}

std::vector<LintFinding> lint(const Policy& policy, std::string_view text,
                              const LintContext& context) {
  Findings findings;
  linting::find_broad(policy, findings);
  linting::find_dead(policy, findings);
  linting::find_pairs(policy, findings);
  find_remedies(policy, findings);
  find_exceptions(policy, context, findings);
  find_comments(policy, text, findings);
  return std::move(findings).sorted();
}

namespace linting {

void Findings::add(std::string_view code, const Place& place, std::string_view rule,
                   std::string message, std::string remedy) {
  const auto known = std::ranges::find(kCodes, code, &LintCode::code);
  RGX_CHECK(known != kCodes.end());
  all_.push_back({known->code, known->severity, std::string(rule), place, std::move(message),
                  std::move(remedy)});
}

std::vector<LintFinding> Findings::sorted() && {
  std::ranges::stable_sort(all_, {}, [](const LintFinding& finding) {
    return std::tuple(finding.place.line, finding.place.column, finding.code);
  });
  return std::move(all_);
}

std::string shown(const Rule& rule) {
  return "rule `" + rule.id + "`";
}

std::string shown(const Place& place) {
  return "line " + std::to_string(place.line);
}

}  // namespace linting
}  // namespace rgx::policy
