#include "cli/template_view.h"

#include "cli/template_files.h"

#include "base/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rgx::cli {
namespace {

templates::Template api_replace() {
  const auto known = load_catalog();
  EXPECT_TRUE(known);
  return *std::ranges::find(*known, "api-replace", &templates::Template::name);
}

TEST(TemplateView, ShowsParametersSentencesAndSteps) {
  const std::string text = template_text(api_replace(), Colour::off);
  for (const std::string_view part :
       {"api-replace 1.0.0  Replace", "parameters (`--set NAME=VALUE`)", "identifier, required",
        "said in `en`", "said in `zh`", "  replace {from} with {to}\n", "file.edit",
        "one for each of a list", "digest  sha256:"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(TemplateView, JsonHoldsTheSame) {
  const Json json = template_json(api_replace());
  EXPECT_EQ(json.find("schema")->as_string(), "rgx.template-view/v1");
  EXPECT_EQ(json.find("parameters")->as_array().front().find("name")->as_string(), "from");
  EXPECT_FALSE(json.find("utterances")->find("zh")->as_array().empty());
}

TEST(TemplateView, TheListHasALineForEach) {
  const auto known = load_catalog();
  ASSERT_TRUE(known);
  const std::string text = template_list_text(*known);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), known->size());
  const Json json = template_list_json(*known);
  EXPECT_EQ(json.find("templates")->as_array().size(), known->size());
}

TEST(TemplateView, HostileTextReachesNoTerminal) {
  templates::Template source = api_replace();
  source.summary = "a\x1b[2Jb";
  source.utterances["en"] = {"x\ny"};
  const std::string text = template_text(source, Colour::off);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("a\\x1b[2Jb"), std::string::npos);
  EXPECT_NE(text.find("  x\\ny\n"), std::string::npos);
}

}  // namespace
}  // namespace rgx::cli
