#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tokens.h"
#include "templates/template.h"

// Laying an intent beside an utterance: which words match, and what stands in the slots.
// Private to the package.

namespace rgx::planner {

inline constexpr std::uint32_t kScoreMax = 1000;

/// A literal word or a slot of an utterance.
struct UtterancePart {
  Token word;
  const templates::Parameter* slot = nullptr;
};
[[nodiscard]] std::vector<UtterancePart> parts_of_utterance(std::string_view utterance,
                                                            const templates::Template& source);

/// One way to understand an intent.
struct Alignment {
  std::uint32_t score = 0;              ///< 0..1000
  std::map<std::string, Json> values;   ///< by parameter: a text, or a list of texts
  std::vector<std::string> not_understood;  ///< words of the intent that nothing matched

  bool operator==(const Alignment&) const = default;
};

/// The cheapest alignments of one utterance, at most 16: several when they differ in what they
/// say. Deterministic.
[[nodiscard]] std::vector<Alignment> align(const std::vector<Token>& intent,
                                           const std::vector<UtterancePart>& utterance);

}  // namespace rgx::planner
