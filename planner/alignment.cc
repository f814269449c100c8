#include "planner/alignment.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rgx::planner {
namespace {

using templates::Parameter;
using templates::ParameterType;

constexpr std::uint32_t kSlotWeight = 4;
// A slot is recognised by the words around it, so a missing word is dearer than a strange one.
constexpr std::uint32_t kMissingWordCost = 8;
constexpr std::uint32_t kMissingSlotCost = 8;
constexpr std::uint32_t kBadValueCost = 3;
constexpr std::uint32_t kWeakValueCost = 1;
// A word that the template itself says; names in code are often such words.
constexpr std::uint32_t kOwnWordCost = 4;
constexpr std::uint32_t kOwnWordAsNameCost = 2;
constexpr std::size_t kListItemsMax = 16;
constexpr std::size_t kAlignmentsMax = 16;
constexpr std::size_t kVisitsMax = 20000;
constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max() / 2;

std::uint32_t missing_cost(const Token& word) {
  return joins_list(word) ? word.weight : kMissingWordCost;
}

std::uint32_t score_with(const std::vector<UtterancePart>& utterance, std::uint32_t penalty) {
  std::uint32_t total = 0;
  for (const UtterancePart& part : utterance) {
    total += part.slot != nullptr ? kSlotWeight : part.word.weight;
  }
  // Twice what matched, over that and what did not: 1000 when nothing is left over.
  const std::uint32_t whole = 2 * total + penalty;
  const std::uint32_t matched = 2 * total > penalty ? 2 * total - penalty : 0;
  return whole == 0 ? 0 : kScoreMax * matched / whole;
}

/// What an intent's token is worth as a value: a name, a path, anything in quotation marks.
bool can_be_value(const Token& token) {
  return (token.kind == TokenKind::word && !is_never_value(token)) ||
         (token.kind == TokenKind::quoted && !token.text.empty());
}

using Words = std::set<std::string, std::less<>>;

std::uint32_t value_cost(const Parameter& parameter, const Token& token, const Json& value,
                         const Words& own_words) {
  const bool weak = token.kind == TokenKind::word && token.weight == 0;
  const bool own = token.kind == TokenKind::word && own_words.contains(token.folded);
  const ParameterType type = parameter.of.value_or(parameter.type);
  const bool name = type == ParameterType::identifier || type == ParameterType::path;
  const std::uint32_t own_cost = name ? kOwnWordAsNameCost : kOwnWordCost;
  return (templates::check_argument(parameter, value) ? 0 : kBadValueCost) +
         (weak ? kWeakValueCost : 0) + (own ? own_cost : 0);
}

/// `src`, `src and tests`, `src/、tests/`: every beginning of a list is a span of its own.
std::vector<Span> list_spans(const Parameter& parameter, const std::vector<Token>& intent,
                             std::size_t at, const Words& own_words) {
  std::vector<Span> spans;
  Json items = Json::array({Json(intent[at].text)});
  std::size_t end = at + 1;
  spans.push_back(Span{1, value_cost(parameter, intent[at], items, own_words), items});
  while (spans.size() < kListItemsMax) {
    std::size_t next = end;
    while (next < intent.size() && next < end + 2 && joins_list(intent[next])) {
      ++next;
    }
    if (next == end || next >= intent.size() || !can_be_value(intent[next]) ||
        is_verb(intent[next])) {
      break;
    }
    items.push(Json(intent[next].text));
    end = next + 1;
    spans.push_back(Span{end - at, value_cost(parameter, intent[next], items, own_words), items});
  }
  return spans;
}

class Aligner {
 public:
  Aligner(const std::vector<Token>& intent, const SlotSpans& spans,
          const std::vector<UtterancePart>& utterance)
      : intent_(intent),
        spans_(spans),
        utterance_(utterance),
        columns_(intent.size() + 1) {}

  /// Finds the cheapest way from every place, and so the score.
  [[nodiscard]] std::uint32_t score();
  [[nodiscard]] std::vector<Alignment> run();

 private:
  /// Calls `visit(parts, tokens, cost, span)` for every step from (part, token).
  template <class Visit>
  void each_move(std::size_t part, std::size_t token, Visit visit) const;
  [[nodiscard]] std::uint32_t& cost(std::size_t part, std::size_t token) {
    return costs_[part * columns_ + token];
  }
  void collect(std::size_t part, std::size_t token, const Alignment& path);
  [[nodiscard]] std::uint32_t score_of(std::uint32_t penalty) const;

