#include "planner/alignment.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "templates/template.h"

namespace rgx::planner {
namespace {

using templates::Parameter;
using templates::ParameterType;

constexpr std::uint32_t kSlotWeight = 4;
constexpr std::uint32_t kMissingRequiredCost = 8;
constexpr std::uint32_t kBadValueCost = 3;
constexpr std::size_t kListItemsMax = 16;
constexpr std::size_t kAlignmentsMax = 16;
constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max() / 2;

bool is_list(const Parameter& parameter) { return parameter.type == ParameterType::list; }

/// A token that can be a value: a name, a path, anything in quotation marks.
bool can_be_value(const Token& token) {
  return token.kind == TokenKind::word || (token.kind == TokenKind::quoted && !token.text.empty());
}

/// What a slot takes from the intent.
struct Span {
  std::size_t tokens = 0;
  std::uint32_t cost = 0;
  Json value;
};

/// One step of an alignment, from (part, token) to (part + parts, token + tokens).
struct Move {
  std::size_t parts = 0;
  std::size_t tokens = 0;
  std::uint32_t cost = 0;
  const Span* span = nullptr;
};

class Aligner {
 public:
  Aligner(const std::vector<Token>& intent, const std::vector<UtterancePart>& utterance)
      : intent_(intent), utterance_(utterance), columns_(intent.size() + 1) {}

  [[nodiscard]] std::vector<Alignment> run();

 private:
  void find_spans();
  [[nodiscard]] std::vector<Span> spans_at(const Parameter& parameter, std::size_t at) const;
  [[nodiscard]] std::vector<Move> moves(std::size_t part, std::size_t token) const;
  [[nodiscard]] std::uint32_t& cost(std::size_t part, std::size_t token) {
    return costs_[part * columns_ + token];
  }
  void collect(std::size_t part, std::size_t token, Alignment& path);
  [[nodiscard]] std::uint32_t score_of(std::uint32_t penalty) const;

