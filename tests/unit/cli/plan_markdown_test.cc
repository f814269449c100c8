#include "cli/plan_markdown.h"

#include "base/text.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

PlanRow row(const std::string& id) {
  PlanRow row;
  row.id = id;
  row.tool = "file.edit";
  row.does = "writes " + id;
  row.effect = policy::Effect::allow;
  row.risk = policy::Risk::low;
  row.rules = "edit-workspace (default.yaml:64:5)";
  return row;
}

PlanPicture picture_of(std::vector<PlanRow> rows) {
  PlanPicture picture;
  picture.intent = "replace a with b";
  picture.template_text = "api-replace 1.0.0";
  picture.rows = std::move(rows);
  picture.plan_digest = "sha256:" + std::string(64, 'a');
  picture.admission_digest = "sha256:" + std::string(64, 'b');
  return picture;
}

// Cells of a row of a table, as GitHub splits them: at bars without a backslash before them.
std::size_t cells(std::string_view line) {
  std::size_t bars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) {
      ++bars;
    }
  }
  return bars - 1;
}

TEST(PlanMarkdown, ACodeSpanCannotBeLeft) {
  EXPECT_EQ(code_span("a"), "`a`");
  EXPECT_EQ(code_span(""), "-");
  EXPECT_EQ(code_span("a`b"), "``a`b``");
  EXPECT_EQ(code_span("`"), "`` ` ``");
  EXPECT_EQ(code_span("a```b``"), "```` a```b`` ````");
  EXPECT_EQ(code_span("a|b"), "`a\\|b`");
}

TEST(PlanMarkdown, HostileNamesStayInTheirCell) {
  for (const std::string hostile :
       {"a | b", "`|`", "``` |", "@everyone", "[x](http://evil.test)", "<img src=x>", "\\|"}) {
    const std::string text = plan_markdown(picture_of({row(hostile)}));
    bool found = false;
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with("| allow ")) {
        found = true;
        EXPECT_EQ(cells(line), 9U) << line;
        EXPECT_NE(line.find(code_span(hostile)), std::string_view::npos) << line;
      }
    }
    EXPECT_TRUE(found);
  }
}

TEST(PlanMarkdown, WhatIsDeniedComesBeforeWhatAsks) {
  PlanRow ask = row("ask");
  ask.effect = policy::Effect::require_approval;
  ask.gate = "2 of release-managers";
  PlanRow deny = row("deny");
  deny.effect = policy::Effect::deny;
  const std::string text = plan_markdown(picture_of({row("fine"), ask, deny}));
  EXPECT_LT(text.find("- **deny** `deny`"), text.find("- **ask** `ask`"));
  EXPECT_NE(text.find("needs `2 of release-managers`"), std::string::npos) << text;
  EXPECT_EQ(text.find("- **allow**"), std::string::npos);
}

TEST(PlanMarkdown, AHugePlanFitsIntoAComment) {
  std::vector<PlanRow> rows;
  for (int i = 0; i < 10000; ++i) {
    rows.push_back(row("step-" + std::to_string(i) + std::string(100, 'x')));
    rows.back().risk = policy::Risk::high;
  }
  const std::string text = plan_markdown(picture_of(rows));
  EXPECT_LE(text.size(), kMarkdownBytesMax);
  EXPECT_NE(text.find("- and 9950 more"), std::string::npos);
  EXPECT_NE(text.find("would not fit into a comment"), std::string::npos);
  EXPECT_TRUE(text.ends_with("</details>\n"));
}

TEST(PlanMarkdown, ARefusedPlanSaysSo) {
  PlanPicture picture = picture_of({row("a")});
  picture.admission_digest.clear();
  EXPECT_NE(plan_markdown(picture).find("- admission refused"), std::string::npos);
}

}  // namespace
}  // namespace rgx::cli
