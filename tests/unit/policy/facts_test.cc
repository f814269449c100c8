#include "policy/facts.h"

#include <gtest/gtest.h>

#include "base/canonical.h"
#include "policy/wrapper.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

using rgx::test::refused;

Json json(std::string_view text) {
  auto value = parse_json(text);
  EXPECT_TRUE(rgx::test::accepted(value));
  return value ? std::move(*value) : Json();
}

Result<Request> request(std::string_view text) {
  return request_from_json(json(text), "request");
}

TEST(Request, RefusesWhatItDoesNotKnow) {
  EXPECT_TRUE(
      refused(request(R"({"with":{}})"), "json.missing_member", "`request.use` is missing"));
  EXPECT_TRUE(refused(request(R"({"use":"exec","when":1})"), "json.unknown_member", "when"));
  EXPECT_TRUE(refused(request(R"({"use":1})"), "json.type", "use"));
  EXPECT_TRUE(refused(request("[]"), "json.type", "request"));
  EXPECT_TRUE(refused(request(R"({"use":"exec","read":"src"})"), "json.type", "read"));
  EXPECT_TRUE(refused(request(R"({"use":"exec","provenance":{"wirte":["model"]}})"),
                      "provenance.axis", "did you mean `write`"));
  EXPECT_TRUE(refused(request(R"({"use":"exec","provenance":{"write":["robot"]}})"),
                      "provenance.syntax", "`robot` is not an origin"));
  EXPECT_TRUE(refused(request(R"({"use":"exec","provenance":{"write":[]}})"), "provenance.syntax",
                      "no origin at all"));
}

TEST(Derive, ContentMayBeLeftOut) {
  for (const std::string_view text :
       {R"({"use":"file.edit","with":{"path":"a"}})", R"({"use":"file.write","with":{"path":"a"}})",
        R"({"use":"file.patch","with":{"path":"a"}})",
        R"({"use":"search.text","with":{"paths":["a"]}})",
        R"({"use":"git.commit","with":{"paths":["a"]}})", R"({"use":"llm.generate"})",
        R"({"use":"check.diff"})", R"({"use":"check.secrets"})", R"({"use":"human.approve"})"}) {
    const auto parsed = request(text);
    ASSERT_TRUE(rgx::test::accepted(parsed)) << text;
    EXPECT_TRUE(rgx::test::accepted(derive(*parsed))) << text;
  }
}

TEST(Derive, OtherInputsAreNeeded) {
  const auto derived = [](std::string_view text) { return derive(*request(text)); };
  EXPECT_TRUE(refused(derived(R"({"use":"file.edit"})"), "tool.missing_input", "`path`"));
  EXPECT_TRUE(refused(derived(R"({"use":"exec"})"), "tool.missing_input", "`argv`"));
  EXPECT_TRUE(refused(derived(R"({"use":"file.edlt"})"), "tool.unknown", "file.edit"));
  EXPECT_TRUE(refused(derived(R"({"use":"file.read","with":{"path":"/etc/passwd"}})"),
                      "tool.input_type", "abs:"));
}

TEST(Derive, AnalysisIsPartialWhereEffectsAreOpen) {
  const auto analysis = [](std::string_view text) { return must_derive(text).analysis; };
  EXPECT_EQ(analysis(R"({"use":"exec","with":{"argv":["make"]}})"), Analysis::partial);
  EXPECT_EQ(analysis(R"({"use":"exec","with":{"argv":["make"]},"write":[]})"), Analysis::partial);
  EXPECT_EQ(analysis(R"({"use":"exec","with":{"argv":["make"]},"read":[],"write":[]})"),
            Analysis::full);
  EXPECT_EQ(analysis(R"({"use":"shell","with":{"script":"ls | cat"},"read":[],"write":[]})"),
            Analysis::full);
  for (const std::string_view script : {"ls $HOME", "ls | sudo rm", "cd x"}) {
    EXPECT_EQ(analysis(R"({"use":"shell","with":{"script":")" + std::string(script) +
                       R"("},"read":[],"write":[]})"),
              Analysis::partial)
        << script;
  }
  EXPECT_EQ(analysis(R"({"use":"shell","with":{"script":"make | cat"}})"), Analysis::partial);
  EXPECT_EQ(analysis(R"({"use":"exec","with":{"argv":["sudo","make"]},"read":[],"write":[]})"),
            Analysis::partial);
  EXPECT_EQ(analysis(R"({"use":"exec","with":{"argv":["env","make"]},"read":[],"write":[]})"),
            Analysis::full);
  EXPECT_EQ(analysis(R"({"use":"file.read","with":{"path":"a"}})"), Analysis::full);
}

TEST(Derive, WhatIsNotDeclaredFollowsFromTheArguments) {
  const Facts facts = must_derive(
      R"({"use":"shell","with":{"script":"cat a | sort -o b && timeout 5 wc c","cwd":"d"}})");
  EXPECT_EQ(facts.analysis, Analysis::full);
  EXPECT_EQ(facts.reads, (std::vector<PathFact>{{"d/a", {}}, {"d/c", {}}}));
  EXPECT_EQ(facts.writes, (std::vector<PathFact>{{"d/b", {}}}));
  EXPECT_EQ(facts.commands,
            (std::vector<std::vector<std::string>>{
                {"cat", "a"}, {"sort", "-o", "b"}, {"timeout", "5", "wc", "c"}, {"wc", "c"}}));
  EXPECT_EQ(facts.grammar.programs, (std::vector<std::string>{"cat", "sort", "timeout", "wc"}));
  // A step of a plan declares what it writes, so that what it replaces is kept.
  EXPECT_EQ(must_derive(R"({"use":"exec","with":{"argv":["cat","a"]}})").analysis, Analysis::full);
  EXPECT_EQ(must_derive(R"({"use":"exec","with":{"argv":["touch","a"]}})").analysis,
            Analysis::partial);
}

