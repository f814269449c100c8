#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml/mapping_reader.h"
#include "policy/policy.h"

// Reading the parts of a policy file. Every function records mistakes and goes on. Private to the
// package. Format: docs/formats/policy.md

namespace rgx::policy::loading {

inline constexpr std::size_t kEntriesMax = 10000;
inline constexpr std::size_t kItemsMax = 1000;
inline constexpr std::size_t kArgvWordsMax = 100;
inline constexpr std::size_t kExamplesMax = 100;
inline constexpr std::size_t kProgramsMax = 256;
inline constexpr std::size_t kProgramPathsMax = 16;
inline constexpr std::size_t kApproversMax = 256;
inline constexpr std::size_t kDelegationsMax = 64;
inline constexpr std::size_t kRequireChecksMax = 64;
inline constexpr std::size_t kTextBytesMax = 1000;
inline constexpr std::int64_t kSlotsMax = 1024;
inline constexpr std::int64_t kApprovalsMax = 16;

using yaml::MappingReader;
using yaml::Mistakes;
using Texts = std::vector<MappingReader::Text>;

/// May a list be empty? In a rule it may not: nobody could tell it from a key that is left out.
enum class Emptiness : std::uint8_t { refused, allowed };

/// An example of a rule, judged once the file is read.
struct Example {
  std::size_t rule = 0;  ///< index into Policy::rules
  bool matches = true;   ///< `match`, else `not_match`
  const yaml::Node* request = nullptr;
};

/// Records `policy.unsupported_key` for keys of the format that this version lacks.
void refuse_reserved(MappingReader& reader, std::span<const std::string_view> keys);
/// Records `policy.limit` and returns false when a list is too long.
bool within(std::size_t count, std::size_t limit, const Place& place, std::string_view what,
            Mistakes& mistakes);
/// Checks a text for people (`policy.text`, `policy.limit`).
void check_text(const std::string& text, const Place& place, std::string_view what,
                Mistakes& mistakes);
[[nodiscard]] std::string required_text(MappingReader& reader, std::string_view key);
/// A name (`policy.name`).
[[nodiscard]] std::string required_name(MappingReader& reader, std::string_view key);
[[nodiscard]] std::optional<Texts> list(
    MappingReader& reader, std::string_view key, Emptiness emptiness,
    MappingReader::OneIsList one = MappingReader::OneIsList::no);
[[nodiscard]] std::vector<std::string> tool_patterns(const Texts& texts, Mistakes& mistakes);
[[nodiscard]] std::vector<Glob> globs(const Texts& texts, Mistakes& mistakes);
[[nodiscard]] std::vector<std::string> variables(const Texts& texts, Mistakes& mistakes);
/// `did you mean ...`, or `otherwise`.
[[nodiscard]] std::string suggest(std::string_view word, std::span<const std::string_view> known,
                                  std::string_view otherwise);

void read_rules(MappingReader& file, Policy& policy, std::vector<Example>& examples);
void read_risk(MappingReader& file, Policy& policy);
void read_gates(MappingReader& file, Policy& policy);
void read_exceptions(MappingReader& file, Policy& policy);
void read_delegations(MappingReader& file, Policy& policy);
void read_programs(MappingReader& file, Policy& policy);
void read_approvers(MappingReader& file, Policy& policy);
void read_budgets(MappingReader& file, Policy& policy);
void read_concurrency(MappingReader& file, Policy& policy);
void read_require_checks(MappingReader& file, Policy& policy);

/// What a rule or a risk level looks at, all but `risk`.
[[nodiscard]] Matchers read_matchers(MappingReader& reader);
[[nodiscard]] ApprovalDemand read_demand(MappingReader& reader, std::int64_t count_min);

/// Judges the examples of all rules (policy.example_fails).
void check_examples(const Policy& policy, const std::vector<Example>& examples, Mistakes& mistakes);

}  // namespace rgx::policy::loading