  const std::vector<Token>& intent_;
  const std::vector<UtterancePart>& utterance_;
  std::size_t columns_;
  std::vector<std::vector<Span>> spans_;  // by part * columns + token; empty for words
  std::vector<std::uint32_t> costs_;      // cheapest way to the end
  std::vector<Alignment> found_;
  std::size_t visits_ = 0;
};

std::vector<Span> Aligner::spans_at(const Parameter& parameter, std::size_t at) const {
  std::vector<Span> spans;
  if (at >= intent_.size() || !can_be_value(intent_[at])) {
    return spans;
  }
  const auto cost_of = [&parameter](const Json& value) {
    return templates::check_argument(parameter, value) ? 0U : kBadValueCost;
  };
  if (!is_list(parameter)) {
    const Json value(intent_[at].text);
    spans.push_back(Span{1, cost_of(value), value});
    return spans;
  }
  // `src`, `src and tests`, `src/、tests/`: every beginning of the list is a span of its own.
  Json items = Json::array({Json(intent_[at].text)});
  std::size_t end = at + 1;
  spans.push_back(Span{1, cost_of(items), items});
  while (spans.size() < kListItemsMax) {
    std::size_t next = end;
    while (next < intent_.size() && next < end + 2 && joins_list(intent_[next])) {
      ++next;
    }
    if (next == end || next >= intent_.size() || !can_be_value(intent_[next]) ||
        is_verb(intent_[next])) {
      break;
    }
    items.push(Json(intent_[next].text));
    end = next + 1;
    spans.push_back(Span{end - at, cost_of(items), items});
  }
  return spans;
}

void Aligner::find_spans() {
  spans_.resize(utterance_.size() * columns_);
  for (std::size_t part = 0; part < utterance_.size(); ++part) {
    if (utterance_[part].slot == nullptr) {
      continue;
    }
    for (std::size_t token = 0; token < intent_.size(); ++token) {
      spans_[part * columns_ + token] = spans_at(*utterance_[part].slot, token);
    }
  }
}

std::vector<Move> Aligner::moves(std::size_t part, std::size_t token) const {
  std::vector<Move> all;
  const bool has_token = token < intent_.size();
  if (part < utterance_.size()) {
    const UtterancePart& here = utterance_[part];
    if (here.slot != nullptr) {
      for (const Span& span : spans_[part * columns_ + token]) {
        all.push_back(Move{1, span.tokens, span.cost, &span});
      }
      all.push_back(
          Move{1, 0, here.slot->required ? kMissingRequiredCost : kSlotWeight, nullptr});
    } else {
      if (has_token && intent_[token].kind != TokenKind::quoted &&
          intent_[token].folded == here.word.folded) {
        all.push_back(Move{1, 1, 0, nullptr});
      }
      all.push_back(Move{1, 0, here.word.weight, nullptr});
    }
  }
  if (has_token) {
    all.push_back(Move{0, 1, intent_[token].weight, nullptr});
  }
  return all;
}

std::uint32_t Aligner::score_of(std::uint32_t penalty) const {
  std::uint32_t total = 0;
  for (const UtterancePart& part : utterance_) {
    total += part.slot != nullptr ? kSlotWeight : part.word.weight;
  }
  // Twice what matched, over that and what did not: 1000 when nothing is left over.
  const std::uint32_t whole = 2 * total + penalty;
  const std::uint32_t matched = 2 * total > penalty ? 2 * total - penalty : 0;
  return whole == 0 ? 0 : kScoreMax * matched / whole;
}

void Aligner::collect(std::size_t part, std::size_t token, Alignment& path) {
  constexpr std::size_t kVisitsMax = 20000;
  if (found_.size() >= kAlignmentsMax || ++visits_ > kVisitsMax) {
    return;
  }
  if (part == utterance_.size() && token == intent_.size()) {
    if (std::ranges::find(found_, path) == found_.end()) {
      found_.push_back(path);
    }
    return;
  }
  for (const Move& move : moves(part, token)) {
    const std::uint32_t rest = cost(part + move.parts, token + move.tokens);
    if (move.cost + rest != cost(part, token)) {
      continue;
    }
    Alignment next = path;
    if (move.span != nullptr) {
      next.values[utterance_[part].slot->name] = move.span->value;
    } else if (move.parts == 0 && intent_[token].weight > 0) {
      next.not_understood.push_back(intent_[token].text);
    }
    collect(part + move.parts, token + move.tokens, next);
  }
}

std::vector<Alignment> Aligner::run() {
  find_spans();
  costs_.assign((utterance_.size() + 1) * columns_, kUnreachable);
  cost(utterance_.size(), intent_.size()) = 0;
  for (std::size_t part = utterance_.size() + 1; part-- > 0;) {
    for (std::size_t token = intent_.size() + 1; token-- > 0;) {
      for (const Move& move : moves(part, token)) {
        const std::uint32_t rest = cost(part + move.parts, token + move.tokens);
        cost(part, token) = std::min(cost(part, token), move.cost + rest);
      }
    }
  }
  Alignment start;
  start.score = score_of(cost(0, 0));
  collect(0, 0, start);
  return std::move(found_);
}

}  // namespace

std::vector<UtterancePart> parts_of_utterance(std::string_view utterance,
                                              const templates::Template& source) {
  std::vector<UtterancePart> parts;
  const auto add_words = [&parts](std::string_view text) {
    for (Token& token : tokens_of(text)) {
      if (token.weight > 0) {
        parts.push_back(UtterancePart{std::move(token), nullptr});
      }
    }
  };
  while (true) {
    const std::size_t open = utterance.find('{');
    add_words(utterance.substr(0, open));
    if (open == std::string_view::npos) {
      return parts;
    }
    const std::size_t close = utterance.find('}', open);
    // parse_template has checked that every slot is a parameter.
    parts.push_back(
        UtterancePart{{}, source.find_parameter(utterance.substr(open + 1, close - open - 1))});
    utterance.remove_prefix(close + 1);
  }
}

std::vector<Alignment> align(const std::vector<Token>& intent,
                             const std::vector<UtterancePart>& utterance) {
  return Aligner(intent, utterance).run();
}

}  // namespace rgx::planner
