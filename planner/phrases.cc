#include "planner/phrases.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace rgx::planner {
namespace {

constexpr std::uint32_t kWordWeight = 2;
constexpr std::uint32_t kSmallWeight = 1;

/// Spellings, separated by `|`, that stand for `word`. Phrases are written as they are said.
struct PhraseRow {
  std::string_view word;
  std::string_view spellings;
};
constexpr PhraseRow kPhrases[] = {
    {"under", "in|inside|inside of|within|below|beneath|underneath|throughout|across|over"},
    {"and",
     "&|并|并且|而且|然后|再|接着|最后|同时|随后|and then|, and|, and then|, "
     "then|，并|，并且|，然后|，再"},
    {"和", "与|及|以及|跟"},
    {"prove",
     "verify|check|confirm|ensure|make sure|make certain|see|show|double check|double-check|assert|"
     "证明|确保|保证|确认|验证|检查|看看"},
    {"tests",
     "test|testsuite|test suite|unit tests|unit test|the suite|测试|单元测试|测试用例|用例"},
    {"pass",
     "passes|passing|succeed|succeeds|green|work|works|are green|stay green|通过|能通过|"
     "仍然通过|仍通过|依然通过|都通过|全部通过|还能通过|仍能通过|没问题|没有问题"},
    {"run", "execute|rerun|re-run|运行|跑|跑一遍|跑一下|跑跑|执行|运行一遍|运行一下|执行一遍"},
    {"replace", "change|convert|switch|替换|换|改|替|更换|替换掉|换掉"},
    {"rename", "改名|重命名|更名"},
    {"with", "by"},
    {"callers",
     "calls|call|calls to|call to|callers of|references to|reference "
     "to|uses|usages|usage|users|references|call sites|callsites|occurrences|"
     "occurrence|invocations|every call|every use|all calls|all uses|all callers|"
     "调用|调用点|调用方|引用|使用|用法|调用者"},
    {"move", "migrate|port|迁移|迁|移植|切换"},
    {"把", "将"},
    {"替换为",
     "替换成|换成|换为|改成|改为|改作|变成|变为|替成|替换到|修改为|修改成|更换为|更换成|换作"},
    {"改名为", "重命名为|改名成|重命名成|更名为|改叫|改名叫|命名为"},
    {"下的", "里的|中的|内的|下面的|里面的|之下的|目录下的|目录里的|目录中的|文件夹下的|底下的"},
    {"下", "里|中|内|下面|里面|之下|目录下|目录里|目录中|文件夹下|底下|范围内|目录"},
    {"到", "至"},
};

/// Words that may stand anywhere and change nothing that a plan could say.
constexpr std::string_view kFillers =
    "please|kindly|can you|could you|would you|can you please|could you please|i want to|"
    "i would like to|i'd like to|i need to|we need to|we want to|let's|let us|lets|help me|"
    "just|now|also|the|a|an|all|any|every|each|of|that|my|our|me|it all|everywhere|then|"
    "everything|still|to be sure|afterwards|after that|at the end|thanks|thank you|"
    "function|functions|method|methods|class|classes|type|struct|variable|variables|identifier|"
    "identifiers|symbol|symbols|constant|macro|field|api|apis|code|files|file|"
    "folder|folders|directory|directories|whole|entire|"
    "请|请你|请帮我|帮我|帮忙|麻烦|麻烦你|一下|所有|所有的|全部|全部的|每个|都|的|代码|代码里|文件|"
    "函数|方法|类|类型|变量|变量名|标识符|符号|常量|宏|字段|接口|名字|名称|了|吧|我|我想|我要|想要|"
    "想|"
    "需要|给我|统统|全|这个|那个|仍然|仍|依然|还|地方|整个|项目里的|项目中的|代码中的|代码里的|"
    "到处";

/// `in the whole repository` says nothing that the scope `.` does not; `in repository`, without a
/// determiner, names a path.
constexpr std::string_view kPlacePrepositions = "in|inside|within|across|throughout|在";
constexpr std::string_view kDeterminers = "the|this|our|whole|entire|my|整个|本|这个|全";
constexpr std::string_view kPlaces =
    "codebase|code base|repo|repository|project|workspace|source tree|tree|项目|仓库|工程|代码库";
constexpr std::string_view kPlaceSuffixes = "里的|中的|里|中|内";
constexpr std::size_t kDeterminersMax = 2;

/// Words that begin an instruction of their own.
constexpr std::string_view kVerbs =
    "run|prove|replace|rename|move|build|commit|push|delete|remove|add|fix|format|update|deploy|"
    "then|use|compile|install|create|write|lint";

/// Words that turn, bound or point: never names unless they stand in quotation marks.
constexpr std::string_view kNeverValues =
    "not|don't|dont|doesn't|never|but|except|without|only|unless|no|nor|neither|instead|with|to|"
    "from|into|for|as|by|and|or|if|when|it|me|the|an|all|any|every|each|of|that|this|these|those|"
    "my|our|please|everything|everywhere|something|anything|them|here|there";

/// Small words: a missing one costs less.
constexpr std::string_view kSmallWords =
    "and|to|with|under|from|for|into|as|把|下|下的|和|在|为|到|从";

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t bar = list.find('|');
    parts.push_back(list.substr(0, bar));
    if (bar == std::string_view::npos) {
      return parts;
    }
    list.remove_prefix(bar + 1);
  }
}

/// Ends a word in a key: a byte that is in no word.
constexpr char kWordEnd = '\x1f';

