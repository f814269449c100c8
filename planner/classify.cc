#include "planner/compile.h"
#include "planner/tokens.h"
#include "planner/understanding.h"

#include <range/v3/view/cartesian_product.hpp>
#include <range/v3/view/take.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

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
    return std::ranges::equal(clause.parts, other.parts,
                              [](const UtterancePart& a, const UtterancePart& b) {
                                return a.slot == b.slot && a.word.folded == b.word.folded;
                              });
  };
  if (std::ranges::none_of(clauses, same_words)) {
    clauses.push_back(std::move(clause));
  }
}

/// Every utterance of a template says the same, so what follows the last slot of one after an
/// `and` may follow each of them. Saves authors from writing out every combination.
void split_clauses(const std::string& utterance, const Template& source, std::vector<Clause>& heads,
                   std::vector<Clause>& tails) {
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

/// A whole utterance, made of a head and a tail, and how well it fits.
struct Fit {
  std::uint32_t bound = 0;  ///< no better score than this
  std::uint32_t score = 0;
  std::size_t index = 0;
  std::string text;
  std::vector<UtterancePart> parts;
};

/// The utterances of a template in clauses, by language.
struct Phrasing {
  std::vector<Clause> heads;
  std::vector<Clause> tails = {Clause{}};
};

std::vector<Phrasing> phrasings_of(const Template& source) {
  std::vector<Phrasing> all;
  for (const auto& [language, utterances] : source.utterances) {
    Phrasing& phrasing = all.emplace_back();
    for (const std::string& utterance : utterances) {
      split_clauses(utterance, source, phrasing.heads, phrasing.tails);
    }
  }
  return all;
}

/// Words that a template says itself: rarely what somebody means as a value for it.
std::set<std::string, std::less<>> words_of(const std::vector<Phrasing>& phrasings) {
  std::set<std::string, std::less<>> words;
  for (const Phrasing& phrasing : phrasings) {
    for (const std::vector<Clause>* clauses : {&phrasing.heads, &phrasing.tails}) {
      for (const Clause& clause : *clauses) {
        for (const UtterancePart& part : clause.parts) {
          if (part.slot == nullptr && part.word.weight >= kContentWeight) {
            words.insert(part.word.folded);
          }
        }
      }
    }
  }
  return words;
}

std::vector<Fit> possible_fits(std::vector<Phrasing> phrasings,
                               const std::set<std::string_view>& words) {
  std::vector<Fit> fits;
  for (auto& [heads, tails] : phrasings) {
    std::erase_if(heads, [&](const Clause& head) { return !shares_content(head.parts, words); });
    std::erase_if(tails, [&](const Clause& tail) {
      return !tail.parts.empty() && !shares_content(tail.parts, words);
    });
    // Every tail of a language may follow every head.
    for (const auto& [head, tail] :
         ranges::views::cartesian_product(heads, tails) | ranges::views::take(kUtterancesMax)) {
      Fit& fit = fits.emplace_back();
      fit.index = fits.size();
      fit.text = head.text + tail.text;
      fit.parts = head.parts;
      fit.parts.insert(fit.parts.end(), tail.parts.begin(), tail.parts.end());
      fit.bound = bound_of_score(fit.parts, words);
    }
  }
  return fits;
}

/// Best first; those that cannot matter are left out.
std::vector<Fit> fits_of(const std::vector<Token>& intent, const SlotSpans& spans,
                         std::vector<Phrasing> phrasings) {
  std::set<std::string_view> words;
  for (const Token& token : intent) {
    words.insert(token.folded);
  }
  std::vector<Fit> fits = possible_fits(std::move(phrasings), words);
  std::ranges::stable_sort(fits, std::ranges::greater{}, &Fit::bound);
  std::uint32_t best = 0;
  std::size_t tried = 0;
  while (tried < fits.size() &&
         (fits[tried].bound >= kScoreMin || fits[tried].bound + kSecondOpinionMargin >= best)) {
    fits[tried].score = score_alignment(intent, spans, fits[tried].parts);
    best = std::max(best, fits[tried].score);
    ++tried;
  }
  fits.resize(tried);
  std::ranges::sort(fits, [](const Fit& a, const Fit& b) {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  });
  return fits;
}

bool is_near(std::uint32_t score, const Alignment& best) {
  return score + kSecondOpinionMargin >= best.score;
}

/// Adds what differs from what is there.
void add_readings(std::vector<Alignment> found, std::vector<Alignment>& readings) {
  for (Alignment& alignment : found) {
    const bool fits = readings.empty() || (is_near(alignment.score, readings.front()) &&
                                           is_usable(alignment) == is_usable(readings.front()));
    if (fits &&
        std::ranges::find(readings, alignment.values, &Alignment::values) == readings.end()) {
      readings.push_back(std::move(alignment));
    }
  }
}

}  // namespace

Understanding understand(const std::vector<Token>& intent, const Template& source) {
  Understanding result;
  result.candidate.name = source.name;
  if (intent.empty() || intent.size() > kTokensMax) {
    return result;
  }
  std::vector<Phrasing> phrasings = phrasings_of(source);
  const SlotSpans spans(intent, source, words_of(phrasings));
  for (const Fit& fit : fits_of(intent, spans, std::move(phrasings))) {
    const bool usable = !result.alignments.empty() && is_usable(result.best());
    // A usable reading beats a better score; nothing below the threshold is usable.
    const bool done = !result.alignments.empty() && !is_near(fit.score, result.best());
    if (done && (usable || fit.score < kScoreMin)) {
      break;
    }
    std::vector<Alignment> found = align(intent, spans, fit.parts);
    const bool beats = !usable && std::ranges::any_of(found, is_usable);
    if (beats) {
      std::ranges::stable_partition(found, is_usable);
      result.alignments.clear();
    }
    if (result.alignments.empty()) {
      result.candidate.score = fit.score;
      result.candidate.utterance = fit.text;
    }
    add_readings(std::move(found), result.alignments);
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
