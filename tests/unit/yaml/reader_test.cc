#include "base/yaml/reader.h"

#include "base/canonical.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rgx::yaml {
namespace {

using std::string_literals::operator""s;
using test::error_text;

/// The document as canonical JSON, or all mistakes, one a line: `line:column code`.
std::string outcome(std::string_view text) {
  const auto node = parse(text, "f");
  if (node) {
    return canonical(to_json(*node));
  }
  std::string lines;
  for (const Diagnostic& each : node.error().diagnostics) {
    EXPECT_EQ(each.place.file, "f");
    EXPECT_FALSE(each.remedy.empty()) << each.code;
    lines += (lines.empty() ? "" : "\n") + std::to_string(each.place.line) + ":" +
             std::to_string(each.place.column) + " " + each.code;
  }
  return lines;
}

std::string message(std::string_view text) {
  return error_text(parse(text, "f"));
}

TEST(YamlReader, ReadsTheValueSpace) {
  EXPECT_EQ(outcome("a: 1\nb: true\nc: text\nd: [x, \"2\", -5, false]\ne: {f: {g: []}}\nh: {}\n"),
            R"({"a":1,"b":true,"c":"text","d":["x","2",-5,false],"e":{"f":{"g":[]}},"h":{}})");
  EXPECT_EQ(outcome("- a\n-\n  b: 1\n- - c\n"), R"(["a",{"b":1},["c"]])");
  EXPECT_EQ(outcome("just text"), R"("just text")");
}

TEST(YamlReader, ReadsQuotesAndBlocks) {
  EXPECT_EQ(outcome("a: 'it''s'"), R"({"a":"it's"})");
  EXPECT_EQ(outcome(R"(a: "x\ty\n\u4e2d\x41")"), R"({"a":"x\ty\n中A"})");
  EXPECT_EQ(outcome("a: |\n  one\n  two\nb: >\n  one\n  two\n"),
            R"({"a":"one\ntwo\n","b":"one two\n"})");
  EXPECT_EQ(outcome("a: |-\n  one\n"), R"({"a":"one"})");
  EXPECT_EQ(outcome("a: \"true\"\nb: 'null'\nc: \"17\"\n"), R"({"a":"true","b":"null","c":"17"})");
  EXPECT_EQ(outcome("a: \"\"\nb: ''\n"), R"({"a":"","b":""})");
}

TEST(YamlReader, KeepsStylesAndTexts) {
  const auto node = parse("a: plain\nb: 'q'\nc: \"q\"\nd: |\n  b\ne: 12\n", "f");
  ASSERT_TRUE(test::accepted(node));
  EXPECT_EQ(node->find("a")->value->style, Style::plain);
  EXPECT_EQ(node->find("b")->value->style, Style::quoted);
  EXPECT_EQ(node->find("c")->value->style, Style::quoted);
  EXPECT_EQ(node->find("d")->value->style, Style::block);
  EXPECT_EQ(node->find("e")->value->text, "12");
  EXPECT_EQ(node->find("e")->value->integer, 12);
  EXPECT_EQ(node->find("missing"), nullptr);
}

TEST(YamlReader, KeepsTheOrderOfMembers) {
  const auto node = parse("z: 1\na: 2\nm: 3\n", "f");
  ASSERT_TRUE(test::accepted(node));
  std::string keys;
  for (const Member& member : node->members) {
    keys += member.key;
  }
  EXPECT_EQ(keys, "zam");
}

TEST(YamlReader, EveryNodeAndKeyKnowsItsPlace) {
  const auto node = parse("# c\na: x\n中: [ 1,\n  'q' ]\nb:\n  - {k: v}\n", "dir/f.yaml");
  ASSERT_TRUE(test::accepted(node));
  EXPECT_EQ(to_string(node->place), "dir/f.yaml:2:1");
  EXPECT_EQ(to_string(node->find("a")->value->place), "dir/f.yaml:2:4");
  EXPECT_EQ(to_string(node->find("中")->key_place), "dir/f.yaml:3:1");
  const Node& list = *node->find("中")->value;
  EXPECT_EQ(to_string(list.place), "dir/f.yaml:3:6");  // columns count bytes
  EXPECT_EQ(to_string(list.items[0]->place), "dir/f.yaml:3:8");
  EXPECT_EQ(to_string(list.items[1]->place), "dir/f.yaml:4:3");
  const Node& item = *node->find("b")->value->items[0];
  EXPECT_EQ(to_string(item.place), "dir/f.yaml:6:5");
  EXPECT_EQ(to_string(item.find("k")->key_place), "dir/f.yaml:6:6");
  EXPECT_EQ(to_string(item.find("k")->value->place), "dir/f.yaml:6:9");
}

// The cases G01 to G25 of published loader mistakes.

TEST(YamlReader, G01DuplicateKeyIsRefused) {
  EXPECT_EQ(outcome("a: deny\nb: 1\na: allow\n"), "3:1 yaml.duplicate_key");
  EXPECT_EQ(message("a: deny\nb: 1\na: allow\n"),
            "f:3:1: key `a` stands twice, first in line 1 [yaml.duplicate_key]\n"
            "  keep one of them");
  EXPECT_EQ(outcome("a: {x: 1, \"x\": 2}"), "1:11 yaml.duplicate_key");
  EXPECT_EQ(outcome("- {x: 1}\n- {x: 1}\n"), R"([{"x":1},{"x":1}])");
}

TEST(YamlReader, G01DuplicateKeyIsFoundInLargeMappings) {
  std::string text;
  for (int index = 0; index < 100; ++index) {
    text += "key" + std::to_string(index) + ": 1\n";
  }
  EXPECT_EQ(outcome(text + "key0: 2\nkey99: 2\nnew: 1\nnew: 2\n"),
            "101:1 yaml.duplicate_key\n102:1 yaml.duplicate_key\n104:1 yaml.duplicate_key");
}

TEST(YamlReader, G02MergeKeyIsRefused) {
  EXPECT_EQ(outcome("base: &base {k: v}\nx:\n  <<: *base\n"),
            "1:7 yaml.anchor\n3:3 yaml.merge_key\n3:7 yaml.alias");
}

TEST(YamlReader, G04OnlyCanonicalDecimalsAreIntegers) {
  for (const char* text : {"017", "0x1f", "0o17", "0b1", "1_000", "+1", "00", "-0", "-01"}) {
    EXPECT_EQ(outcome("a: "s + text), "1:4 yaml.ambiguous_scalar") << text;
  }
  EXPECT_EQ(outcome("[0, 7, -7, 9007199254740991, -9007199254740991]"),
            "[0,7,-7,9007199254740991,-9007199254740991]");
  EXPECT_EQ(outcome("[9007199254740992, -9007199254740992, 99999999999999999999]"),
            "1:2 yaml.number_range\n1:20 yaml.number_range\n1:39 yaml.number_range");
}

TEST(YamlReader, G05FloatsAreRefused) {
  for (const char* text : {".inf", "-.INF", ".NaN", "1e3", "1.5", "1.", ".5", "1.10", "-1.5e-3"}) {
    EXPECT_EQ(outcome("a: "s + text), "1:4 yaml.ambiguous_scalar") << text;
  }
}

TEST(YamlReader, G06AnUnquotedGlobIsRefusedWithAHint) {
  EXPECT_EQ(message("- *.pem"),
            "f:1:3: `*` starts an alias, which is not supported [yaml.alias]\n"
            "  quote globs, as in \"*.pem\"; write a repeated value out");
  EXPECT_EQ(outcome("path: **/*.pem"), "1:7 yaml.alias");
  EXPECT_EQ(outcome("path: *"), "1:7 yaml.alias");
  EXPECT_EQ(outcome("a:\n - *.pem\n - ok\n - **/*.pem\nb: 017\n"),
            "2:4 yaml.alias\n4:4 yaml.alias\n5:4 yaml.ambiguous_scalar");
}

TEST(YamlReader, G08ACommentBehindAValueIsAComment) {
  EXPECT_EQ(outcome("cmd: echo #x\n"), R"({"cmd":"echo"})");
  EXPECT_EQ(outcome("cmd: echo#x\n"), R"({"cmd":"echo#x"})");
  EXPECT_EQ(outcome("cmd: \"echo #x\"\n"), R"({"cmd":"echo #x"})");
  EXPECT_EQ(outcome("hard: true   # no exception\n"), R"({"hard":true})");
}

TEST(YamlReader, G09ABraceListIsNoMapping) {
  EXPECT_EQ(outcome("- {a,b}"), "1:4 yaml.empty_value\n1:6 yaml.empty_value");
  EXPECT_NE(message("- {a,b}").find("quote a text that contains braces"), std::string::npos);
  EXPECT_EQ(outcome("a: {b:c}"), "1:5 yaml.empty_value");
  EXPECT_NE(message("a: {b:c}").find("put a space behind the colon"), std::string::npos);
  EXPECT_EQ(outcome("a: [b: c]"), "1:5 yaml.flow_pair");
}

TEST(YamlReader, G10AnEmptyValueIsToldApartFromNull) {
  const auto node = parse("deny:\nallow: []\n", "f");
  ASSERT_TRUE(test::accepted(node));
  EXPECT_EQ(node->find("deny")->value->kind, Node::Kind::null);
  EXPECT_EQ(to_string(node->find("deny")->value->place), "f:1:1");
  for (const char* text : {"~", "null", "Null", "NULL"}) {
    EXPECT_EQ(outcome("deny: "s + text + "\nb: 1\n"), "1:7 yaml.ambiguous_scalar") << text;
  }
  EXPECT_EQ(outcome("a:\n-\n- b\n-\n"), "2:1 yaml.empty_value\n4:1 yaml.empty_value");
  EXPECT_EQ(outcome("deny:\nnull: 1\n"), "2:1 yaml.key_type");
}

TEST(YamlReader, G12AnUnterminatedQuoteIsToldWhereItOpens) {
  for (const char* text :
       {"a: 'x", "a: 'x\n", "a: 'x\nb: c\n", "a: \"x", "a: \"x\n", "a: \"x\\\"\n", "a: 'x''\n",
        "a: 'x\n...\n", "a: 'x\n---\nb: 1\n", "a: \"}"}) {
    EXPECT_EQ(outcome(text), "1:4 yaml.unterminated_quote") << text;
  }
  EXPECT_EQ(outcome("'x\n"), "1:1 yaml.unterminated_quote");
  EXPECT_EQ(outcome("k: it's\nb: ['y', 'x]\n"), "2:10 yaml.unterminated_quote");
  EXPECT_EQ(outcome("b: [\"y\" # it's\n, 'x]\n"), "2:3 yaml.unterminated_quote");
}

TEST(YamlReader, G13InvalidUtf8IsRefused) {
  EXPECT_EQ(outcome("a: 1\nb: \"x\xFF\"\n"), "2:6 yaml.invalid_utf8");
  EXPECT_EQ(outcome("# \xC0\xAF\n"), "1:3 yaml.invalid_utf8");
  EXPECT_EQ(outcome("\xFF\xFE"
                    "a\0:\0"s),
            "1:1 yaml.invalid_utf8");
}

TEST(YamlReader, G14AByteOrderMarkIsTakenAtTheStartOnly) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF"
                    "a: 1\n"),
            R"({"a":1})");
  EXPECT_EQ(outcome("\xEF\xBB\xBF"
                    "a: 017\n"),
            "1:4 yaml.ambiguous_scalar");
  EXPECT_EQ(outcome("a: 1\n\xEF\xBB\xBF"
                    "b: 2\n")
                .substr(0, 24),
            "2:1 yaml.byte_order_mark");
  EXPECT_EQ(outcome("\xEF\xBB\xBF\xEF\xBB\xBF"
                    "a: 1\n")
                .substr(0, 24),
            "1:1 yaml.byte_order_mark");
}

TEST(YamlReader, G16NestingIsLimited) {
  const auto flow = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(outcome(flow(32)), flow(32));
  EXPECT_EQ(outcome(flow(33)), "1:33 yaml.too_deep");
  EXPECT_NE(message(flow(1000)).find("nested deeper than 32 levels"), std::string::npos);
  std::string block;
  for (int depth = 0; depth < 600; ++depth) {
    block += std::string(static_cast<std::size_t>(depth), ' ') + "a:\n";
  }
  EXPECT_EQ(outcome(block), "33:33 yaml.too_deep");
  std::string sequences;
  for (int depth = 0; depth < 5000; ++depth) {
    sequences += "- ";
  }
  EXPECT_EQ(outcome(sequences + "x"), "1:65 yaml.too_deep");
}

TEST(YamlReader, G17KeysAreTexts) {
  for (const char* key : {"true", "1", "no", "null", "~", "1.5", "2026-12-01", "0x1"}) {
    EXPECT_EQ(outcome(std::string(key) + ": x\n"), "1:1 yaml.key_type") << key;
  }
  EXPECT_EQ(outcome("[x]: v\n"), "1:1 yaml.key_type");
  EXPECT_EQ(outcome("{k: v}: w\n"), "1:1 yaml.key_type");
  EXPECT_EQ(outcome(": v\n"), "1:1 yaml.key_type");
  EXPECT_EQ(outcome("\"\": v\n"), "1:1 yaml.key_type");
  EXPECT_EQ(outcome("? a\n: v\n"), "1:3 yaml.key_type");
  EXPECT_EQ(outcome("?\n  a\n: v\n"), "2:3 yaml.key_type");
  EXPECT_EQ(outcome("{? a : v}"), "1:4 yaml.key_type");
  EXPECT_EQ(outcome("a: what ?\nb: 1\n"), R"({"a":"what ?","b":1})");
  EXPECT_EQ(outcome("\"true\": x\n\"1\": y\n"), R"({"1":"y","true":"x"})");
  EXPECT_EQ(outcome(std::string(257, 'k') + ": v\n"), "1:1 yaml.key_type");
}

TEST(YamlReader, G18TagsAreRefused) {
  EXPECT_EQ(outcome("a: !!python/object:os.system x\nb: !include /etc/passwd\nc: !x [a]\n"
                    "d: ! x\ne: !!map {a: b}\nf: !!str 1\n!k g: 1\n"),
            "1:4 yaml.tag\n2:4 yaml.tag\n3:4 yaml.tag\n4:4 yaml.tag\n5:4 yaml.tag\n6:4 yaml.tag\n"
            "7:1 yaml.tag");
}

TEST(YamlReader, G20AMissingSpaceMakesAScalar) {
  // The schema then refuses it: MappingReader.AScalarForAMappingNamesTheColon.
  EXPECT_EQ(outcome("a:1"), R"("a:1")");
}

TEST(YamlReader, G21CrlfIsALineEndAndALoneCrIsNot) {
  EXPECT_EQ(outcome("a: 1\r\nb:\r\n  - x\r\n"), R"({"a":1,"b":["x"]})");
  EXPECT_EQ(outcome("a: 1\r\nb: 017\r\n"), "2:4 yaml.ambiguous_scalar");
  EXPECT_EQ(outcome("a: 1\rb: 2\n"), "1:5 yaml.carriage_return");
  EXPECT_EQ(outcome("a: \"x\r\"\n"), "1:6 yaml.carriage_return");
  EXPECT_EQ(outcome("a: |\r\n  x\r\n  y\r\n"), R"({"a":"x\ny\n"})");
}

TEST(YamlReader, G22TextsThatLookLikeNumbersMustBeQuoted) {
  for (const char* text : {"12:30:45", "1.10", "2026-12-01", "2026-12-01T00:00:00Z", "yes", "No",
                           "on", "OFF", "True"}) {
    EXPECT_EQ(outcome("a: "s + text), "1:4 yaml.ambiguous_scalar") << text;
    EXPECT_EQ(outcome("a: \""s + text + "\""), "{\"a\":\"" + std::string(text) + "\"}");
  }
}

TEST(YamlReader, G24DeceptiveCharactersAreRefusedEverywhere) {
  EXPECT_EQ(outcome("al\u200Blow: 1\n").substr(0, 29), "1:3 yaml.deceptive_character");
  EXPECT_EQ(outcome("a: \"x\u202Ey\"\n"), "1:6 yaml.deceptive_character");
  EXPECT_EQ(outcome("a: 1 # \u2066 hidden\n"), "1:8 yaml.deceptive_character");
  EXPECT_EQ(outcome("a: \"\\u202e\"\n"), "1:4 yaml.deceptive_character");
  EXPECT_EQ(outcome("\"a\\u200b\": 1\n"), "1:1 yaml.deceptive_character");
  EXPECT_EQ(outcome("\"a\\n\": 1\n"), "1:1 yaml.deceptive_character");
  EXPECT_EQ(outcome("a: \"\\0\"\nb: \"\\e\"\nc: \"\\x7f\"\nd: \"\\r\"\n"),
            "1:4 yaml.deceptive_character\n2:4 yaml.deceptive_character\n"
            "3:4 yaml.deceptive_character\n4:4 yaml.deceptive_character");
  EXPECT_EQ(outcome("中文: \"把 {scope} 下的 {from} 替换为 {to}\"\n"),
            R"({"中文":"把 {scope} 下的 {from} 替换为 {to}"})");
}

TEST(YamlReader, G25APolyglotHasOneReading) {
  EXPECT_EQ(outcome(R"({"a": 1, "A": 2})"), R"({"A":2,"a":1})");  // case matters
  EXPECT_EQ(outcome(R"({"a": 1, "\u0061": 2})"), "1:10 yaml.duplicate_key");
  EXPECT_EQ(outcome("*a: 1\n"), "1:1 yaml.alias");
}

TEST(YamlReader, TabsAreToldOncePerLine) {
  EXPECT_EQ(outcome("a: \tx\t\n\tb: y\nc: z # \t\n"), "1:4 yaml.tab\n2:1 yaml.tab\n3:8 yaml.tab");
  EXPECT_EQ(outcome("a: \"x\ty\"\n"), "1:6 yaml.tab");
}

TEST(YamlReader, ControlCharactersAreRefused) {
  EXPECT_EQ(outcome("a: x\0y\n"s), "1:5 yaml.control_character");
  EXPECT_EQ(outcome("a: \"\x1B[31m\"\n"), "1:5 yaml.control_character");
  EXPECT_EQ(outcome("a: x\x7F\n"), "1:5 yaml.control_character");
  EXPECT_EQ(outcome("a: x\u0085y\n"), "1:5 yaml.control_character");
  EXPECT_EQ(outcome("a: x\uFFFFy\n"), "1:5 yaml.control_character");
  EXPECT_NE(message("a: x\x1Bz\n").find("control character `\\x1b`"), std::string::npos);
}

TEST(YamlReader, DirectivesAreRefused) {
  EXPECT_EQ(outcome("%YAML 1.2\n---\na: 1\n"), "1:1 yaml.directive");
  EXPECT_EQ(outcome("%TAG ! tag:x,2000:\n---\na: 1\n"), "1:1 yaml.directive");
  EXPECT_EQ(outcome("a: 50%\n"), R"({"a":"50%"})");
}

TEST(YamlReader, OneDocumentIsAllowed) {
  EXPECT_EQ(outcome("---\na: 1\n"), R"({"a":1})");
  EXPECT_EQ(outcome("a: 1\n...\n"), R"({"a":1})");
  EXPECT_EQ(outcome("---\na: 1\n---\nb: 2\n"), "3:1 yaml.multiple_documents");
  EXPECT_NE(message("a: 1\n---\nb: 2\n").find("second document in one file"), std::string::npos);
  EXPECT_EQ(outcome("- a\nb: c\n"), "2:1 yaml.multiple_documents");
  EXPECT_NE(message("- a\nb: c\n").find("check the indentation"), std::string::npos);
  EXPECT_EQ(outcome("[a] b\n"), "1:5 yaml.multiple_documents");
}

TEST(YamlReader, AFileWithoutAValueIsRefused) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(outcome(text), "1:1 yaml.empty_document") << text;
  }
  EXPECT_EQ(outcome("~\n"), "1:1 yaml.ambiguous_scalar");
}

