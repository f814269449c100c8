#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "planner/compile.h"
#include "planner/tokens.h"
#include "planner/understanding.h"

namespace rgx::planner {
namespace {

using templates::Template;

/// Alignments this close to the best one are second opinions.
constexpr std::uint32_t kSecondOpinionMargin = 40;
/// Words of at least this weight say what an utterance is about.
constexpr std::uint32_t kContentWeight = 2;
constexpr std::size_t kUtterancesMax = 2000;  // heads times tails of one language

/// An utterance in two clauses: "replace {from} with {to}" and " and run the tests".
struct Clause {
  std::string text;
  std::vector<UtterancePart> parts;
};

void add_unique(std::vector<Clause>& clauses, Clause clause) {
  const auto same_words = [&clause](const Clause& other) {
    return std::ranges::equal(
        clause.parts, other.parts, [](const UtterancePart& a, const UtterancePart& b) {
          return a.slot == b.slot && a.word.folded == b.word.folded;
        });
  };
  if (std::ranges::none_of(clauses, same_words)) {
    clauses.push_back(std::move(clause));
  }
}

/// Every utterance of a template says the same, so what follows the last slot of one after an
/// `and` may follow each of them. Saves authors from writing out every combination.
void split_clauses(const std::string& utterance, const Template& source,
                   std::vector<Clause>& heads, std::vector<Clause>& tails) {
  std::vector<UtterancePart> parts = parts_of_utterance(utterance, source);
  std::size_t cut = parts.size();
  bool slot_before = false;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    if (parts[index].slot != nullptr) {
      slot_before = true;
      cut = parts.size();
    } else if (slot_before && parts[index].word.folded == "and" && cut == parts.size()) {
      cut = index;
    }
  }
  if (cut < parts.size()) {
    std::size_t begin = parts[cut].begin;
    while (begin > 0 && utterance[begin - 1] == ' ') {
      --begin;
    }
    const auto at = parts.begin() + static_cast<std::ptrdiff_t>(cut);
    add_unique(tails, Clause{utterance.substr(begin), {at, parts.end()}});
    parts.erase(at, parts.end());
    add_unique(heads, Clause{utterance.substr(0, begin), std::move(parts)});
  } else {
    add_unique(heads, Clause{utterance, std::move(parts)});
  }
}

bool shares_content(const std::vector<UtterancePart>& parts,
                    const std::set<std::string_view>& words) {
  return std::ranges::any_of(parts, [&words](const UtterancePart& part) {
    return part.slot == nullptr && part.word.weight >= kContentWeight &&
           words.contains(part.word.folded);
  });
}

bool is_usable(const Alignment& alignment) {
  return alignment.not_understood.empty() && alignment.score >= kScoreMin;
}

struct Found {
  Alignment alignment;
  std::string utterance;
};

std::vector<Found> find_all(const std::vector<Token>& intent, const Template& source) {
  std::vector<Found> all;
  const SlotSpans spans(intent, source);
  std::set<std::string_view> words;
  for (const Token& token : intent) {
    words.insert(token.folded);
  }
  for (const auto& [language, utterances] : source.utterances) {
    std::vector<Clause> heads;
    std::vector<Clause> tails = {Clause{}};
    for (const std::string& utterance : utterances) {
      split_clauses(utterance, source, heads, tails);
    }
    std::size_t tried = 0;
    for (const Clause& head : heads) {
      if (!shares_content(head.parts, words)) {
        continue;
      }
      for (const Clause& tail : tails) {
        if (++tried > kUtterancesMax || (!tail.parts.empty() && !shares_content(tail.parts, words))) {
          continue;
        }
        std::vector<UtterancePart> parts = head.parts;
        parts.insert(parts.end(), tail.parts.begin(), tail.parts.end());
        for (Alignment& alignment : align(intent, spans, parts)) {
          all.push_back(Found{std::move(alignment), head.text + tail.text});
        }
      }
    }
  }
  return all;
}

}  // namespace

Understanding understand(const std::vector<Token>& intent, const Template& source) {
  Understanding result;
  result.candidate.name = source.name;
  if (intent.empty() || intent.size() > kTokensMax) {
    return result;
  }
  std::vector<Found> all = find_all(intent, source);
  if (all.empty()) {
    return result;
  }
  std::ranges::stable_sort(all, [](const Found& a, const Found& b) {
    const bool a_usable = is_usable(a.alignment);
    return a_usable != is_usable(b.alignment) ? a_usable : a.alignment.score > b.alignment.score;
  });
  const Alignment best = all.front().alignment;
  result.candidate.score = best.score;
  result.candidate.utterance = all.front().utterance;
  for (Found& found : all) {
    const bool near = found.alignment.score + kSecondOpinionMargin >= best.score &&
                      is_usable(found.alignment) == is_usable(best);
    if (near && std::ranges::find(result.alignments, found.alignment.values, &Alignment::values) ==
                    result.alignments.end()) {
      result.alignments.push_back(std::move(found.alignment));
    }
  }
  return result;
}

std::vector<Candidate> classify(std::string_view intent, const std::vector<Template>& templates) {
  const std::vector<Token> tokens = tokens_of(intent);
  std::vector<Candidate> candidates;
  for (const Template& source : templates) {
    candidates.push_back(understand(tokens, source).candidate);
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.name < b.name;
  });
  return candidates;
}

}  // namespace rgx::planner