TEST(Facts, GrammarsAreWrittenAndReadBack) {
  for (const std::string_view argv :
       {R"(["cat","a"])", R"(["cat","--what","a"])", R"(["git","-c","a=b","log"])"}) {
    const Facts facts = must_derive(R"({"use":"exec","with":{"argv":)" + std::string(argv) + "}}");
    EXPECT_NE(facts.grammar, GrammarFact{}) << argv;
    const auto read = facts_from_json(to_json(facts));
    ASSERT_TRUE(rgx::test::accepted(read));
    EXPECT_EQ(*read, facts);
  }
}

TEST(Derive, KnowsWrappers) {
  for (const std::string_view program :
       {"env", "timeout", "xargs", "nice", "sudo", "sh", "bash", "zsh", "busybox", "ssh", "watch",
        "/usr/bin/env", "./timeout"}) {
    EXPECT_TRUE(is_wrapper({std::string(program), "x"})) << program;
  }
  for (const std::string_view program : {"make", "envy", "ctest", "python3", "find", ""}) {
    EXPECT_FALSE(is_wrapper({std::string(program), "x"})) << program;
  }
  for (const std::string_view action : {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls",
                                        "-fprint", "-fprint0", "-fprintf"}) {
    EXPECT_TRUE(is_wrapper({"find", ".", std::string(action), "x"})) << action;
  }
  EXPECT_FALSE(is_wrapper({"find", ".", "-name", "exec"}));
  EXPECT_FALSE(is_wrapper({}));
}

TEST(Facts, RoundTrip) {
  Facts facts = must_derive(
      R"({"use":"exec","with":{"argv":["make","-j2"],"env":{"B":"1","A":"2"}},"read":["src/**","b"],
          "write":["build/**"],"hosts":["a.org:443"],"provenance":{"argv":["model","human"]}})");
  facts.program->path = "/usr/bin/make";
  facts.program->digest = digest_bytes("make");
  facts.reads.front().resolved = "abs:/srv/b";
  const Json written = to_json(facts);
  const auto read = facts_from_json(written);
  ASSERT_TRUE(rgx::test::accepted(read));
  EXPECT_EQ(*read, facts);
  rgx::test::expect_golden("decision/facts.json", canonical(written) + "\n");
}

TEST(Facts, OfScriptsRoundTrip) {
  for (const std::string_view script : {"ls -l | cat", "ls $HOME"}) {
    const Facts facts =
        must_derive(R"({"use":"shell","with":{"script":")" + std::string(script) + R"("}})");
    const auto read = facts_from_json(to_json(facts));
    ASSERT_TRUE(rgx::test::accepted(read));
    EXPECT_EQ(*read, facts);
  }
  EXPECT_EQ(
      canonical(
          *to_json(must_derive(R"({"use":"shell","with":{"script":"a b;c"}})")).find("commands")),
      R"([["a","b"],["c"]])");
}

TEST(Facts, RefuseWhatTheyDoNotKnow) {
  const std::string good = canonical(to_json(must_derive(R"({"use":"git.log"})")));
  ASSERT_TRUE(rgx::test::accepted(facts_from_json(json(good))));
  const auto changed = [&good](std::string_view from, std::string_view to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return facts_from_json(json(text.replace(at, from.size(), to)));
  };
  EXPECT_TRUE(refused(changed("facts/v1", "facts/v2"), "json.schema", "rgx.facts/v2"));
  EXPECT_TRUE(refused(changed("\"env\":[],", ""), "json.missing_member", "env"));
  EXPECT_TRUE(
      refused(changed("\"env\":[],", "\"env\":[],\"envs\":[],"), "json.unknown_member", "envs"));
  EXPECT_TRUE(refused(changed("\"full\"", "\"half\""), "json.type", "neither `full` nor"));
  EXPECT_TRUE(refused(changed("\"env\":[]", "\"env\":[\"B\",\"A\"]"), "facts.order", "env"));
  EXPECT_TRUE(refused(changed("\"reads\":[]", "\"reads\":[{\"path\":\"a/../b\"}]"), "facts.path",
                      "normal form"));
  EXPECT_TRUE(refused(changed("\"reads\":[]", "\"reads\":[{\"path\":\"a\",\"x\":1}]"),
                      "json.unknown_member", "facts.reads[0]"));
  EXPECT_TRUE(refused(changed("\"reads\":[]", "\"commands\":[[1]],\"reads\":[]"), "json.type",
                      "no array of arrays of strings"));
  EXPECT_TRUE(refused(changed("\"reads\":[]", "\"argv\":[\"a\"],\"reads\":[]"), "json.type",
                      "stands with `argv`"));
}

}  // namespace
}  // namespace rgx::policy::test
