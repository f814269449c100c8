#pragma once

#include "planner/tokens.h"
#include "templates/template.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Laying an intent beside an utterance: which words match, and what stands in the slots.
// Private to the package.

namespace rgx::planner {

inline constexpr std::uint32_t kScoreMax = 1000;

/// A literal word or a slot of an utterance.
struct UtterancePart {
  Token word;
  const templates::Parameter* slot = nullptr;
  std::size_t begin = 0;  ///< byte offset in the utterance
};
[[nodiscard]] std::vector<UtterancePart> parts_of_utterance(std::string_view utterance,
                                                            const templates::Template& source);

/// What a slot can take from an intent at one token.
struct Span {
  std::size_t tokens = 0;
  std::uint32_t cost = 0;  ///< 0 when the value fits the parameter's type
  Json value;              ///< a text, or a list of texts
};

/// Possible values of every parameter at every token of an intent; found once, used by all
/// utterances.
class SlotSpans {
 public:
  /// `own_words` are the literal words of the template's utterances: poor values.
  SlotSpans(const std::vector<Token>& intent, const templates::Template& source,
            const std::set<std::string, std::less<>>& own_words);
  [[nodiscard]] const std::vector<Span>& at(const templates::Parameter& parameter,
                                            std::size_t token) const;

 private:
  std::map<std::string_view, std::vector<std::vector<Span>>> spans_;
};

/// One way to understand an intent.
struct Alignment {
  std::uint32_t score = 0;                  ///< 0..1000
  std::map<std::string, Json> values;       ///< by parameter
  std::vector<std::string> not_understood;  ///< words of the intent that nothing matched

  bool operator==(const Alignment&) const = default;
};

/// A score that no alignment can beat, from the words that an intent does not have.
[[nodiscard]] std::uint32_t bound_of_score(const std::vector<UtterancePart>& utterance,
                                           const std::set<std::string_view>& words);
/// Score of the cheapest alignment with one utterance.
[[nodiscard]] std::uint32_t score_alignment(const std::vector<Token>& intent,
                                            const SlotSpans& spans,
                                            const std::vector<UtterancePart>& utterance);
/// The cheapest alignments with one utterance, at most 16: several when they differ in what they
/// say. Deterministic.
[[nodiscard]] std::vector<Alignment> align(const std::vector<Token>& intent, const SlotSpans& spans,
                                           const std::vector<UtterancePart>& utterance);

}  // namespace rgx::planner
