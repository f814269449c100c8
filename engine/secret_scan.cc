#include "engine/secret_scan.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/check.h"
#include "base/digest.h"
#include "templates/regex.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kMarkDigits = 12;
constexpr std::size_t kFindingsMax = 10000;
constexpr std::uint32_t kFractionBits = 10;
constexpr std::uint64_t kBitsPerByteMin = 3584;  // 3.5 bits, times 2^kFractionBits

struct Kind {
  std::string_view name;
  std::string_view pattern;  // the secret is its first group
};

// Formats as their issuers document them.
constexpr std::array kKinds = {
    Kind{"anthropic_key", R"(\b(sk-ant-[A-Za-z0-9_-]{32,}))"},
    Kind{"aws_access_key", R"(\b((?:AKIA|ASIA)[A-Z2-7]{16})\b)"},
    Kind{"github_token", R"(\b(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b)"},
    Kind{"gitlab_token", R"(\b(glpat-[A-Za-z0-9_-]{20,}))"},
    Kind{"google_api_key", R"(\b(AIza[A-Za-z0-9_-]{35}))"},
    Kind{"jwt", R"(\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}))"},
    Kind{"npm_token", R"(\b(npm_[A-Za-z0-9]{36})\b)"},
    Kind{"openai_key", R"(\b(sk-(?:proj-)?[A-Za-z0-9]{40,}))"},
    Kind{"private_key", R"((-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)"
                        R"((?:[A-Za-z0-9+/=\s]|\\n)*))"},
    Kind{"pypi_token", R"(\b(pypi-[A-Za-z0-9_-]{50,}))"},
    Kind{"slack_token", R"(\b(xox[abeprs]-[A-Za-z0-9-]{20,}))"},
    Kind{"stripe_key", R"(\b([rs]k_live_[A-Za-z0-9]{20,}))"},
    Kind{"url_password", R"([a-z]://[^/\s:@'"]+:([^/\s:@'"$<{]{8,})@)"},
};

constexpr std::string_view kAssignment =
    R"((?i)(?:password|passwd|secret|token|api_?key|access_?key|private_?key|credential))"
    R"([a-z0-9_-]*)"
    R"(["']?\s*(?::=|=>|=|:)\s*["']([^"'\s]{16,256})["'])";

struct Span {
  std::size_t start = 0;
  std::size_t size = 0;
  std::string_view kind;
};

/// log2(value) * 2^kFractionBits, by repeated squaring: the same on every machine.
std::uint64_t log2_fixed(std::uint64_t value) {
  std::uint64_t result = 0;
  std::uint64_t scaled = value << 16U;
  while (scaled >= (std::uint64_t{2} << 16U)) {
    scaled >>= 1U;
    result += std::uint64_t{1} << kFractionBits;
  }
  for (std::uint32_t bit = kFractionBits; bit-- > 0;) {
    scaled = (scaled * scaled) >> 16U;
    if (scaled >= (std::uint64_t{2} << 16U)) {
      scaled >>= 1U;
      result += std::uint64_t{1} << bit;
    }
  }
  return result;
}

bool looks_random(std::string_view value) {
  std::array<std::uint64_t, 256> counts{};
  for (const char byte : value) {
    ++counts[static_cast<unsigned char>(byte)];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) {
    sum += count == 0 ? 0 : count * (log2_fixed(value.size()) - log2_fixed(count));
  }
  const auto has = [&value](auto in_class) { return std::ranges::any_of(value, in_class); };
  const bool mixed = has([](char c) { return c >= '0' && c <= '9'; }) &&
                     has([](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  return mixed && sum / value.size() >= kBitsPerByteMin;
}

/// References and placeholders, which are where a secret is *not*.
bool is_placeholder(std::string_view value) {
  for (const std::string_view part : {"${", "{{", "<", "example", "EXAMPLE", "changeme", "xxxx",
                                      "XXXX", "process.env", "os.environ"}) {
    if (value.find(part) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

const std::vector<templates::Regex>& patterns() {
  static const std::vector<templates::Regex> kPatterns = [] {
    std::vector<templates::Regex> all;
    for (const Kind& kind : kKinds) {
      auto regex = templates::Regex::parse(kind.pattern);
      RGX_CHECK(regex.has_value());
      all.push_back(std::move(*regex));
    }
    auto assignment = templates::Regex::parse(kAssignment);
    RGX_CHECK(assignment.has_value());
    all.push_back(std::move(*assignment));
    return all;
  }();
  return kPatterns;
}

void find_kind(std::string_view bytes, const templates::Regex& regex, std::string_view kind,
               std::vector<Span>& spans) {
  std::size_t from = 0;
  while (from < bytes.size() && spans.size() < kFindingsMax) {
    const auto match = regex.find(bytes, from);
    if (!match || match->size() < 2) {
      return;
    }
    const std::string_view whole = match->front();
    const std::string_view secret = (*match)[1];
    const bool assigned = kind == "assigned_secret";
    if (!is_placeholder(secret) && (!assigned || looks_random(secret))) {
      spans.push_back(
          {static_cast<std::size_t>(secret.data() - bytes.data()), secret.size(), kind});
    }
    from = static_cast<std::size_t>(whole.data() - bytes.data()) +
           std::max<std::size_t>(whole.size(), 1);
  }
}

/// In order and without overlap: what begins first is told, of two the longer one.
std::vector<Span> find_spans(std::string_view bytes) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < patterns().size(); ++i) {
    find_kind(bytes, patterns()[i], i < kKinds.size() ? kKinds[i].name : "assigned_secret", spans);
  }
  std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
    return a.start != b.start ? a.start < b.start : a.size > b.size;
  });
  std::vector<Span> kept;
  for (const Span& span : spans) {
    if (kept.empty() || span.start >= kept.back().start + kept.back().size) {
      kept.push_back(span);
    }
  }
  return kept;
}

}  // namespace

std::vector<SecretFinding> find_secrets(std::string_view bytes) {
  std::vector<SecretFinding> findings;
  std::int64_t line = 1;
  std::size_t counted = 0;
  for (const Span& span : find_spans(bytes)) {
    line += std::ranges::count(bytes.substr(counted, span.start - counted), '\n');
    counted = span.start;
    const std::string digest = digest_bytes(bytes.substr(span.start, span.size)).to_string();
    findings.push_back(
        {line, std::string(span.kind), digest.substr(digest.find(':') + 1, kMarkDigits)});
  }
  return findings;
}

std::string redact_secrets(std::string_view bytes) {
  std::string redacted;
  std::size_t copied = 0;
  for (const Span& span : find_spans(bytes)) {
    redacted.append(bytes.substr(copied, span.start - copied));
    redacted.append("[").append(span.kind).append("]");
    copied = span.start + span.size;
  }
  redacted.append(bytes.substr(copied));
  return redacted;
}

}  // namespace rgx::engine