  const std::vector<Token>& intent_;
  const SlotSpans& spans_;
  const std::vector<UtterancePart>& utterance_;
  std::size_t columns_;
  std::vector<std::uint32_t> costs_;  // cheapest way to the end
  std::vector<Alignment> found_;
  std::size_t visits_ = 0;
};

template <class Visit>
void Aligner::each_move(std::size_t part, std::size_t token, Visit visit) const {
  const bool has_token = token < intent_.size();
  const Span* none = nullptr;
  if (part < utterance_.size()) {
    const UtterancePart& here = utterance_[part];
    if (here.slot != nullptr) {
      if (has_token) {
        for (const Span& span : spans_.at(*here.slot, token)) {
          visit(std::size_t{1}, span.tokens, span.cost, &span);
        }
      }
      visit(std::size_t{1}, std::size_t{0}, kMissingSlotCost, none);
    } else {
      if (has_token && intent_[token].kind != TokenKind::quoted &&
          intent_[token].folded == here.word.folded) {
        visit(std::size_t{1}, std::size_t{1}, 0U, none);
      }
      visit(std::size_t{1}, std::size_t{0}, missing_cost(here.word), none);
    }
  }
  if (has_token) {
    visit(std::size_t{0}, std::size_t{1}, intent_[token].weight, none);
  }
}

std::uint32_t Aligner::score_of(std::uint32_t penalty) const {
  return score_with(utterance_, penalty);
}

void Aligner::collect(std::size_t part, std::size_t token, const Alignment& path) {
  if (found_.size() >= kAlignmentsMax || ++visits_ > kVisitsMax) {
    return;
  }
  if (part == utterance_.size() && token == intent_.size()) {
    if (std::ranges::find(found_, path) == found_.end()) {
      found_.push_back(path);
    }
    return;
  }
  each_move(part, token,
            [&](std::size_t parts, std::size_t tokens, std::uint32_t step_cost, const Span* span) {
              if (step_cost + cost(part + parts, token + tokens) != cost(part, token)) {
                return;
              }
              Alignment next = path;
              if (span != nullptr) {
                next.values[utterance_[part].slot->name] = span->value;
              } else if (parts == 0 && intent_[token].weight > 0) {
                next.not_understood.push_back(intent_[token].text);
              }
              collect(part + parts, token + tokens, next);
            });
}

std::uint32_t Aligner::score() {
  costs_.assign((utterance_.size() + 1) * columns_, kUnreachable);
  cost(utterance_.size(), intent_.size()) = 0;
  for (std::size_t part = utterance_.size() + 1; part-- > 0;) {
    for (std::size_t token = intent_.size() + 1; token-- > 0;) {
      std::uint32_t& least = cost(part, token);
      each_move(part, token,
                [&](std::size_t parts, std::size_t tokens, std::uint32_t step_cost,
                    const Span* /*span*/) {
                  least = std::min(least, step_cost + cost(part + parts, token + tokens));
                });
    }
  }
  return score_of(cost(0, 0));
}

std::vector<Alignment> Aligner::run() {
  Alignment start;
  start.score = score();
  collect(0, 0, start);
  return std::move(found_);
}

}  // namespace

SlotSpans::SlotSpans(const std::vector<Token>& intent, const templates::Template& source,
                     const Words& own_words) {
  for (const Parameter& parameter : source.parameters) {
    std::vector<std::vector<Span>>& row = spans_[parameter.name];
    row.resize(intent.size());
    for (std::size_t at = 0; at < intent.size(); ++at) {
      if (!can_be_value(intent[at])) {
        continue;
      }
      if (parameter.type == ParameterType::list) {
        row[at] = list_spans(parameter, intent, at, own_words);
        continue;
      }
      Json value(intent[at].text);
      const std::uint32_t cost = value_cost(parameter, intent[at], value, own_words);
      row[at].push_back(Span{1, cost, std::move(value)});
    }
  }
}

const std::vector<Span>& SlotSpans::at(const Parameter& parameter, std::size_t token) const {
  return spans_.find(parameter.name)->second[token];
}

std::vector<UtterancePart> parts_of_utterance(std::string_view utterance,
                                              const templates::Template& source) {
  std::vector<UtterancePart> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = utterance.find('{', at);
    for (Token& token : tokens_of(utterance.substr(at, open - at))) {
      const std::size_t begin = at + token.begin;
      if (token.weight > 0) {
        parts.push_back(UtterancePart{std::move(token), nullptr, begin});
      }
    }
    if (open == std::string_view::npos) {
      return parts;
    }
    const std::size_t close = utterance.find('}', open);
    // parse_template has checked that every slot is a parameter.
    parts.push_back(UtterancePart{
        {}, source.find_parameter(utterance.substr(open + 1, close - open - 1)), open});
    at = close + 1;
  }
}

std::uint32_t bound_of_score(const std::vector<UtterancePart>& utterance,
                             const std::set<std::string_view>& words) {
  std::uint32_t penalty = 0;
  for (const UtterancePart& part : utterance) {
    const bool missing = part.slot == nullptr && !words.contains(part.word.folded);
    penalty += missing ? missing_cost(part.word) : 0;
  }
  return score_with(utterance, penalty);
}

std::uint32_t score_alignment(const std::vector<Token>& intent, const SlotSpans& spans,
                              const std::vector<UtterancePart>& utterance) {
  return Aligner(intent, spans, utterance).score();
}

std::vector<Alignment> align(const std::vector<Token>& intent, const SlotSpans& spans,
                             const std::vector<UtterancePart>& utterance) {
  return Aligner(intent, spans, utterance).run();
}

}  // namespace rgx::planner