/// Spellings of one kind, as runs of words.
class WordRuns {
 public:
  explicit WordRuns(std::string_view list) {
    for (const std::string_view part : parts_of(list)) {
      std::vector<std::string>& run = runs_.emplace_back();
      for (Token& token : scan_tokens(part)) {
        run.push_back(std::move(token.folded));
      }
    }
  }

  /// Number of tokens of the longest run at the front of `tokens`, or 0.
  [[nodiscard]] std::size_t match(std::span<const Token> tokens) const {
    std::size_t longest = 0;
    for (const std::vector<std::string>& run : runs_) {
      const bool found = run.size() <= tokens.size() &&
                         std::ranges::equal(run, tokens.first(run.size()), {}, {}, &Token::folded);
      longest = found ? std::max(longest, run.size()) : longest;
    }
    return longest;
  }

 private:
  std::vector<std::vector<std::string>> runs_;
};

/// Knows which runs of tokens stand for which word; a filler stands for the empty word.
class PhraseBook {
 public:
  PhraseBook() {
    for (const PhraseRow& row : kPhrases) {
      add(row.word, row.word);
      for (const std::string_view spelling : parts_of(row.spellings)) {
        add(spelling, row.word);
      }
    }
    for (const std::string_view filler : parts_of(kFillers)) {
      add(filler, "");
    }
    for (const std::string_view word : parts_of(kSmallWords)) {
      small_.emplace(word);
    }
    for (const std::string_view word : parts_of(kVerbs)) {
      verbs_.emplace(word);
    }
    for (const std::string_view word : parts_of(kNeverValues)) {
      never_values_.emplace(word);
    }
  }

  /// The longest run at the front of `tokens` that stands for a word.
  struct Run {
    std::size_t tokens = 0;
    const std::string* word = nullptr;
  };
  [[nodiscard]] Run longest(std::span<const Token> tokens) const {
    Run run;
    std::string key;
    const std::size_t most = std::min(tokens_max_, tokens.size());
    for (std::size_t count = 0; count < most && tokens[count].kind != TokenKind::quoted; ++count) {
      key += tokens[count].folded;
      key += kWordEnd;
      // Every phrase with this beginning sorts at or behind the key.
      const auto at = words_.lower_bound(key);
      if (at == words_.end() || !at->first.starts_with(key)) {
        break;
      }
      if (at->first == key) {
        run = Run{count + 1, &at->second};
      }
    }
    return run;
  }
  [[nodiscard]] bool is_small(std::string_view word) const { return small_.contains(word); }
  [[nodiscard]] bool is_verb(std::string_view word) const { return verbs_.contains(word); }
  [[nodiscard]] bool is_never_value(std::string_view word) const {
    return never_values_.contains(word);
  }

 private:
  void add(std::string_view spelling, std::string_view word) {
    const std::vector<Token> tokens = scan_tokens(spelling);
    tokens_max_ = std::max(tokens_max_, tokens.size());
    std::string key;
    for (const Token& token : tokens) {
      key += token.folded;
      key += kWordEnd;
    }
    words_.try_emplace(std::move(key), word);
  }
  std::map<std::string, std::string, std::less<>> words_;
  std::set<std::string, std::less<>> small_;
  std::set<std::string, std::less<>> verbs_;
  std::set<std::string, std::less<>> never_values_;
  std::size_t tokens_max_ = 1;
};

const PhraseBook& book() {
  static const PhraseBook kBook;
  return kBook;
}

/// Number of tokens of "in the whole repository" at the front of `tokens`, or 0.
std::size_t match_place(std::span<const Token> tokens) {
  static const WordRuns kBefore(kPlacePrepositions);
  static const WordRuns kPointing(kDeterminers);
  static const WordRuns kNamed(kPlaces);
  static const WordRuns kAfter(kPlaceSuffixes);
  std::size_t at = kBefore.match(tokens);
  std::size_t determiners = 0;
  while (determiners < kDeterminersMax) {
    const std::size_t count = kPointing.match(tokens.subspan(at));
    if (count == 0) {
      break;
    }
    at += count;
    ++determiners;
  }
  const std::size_t place = kNamed.match(tokens.subspan(at));
  if (determiners == 0 || place == 0) {
    return 0;
  }
  at += place;
  return at + kAfter.match(tokens.subspan(at));
}

std::uint32_t weight_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::quoted:
      return kWordWeight;
    case TokenKind::separator:
      return 0;
    case TokenKind::word:
    case TokenKind::character:
    case TokenKind::phrase:
      break;
  }
  return token.folded.empty() ? 0 : book().is_small(token.folded) ? kSmallWeight : kWordWeight;
}

}  // namespace

void fold_phrases(std::vector<Token>& tokens) {
  std::vector<Token> folded;
  for (std::size_t at = 0; at < tokens.size();) {
    const auto rest = std::span<const Token>(tokens).subspan(at);
    const std::size_t place = match_place(rest);
    const PhraseBook::Run run = place > 0 ? PhraseBook::Run{place, nullptr} : book().longest(rest);
    const std::size_t count = run.tokens;
    Token token = tokens[at];
    if (count > 0) {
      token.folded = run.word == nullptr ? std::string() : *run.word;
      for (std::size_t more = 1; more < count; ++more) {
        token.text += " " + tokens[at + more].text;
        token.kind = TokenKind::phrase;
      }
    }
    token.weight = weight_of(token);
    folded.push_back(std::move(token));
    at += std::max<std::size_t>(count, 1);
  }
  tokens = std::move(folded);
}

bool is_verb(const Token& token) {
  return token.kind != TokenKind::quoted && book().is_verb(token.folded);
}

bool is_never_value(const Token& token) {
  std::string word = token.text;
  std::ranges::transform(word, word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return book().is_never_value(word);
}

}  // namespace rgx::planner