TEST(YamlReader, SyntaxErrorsHaveAPlaceAndARemedy) {
  EXPECT_EQ(outcome("a:\n  b: 1\n c: 2\n"), "3:2 yaml.syntax");
  EXPECT_EQ(outcome("a: b: c\n"), "1:5 yaml.syntax");
  EXPECT_NE(message("a: b: c\n").find("quote a text that contains `: `"), std::string::npos);
  EXPECT_EQ(outcome("a: @x\n"), "1:4 yaml.syntax");
  EXPECT_NE(message("a: `x`\n").find("quote a text that starts with this"), std::string::npos);
  EXPECT_EQ(outcome("a: \"b\\q\"\n"), "1:8 yaml.syntax");
  EXPECT_EQ(outcome("a: \"x\"#c\n"), "1:7 yaml.syntax");
  EXPECT_EQ(outcome("a: [1, 2\nb: 3\n"), "1:4 yaml.syntax");
  EXPECT_NE(message("a: [1, 2\n").find("`[` that is never closed"), std::string::npos);
  EXPECT_EQ(outcome("a: {b: 1\n"), "1:4 yaml.syntax");
  EXPECT_EQ(outcome("a: ]\n"), "1:4 yaml.syntax");
}

TEST(YamlReader, AValueIsIndentedMoreThanItsKey) {
  EXPECT_EQ(outcome("a:\n{}\n"), "2:1 yaml.syntax");
  EXPECT_EQ(outcome("a:\n  b:\n  'c'\n"), "3:3 yaml.syntax");
  EXPECT_EQ(outcome("a:\n  b:\n [c]\n"), "3:2 yaml.syntax");
  EXPECT_EQ(outcome("a:\n- b\nc:\n  d\ne:\n  {}\n"), R"({"a":["b"],"c":"d","e":{}})");
}

