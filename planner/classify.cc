#include <algorithm>
#include <utility>

#include "planner/compile.h"
#include "planner/tokens.h"
#include "planner/understanding.h"

namespace rgx::planner {
namespace {

/// Alignments this close to the best one are second opinions.
constexpr std::uint32_t kSecondOpinionMargin = 40;

bool better(const Alignment& a, const Alignment& b) {
  // Understanding every word comes before matching every word of the utterance.
  if (a.not_understood.empty() != b.not_understood.empty()) {
    return a.not_understood.empty();
  }
  return a.score > b.score;
}

}  // namespace

Understanding understand(const std::vector<Token>& intent, const templates::Template& source) {
  Understanding result;
  result.candidate.name = source.name;
  if (intent.empty() || intent.size() > kTokensMax) {
    return result;
  }
  std::vector<std::pair<Alignment, const std::string*>> all;
  for (const auto& [language, utterances] : source.utterances) {
    for (const std::string& utterance : utterances) {
      for (Alignment& alignment : align(intent, parts_of_utterance(utterance, source))) {
        all.emplace_back(std::move(alignment), &utterance);
      }
    }
  }
  if (all.empty()) {
    return result;
  }
  std::ranges::stable_sort(
      all, [](const auto& a, const auto& b) { return better(a.first, b.first); });
  const Alignment best = all.front().first;
  result.candidate.score = best.score;
  result.candidate.utterance = *all.front().second;
  for (auto& [alignment, utterance] : all) {
    const bool near = alignment.score + kSecondOpinionMargin >= best.score &&
                      alignment.not_understood.empty() == best.not_understood.empty();
    if (near && std::ranges::find(result.alignments, alignment) == result.alignments.end()) {
      result.alignments.push_back(std::move(alignment));
    }
  }
  return result;
}

std::vector<Candidate> classify(std::string_view intent,
                                const std::vector<templates::Template>& templates) {
  const std::vector<Token> tokens = tokens_of(intent);
  std::vector<Candidate> candidates;
  for (const templates::Template& source : templates) {
    candidates.push_back(understand(tokens, source).candidate);
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.name < b.name;
  });
  return candidates;
}

}  // namespace rgx::planner
