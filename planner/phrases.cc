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
     "occurrence|invocations|every call|every use|all calls|all uses|all callers|every call to|"
     "every call of|every use of|all calls to|all calls of|all callers of|all uses of|all usages "
     "of|"
     "all references to|each call to|calls of|usages of|uses of|occurrences of|all occurrences of|"
     "every occurrence of|"
     "调用|调用点|调用方|引用|使用|用法|调用者"},
    {"move", "migrate|port|迁移|迁|移植|切换"},
    {"把", "将"},
    {"替换为",
     "设为|设置为|设成|定为|替换成|换成|换为|改成|改为|改作|变成|变为|替成|替换到|修改为|修改成|"
     "更换为|更换成|换作"},
    {"改名为", "重命名为|rename 为|rename 成|改名成|重命名成|更名为|改叫|改名叫|命名为"},
    {"下的", "里的|中的|内的|下面的|里面的|之下的|目录下的|目录里的|目录中的|文件夹下的|底下的"},
    {"下", "里|中|内|下面|里面|之下|目录下|目录里|目录中|文件夹下|底下|范围内|目录"},
    {"到", "至"},
    {"代替", "取代|替代"},
    {"升到",
     "upgrade 到|update 到|bump "
     "到|升级到|升级为|升级至|升至|升为|提升到|更新到|更新为|更新至|提高到"},
    // Templates of the catalog.
    {"script", "脚本"},
    {"spdx",
     "spdx header|spdx headers|spdx line|spdx lines|spdx license header|spdx identifier|spdx "
     "license identifier|spdx licence identifier|spdx license|spdx 头|spdx 标识|spdx 许可证头"},
    {"anybody", "anyone|somebody|someone"},
    {"如何", "怎么样|怎样|咋样|怎么"},
    {"find",
     "search for|scan for|look for|hunt for|check for|locate|detect|sweep for|查找|查|查一下|"
     "查一查|搜索|搜寻|搜|找|找找|找一下|找出|寻找|检索"},
    {"scan", "search|look through|comb|sweep|扫描|扫一遍|扫一下|扫描一下|扫|安全扫描|安全检查"},
    {"audit", "security audit|security scan|security sweep|security check|安全审计|审计|审查"},
    {"secrets",
     "secret|credential|credentials|password|passwords|api key|api keys|private keys|access tokens|"
     "leaked secrets|leaked credentials|leaked passwords|hard-coded passwords|hardcoded passwords|"
     "hard-coded secrets|hardcoded secrets|hard-coded credentials|hardcoded credentials|密钥|秘钥|"
     "密码|口令|凭证|凭据|敏感信息|机密|私钥|令牌|泄露的密钥|泄露的密码|泄露的凭证|泄漏的密钥|"
     "泄漏的密码|硬编码的密钥|硬编码的密码|硬编码密码|硬编码密钥|明文密码|明文的密码"},
    {"forbidden", "banned|disallowed|prohibited|禁用|禁用的|禁止的|被禁用的|违禁的|不允许的"},
    {"license", "licence|licenses|licences|许可证|许可|许可协议|授权"},
    {"header", "headers|notice|notices|banner|banners|头|文件头|头部|声明|版权头"},
    {"add", "insert|put|prepend|添加|加上|加入|加|插入|增加|添上|补上|补充|补"},
    {"缺少", "缺|缺失|没有|没|缺少的|缺失的"},
    {"有没有", "是否有|有无|有没有用到|有没有使用|是否存在|存不存在|是否用到"},
    {"哪些", "有哪些|什么|哪个"},
    {"失败", "失败了|没通过|没有通过|不通过|挂了|挂掉|报错"},
    {"fail", "fails|failing|failed|broken|break|breaks|are failing|did not pass|do not pass"},
    {"report", "reports|short report|summary|summarize|汇报|报告|总结"},
    {"tell me", "let me know|告诉我|告知我|跟我说"},
    {"result", "results|outcome|结果"},
    {"whether", "if"},
    {"rewrite", "codemod|transform|改写|重写|批量改写|代码改写"},
    {"改写为", "rewrite 为|rewrite 成|改写成|重写为|重写成|转换为|转换成|变换为"},
    {"pattern", "regex|regexp|regular expression|patterns|正则|正则表达式|正则式|模式"},
    {"matches",
     "match|matching|matches of|all matches of|every match of|each match of|whatever matches|"
     "what matches|everything matching|everything that matches|anything matching|"
     "anything that matches|text matching|all text matching|lines matching|all lines matching|"
     "lines that match|code matching|匹配|符合|匹配到|匹配到的"},
    {"format", "代码格式化|reformat|auto-format|autoformat|re-format|格式化|重新格式化|排版"},
    {"formatter", "code formatter|formatting tool|格式化工具|格式化程序|格式化器"},
    {"formatting", "code style|code format|style|indentation|格式|代码格式|代码风格|风格"},
    {"release", "发布|发版|发行"},
    {"version", "version number|versions|版本|版本号"},
    {"changelog", "change log|changes file|release notes|变更日志|更新日志|变更记录|修改日志"},
    {"upgrade", "update|bump|raise|升级|更新|升"},
    {"dependency", "dependencies|package|library|依赖|依赖包|依赖库|包|库|软件包"},
};

/// Words that may stand anywhere and change nothing that a plan could say.
constexpr std::string_view kFillers =
    "please|kindly|can you|could you|would you|can you please|could you please|i want to|"
    "i would like to|i'd like to|i need to|we need to|we want to|let's|let us|lets|help me|"
    "just|now|also|the|a|an|all|any|every|each|of|that|my|our|me|it all|everywhere|then|"
    "everything|still|project's|repository's|wherever it is missing|where it is missing|where "
    "missing|"
    "wherever missing|where they are missing|to be sure|afterwards|after that|at the "
    "end|thanks|thank you|"
    "function|functions|method|methods|class|classes|type|struct|variable|variables|identifier|"
    "identifiers|symbol|symbols|constant|macro|field|api|apis|code|files|file|"
    "folder|folders|directory|directories|whole|entire|source file|source files|source code|"
    "请|请你|请帮我|帮我|帮忙|麻烦|麻烦你|一下|所有|所有的|全部|全部的|每个|都|的|代码|代码里|文件|"
    "函数|方法|类|类型|变量|变量名|标识符|符号|常量|宏|字段|接口|名字|名称|了|吧|我|我想|我要|想要|"
    "想|"
    "需要|给我|统统|全|这个|那个|仍然|仍|依然|还|地方|整个|项目里的|项目中的|代码中的|代码里的|"
    "到处|源文件|源代码|源码|仓库里|仓库中|仓库里的|项目里|项目中|项目的|代码中|代码库里|工程里|"
    "一次|一遍|"
    "一份|一个|内容|处|帮|做个|吧|呢|吗|嘛";

/// `in the whole repository` says nothing that the scope `.` does not; `in repository`, without a
/// determiner, names a path.
constexpr std::string_view kPlacePrepositions =
    "in|inside|within|across|throughout|over|through|of|on|for|在|对|给";
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