TEST(YamlReader, NothingStandsBehindABlockIndicator) {
  EXPECT_EQ(outcome("a: >#c\n  x\n"), "1:5 yaml.syntax");
  EXPECT_EQ(outcome("a: |-#\n  x\n"), "1:6 yaml.syntax");
  EXPECT_EQ(outcome("a: |2-  # c\n   x\n"), R"({"a":" x"})");
}

TEST(YamlReader, BlanksAtTheEndOfTheFileMeanNothing) {
  EXPECT_EQ(outcome("a: 1\n   "), R"({"a":1})");
  EXPECT_EQ(outcome("a: >-\n  x\nb: 1\n  "), R"({"a":"x","b":1})");
  // To a block text they could belong.
  EXPECT_EQ(outcome("a: >-\n  x\n    "), "3:1 yaml.syntax");
}

TEST(YamlReader, QuotesHoldNothingThatReadersDisagreeOn) {
  EXPECT_EQ(outcome(R"(a: "it\\'s")"), R"({"a":"it\\'s"})");
  EXPECT_EQ(outcome(R"(a: "it\\\'s")"), "1:9 yaml.syntax");
  EXPECT_EQ(outcome("a: \"\n\n\"\n"), "1:4 yaml.syntax");
  EXPECT_EQ(outcome("a: '\n  \n  '\n"), "1:4 yaml.syntax");
  EXPECT_EQ(outcome("a: 'x\n\n\n  '\n"), "1:4 yaml.syntax");
  EXPECT_EQ(outcome("a: '\n\n  x'\n"), "1:4 yaml.syntax");
  EXPECT_EQ(outcome("a: 'x\n  y'\n"), R"({"a":"x y"})");
  EXPECT_EQ(outcome("a: 'x\n\n  y'\n"), R"({"a":"x\ny"})");
}

TEST(YamlReader, ATextAloneInAMappingIsNoKey) {
  EXPECT_EQ(outcome("a: 1\nhard\n"), "2:1 yaml.syntax");
  EXPECT_EQ(outcome("a: 1\nhard:true\n"), "2:1 yaml.syntax");
  EXPECT_EQ(outcome("a:\n  b: 1\n  \"c\"\n"), "3:3 yaml.syntax");
  EXPECT_NE(message("a: 1\nhard\n").find("text that is no `key: value`"), std::string::npos);
  EXPECT_EQ(outcome("a: 1\nb # c: d\n"), "2:1 yaml.syntax");
  EXPECT_EQ(outcome("a: 1\n? # c\n  b\n: d\n"), "3:3 yaml.syntax");
  for (const char* empty : {"a: 1\nb:\n", "a: 1\nb:", "a: 1\n\"b\":\n", "a: 1\nb :\n",
                            "a: 1\nb: # c\n", "b:\na: 1\n", "a: 1\r\nb:\r\n"}) {
    EXPECT_EQ(outcome(empty), R"({"a":1,"b":null})") << empty;
  }
}

TEST(YamlReader, TellsAllMistakesOfAFileAtOnceInOrder) {
  EXPECT_EQ(outcome("schema: rgx.policy/v1\n"
                    "a: 017\n"
                    "b:\t1\n"
                    "c: &x 1\n"
                    "d: !t 1\n"
                    "a: 2\n"
                    "true: 3\n"
                    "e: [*.pem, {f}]\n"
                    "g: ~\n"
                    "h: \u200B\n"),
            "2:4 yaml.ambiguous_scalar\n"
            "3:3 yaml.tab\n"
            "4:4 yaml.anchor\n"
            "5:4 yaml.tag\n"
            "6:1 yaml.duplicate_key\n"
            "7:1 yaml.key_type\n"
            "8:5 yaml.alias\n"
            "8:13 yaml.empty_value\n"
            "9:4 yaml.ambiguous_scalar\n"
            "10:4 yaml.deceptive_character");
}

TEST(YamlReader, NeverPrintsWhatItRefuses) {
  const std::string text = message("\"\\e[2J\": 1\na: 0x1\nb: \"\u202E\"\n");
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_EQ(text.find("\u202E"), std::string::npos);
}

TEST(YamlReader, ReadsTheExamplesOfTheDesign) {
  RGX_REQUIRE_VECTORS(dir, "examples");
  int files = 0;
  for (const auto& path : test::sorted_files(dir)) {
    if (path.extension() == ".yaml") {
      ++files;
      EXPECT_TRUE(test::accepted(parse(test::read_file(path), path.filename().string())));
    }
  }
  EXPECT_EQ(files, 3);
}

TEST(YamlVectors, OfTheFormatAreMet) {
  const auto vectors =
      parse_json(test::read_file(std::string(RGX_SOURCE_DIR) + "/tests/golden/yaml.json"));
  ASSERT_TRUE(test::accepted(vectors));
  std::size_t seen = 0;
  for (const Json& each : vectors->find("accept")->as_array()) {
    ++seen;
    EXPECT_EQ(outcome(each.find("input")->as_string()), canonical(*each.find("value")));
  }
  for (const Json& each : vectors->find("refuse")->as_array()) {
    ++seen;
    std::string expected;
    for (const Json& mistake : each.find("mistakes")->as_array()) {
      expected += (expected.empty() ? "" : "\n") + mistake.as_string();
    }
    EXPECT_EQ(outcome(each.find("input")->as_string()), expected)
        << each.find("input")->as_string();
  }
  EXPECT_GE(seen, 40U);
}

}  // namespace
}  // namespace rgx::yaml
