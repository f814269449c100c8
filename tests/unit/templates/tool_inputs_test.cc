#include "base/canonical.h"
#include "base/json.h"
#include "templates/tool.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

ToolUse use_of(std::string use, std::string_view with) {
  auto json = parse_json(with);
  EXPECT_TRUE(test::accepted(json));
  return ToolUse{std::move(use), json ? *json : Json::object(), {}, {}, {}};
}

Status checked(std::string use, std::string_view with) {
  return check_inputs(use_of(std::move(use), with), "step `s`", Place{"t.yaml", 4, 2});
}

TEST(ToolInputs, EveryToolTakesItsExample) {
  const std::pair<const char*, const char*> cases[] = {
      {"agent.run", R"({"adapter":"claude","objective":"x"})"},
      {"check.command", R"({"argv":["true"]})"},
      {"check.diff", R"({"lines_max":3})"},
      {"check.file", R"({"path":"a"})"},
      {"check.paths", R"({"changed_only":["src/**"]})"},
      {"check.secrets", R"({"new_max":0})"},
      {"check.tests", R"({"argv":["make","test"]})"},
      {"exec", R"({"argv":["make"],"cwd":"sub","env":{"A":"b"}})"},
      {"file.delete", R"({"path":"a"})"},
      {"file.edit", R"({"path":"a","edits":[{"word":"x","to":""}]})"},
      {"file.move", R"({"path":"a","to":"b"})"},
      {"file.patch", R"({"path":"a","diff":""})"},
      {"file.read", R"({"path":"abs:/etc/passwd"})"},
      {"file.write", R"({"path":"a","content":"x"})"},
      {"git.branch", R"({"name":"x"})"},
      {"git.commit", R"({"message":"x","paths":["."]})"},
      {"git.diff", "{}"},
      {"git.log", "{}"},
      {"git.status", "{}"},
      {"http.get", R"({"url":"https://api.osv.dev/"})"},
      {"human.approve", R"({"message":"ok?"})"},
      {"llm.generate", R"({"prompt":"x","schema":{},"tokens_max":100})"},
      {"search.files", R"({"paths":["src"],"glob":"*.c"})"},
      {"search.text", R"({"paths":["src"],"word":"x"})"},
      {"shell", R"({"script":"true"})"},
  };
  EXPECT_EQ(std::size(cases), tools().size());
  for (const auto& [use, with] : cases) {
    EXPECT_TRUE(test::accepted(checked(use, with))) << use;
  }
}

TEST(ToolInputs, MistakesAreNamed) {
  struct Case {
    const char* use;
    const char* with;
    const char* code;
    const char* text;
  };
  const Case cases[] = {
      {"file.edti", "{}", "tool.unknown", "did you mean `file.edit`?"},
      {"bash", "{}", "tool.unknown", "no tool `bash`"},
      {"file.edit", R"({"path":"a","edits":[{"word":"x","to":"y"}],"pth":"b"})",
       "tool.unknown_input", "did you mean `path`?"},
      {"git.log", R"({"x":1})", "tool.unknown_input", "takes no input"},
      {"file.edit", R"({"path":"a"})", "tool.missing_input", "needs the input `edits`"},
      {"file.edit", R"({"path":["a"],"edits":[{"word":"x","to":"y"}]})", "tool.input_type",
       "`path` is a list, not a path"},
      {"file.read", R"({"path":"/etc/passwd"})", "tool.input_type", "starts with `/`"},
      {"file.read", R"({"path":"../x"})", "tool.input_type", "leaves its root"},
      {"file.edit", R"({"path":"a","edits":[]})", "tool.input_type", "has no edit"},
      {"file.edit", R"({"path":"a","edits":[{"to":"y"}]})", "tool.input_type", "exactly one of"},
      {"file.edit", R"({"path":"a","edits":[{"word":"a","text":"b","to":"y"}]})", "tool.input_type",
       "edit 1 needs `to` and exactly one of"},
      {"file.edit", R"({"path":"a","edits":[{"word":"a"}]})", "tool.input_type", "needs `to`"},
      {"file.edit", R"({"path":"a","edits":[{"word":"","to":"y"}]})", "tool.input_type",
       "`word` is empty"},
      {"file.edit", R"({"path":"a","edits":[{"word":"y","to":"y"}]})", "tool.input_type",
       "replaces `y` by itself"},
      {"file.edit", R"({"path":"a","edits":[{"word":"x","to":"y","all":true}]})", "tool.input_type",
       "unknown key `all`"},
      {"file.edit", R"({"path":"a","edits":["x"]})", "tool.input_type", "edit 1 is `x`"},
      {"exec", R"({"argv":"make test"})", "tool.input_type", "`argv` is `make test`"},
      {"exec", R"({"argv":[]})", "tool.input_type", "empty list"},
      {"exec", R"({"argv":[""]})", "tool.input_type", "names no program"},
      {"exec", R"({"argv":["a",1]})", "tool.input_type", "not a text"},
      {"exec", R"({"argv":["a","b\u0000c"]})", "tool.input_type", "NUL"},
      {"exec", R"({"argv":["a"],"env":{"1A":"x"}})", "tool.input_type", "which is no name"},
      {"exec", R"({"argv":["a"],"env":{"A":1}})", "tool.input_type", "a value that is no text"},
      {"http.get", R"({"url":"file:///etc/passwd"})", "tool.input_type",
       "not an http or https URL"},
      {"llm.generate", R"({"prompt":"x","tokens_max":-1})", "tool.input_type",
       "not a whole number"},
      {"llm.generate", R"({"prompt":"x"})", "tool.missing_input", "`tokens_max`"},
      {"search.text", R"({"paths":["."]})", "tool.missing_input", "exactly one of"},
      {"search.text", R"({"paths":["."],"word":"a","text":"b"})", "tool.input_type",
       "exactly one of"},
      {"search.text", R"({"paths":[],"word":"a"})", "tool.input_type", "empty list"},
      {"search.text", R"({"paths":["a**b"],"word":"a"})", "tool.input_type", "unusable item"},
      {"agent.run", R"({"adapter":"a b","objective":"x"})", "tool.input_type", "not an identifier"},
  };
  for (const Case& one : cases) {
    const auto status = checked(one.use, one.with);
    ASSERT_TRUE(test::refused(status, one.code, one.text)) << one.use << " " << one.with;
    EXPECT_EQ(status.error().first().place, (Place{"t.yaml", 4, 2}));
    if (std::string_view(one.code) != "tool.unknown") {
      EXPECT_NE(status.error().first().message.find("step `s`"), std::string::npos);
    }
  }
}

TEST(ToolInputs, AllMistakesComeAtOnce) {
  const auto status = checked("exec", R"({"argv":[],"cwd":"/x","evn":{}})");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().diagnostics.size(), 3U) << to_string(status.error());
}

TEST(ToolInputs, DeclarationsBelongToProgramsOnly) {
  ToolUse edit = use_of("file.edit", R"({"path":"a","edits":[{"word":"x","to":"y"}]})");
  edit.write = std::vector<std::string>{"**"};
  EXPECT_TRUE(test::refused(check_inputs(edit, "s", {}), "tool.declaration", "takes no `read`"));
  ToolUse exec = use_of("exec", R"({"argv":["a"]})");
  exec.read = std::vector<std::string>{"a**"};
  EXPECT_TRUE(test::refused(check_inputs(exec, "s", {}), "tool.declaration", "unusable item"));
  exec.read.reset();
  exec.hosts = std::vector<std::string>{"example.org"};
  EXPECT_TRUE(
      test::refused(check_inputs(exec, "s", {}), "tool.declaration", "which is no host and port"));
}

TEST(ToolInputs, NormalFormIsOneSpelling) {
  ToolUse exec = use_of("exec", R"({"argv":["./a","--x"],"cwd":"./sub/"})");
  exec.read = std::vector<std::string>{"src/", "./b", "src"};
  exec.write = std::vector<std::string>{};
  exec.hosts = std::vector<std::string>{"B.org:1", "a.org:2"};
  const auto normal = normal_use(exec, "s", {});
  ASSERT_TRUE(test::accepted(normal));
  EXPECT_EQ(canonical(normal->with), R"({"argv":["./a","--x"],"cwd":"sub"})");
  EXPECT_EQ(normal->read, (std::vector<std::string>{"b", "src"}));
  EXPECT_EQ(normal->write, std::vector<std::string>{});
  EXPECT_EQ(normal->hosts, (std::vector<std::string>{"a.org:2", "b.org:1"}));
  EXPECT_EQ(normal_use(*normal, "s", {}), normal);
}

TEST(ToolInputs, SizesAreBounded) {
  const std::string long_text(2U << 20, 'x');
  ToolUse write{"file.write", Json::object({{"path", "a"}, {"content", long_text}}), {}, {}, {}};
  EXPECT_TRUE(test::refused(check_inputs(write, "s", {}), "tool.input_type", "longer than 1 MiB"));
  ToolUse exec{"exec", Json::object({{"argv", Json::array({Json(long_text)})}}), {}, {}, {}};
  EXPECT_TRUE(test::refused(check_inputs(exec, "s", {}), "tool.input_type", "128 KiB"));
  std::string deep;
  for (int index = 0; index < 20; ++index) {
    deep += std::string(200, '*') + "/";
  }
  ToolUse read{"file.read", Json::object({{"path", deep}}), {}, {}, {}};
  EXPECT_TRUE(test::refused(check_inputs(read, "s", {}), "tool.input_type", "too long a path"));
}

}  // namespace
}  // namespace rgx::templates
