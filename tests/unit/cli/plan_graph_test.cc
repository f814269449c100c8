#include "cli/plan_graph.h"

#include "base/text.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

PlanRow row(const std::string& id, std::vector<std::string> needs = {}) {
  PlanRow row;
  row.id = id;
  row.tool = "exec";
  row.effect = policy::Effect::allow;
  row.risk = policy::Risk::low;
  row.needs = std::move(needs);
  return row;
}

PlanPicture picture_of(std::vector<PlanRow> rows) {
  PlanPicture picture;
  picture.rows = std::move(rows);
  return picture;
}

TEST(PlanGraph, DotHasNodesAndEdges) {
  const std::string text = plan_dot(picture_of({row("a"), row("b", {"a"})}));
  EXPECT_EQ(text,
            "digraph plan {\n"
            "  rankdir=LR;\n"
            "  node [shape=box, fontname=\"sans-serif\"];\n"
            "  n0 [label=\"a\\nexec\\nallow, low risk\"];\n"
            "  n1 [label=\"b\\nexec\\nallow, low risk\"];\n"
            "  n0 -> n1;\n"
            "}\n");
}

TEST(PlanGraph, DotQuotesWhatWouldEndALabelOrBeExpanded) {
  EXPECT_EQ(dot_quoted("a\"]; evil [label=\""), "\"a\\\"]; evil [label=\\\"\"");
  EXPECT_EQ(dot_quoted("\\N\\"), "\"\\\\N\\\\\"");
  const std::string text = plan_dot(picture_of({row("x\"]; evil; n9 [label=\"y")}));
  // One node: every quotation mark of the id has a backslash before it.
  EXPECT_NE(text.find("[label=\"x\\\"]; evil; n9 [label=\\\"y\\nexec"), std::string::npos) << text;
}

TEST(PlanGraph, MermaidEscapesEverythingThatMeansSomething) {
  EXPECT_EQ(mermaid_escaped("a\"]-->b"), "a#34;#93;--#62;b");
  EXPECT_EQ(mermaid_escaped("#35;<script>`x`%%"), "#35;35#59;#60;script#62;#96;x#96;#37;#37;");
  EXPECT_EQ(mermaid_escaped("依赖"), "依赖");
  const std::string text =
      plan_mermaid(picture_of({row("a\"] --> evil"), row("end", {"a\"] --> evil"})}));
  EXPECT_NE(text.find("  n0[\"a#34;#93; --#62; evil<br/>exec<br/>allow, low risk\"]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  n0 --> n1\n"), std::string::npos) << text;
}

TEST(PlanGraph, PhasesAreGroups) {
  std::vector<PlanRow> rows = {row("a"), row("b", {"a"})};
  rows[0].phase = "look\"around";
  rows[1].phase = "change";
  EXPECT_NE(plan_dot(picture_of(rows)).find("label=\"look\\\"around\";"), std::string::npos);
  EXPECT_NE(plan_mermaid(picture_of(rows)).find("subgraph p0[\"look#34;around\"]"),
            std::string::npos);
}

TEST(PlanGraph, ManyStepsOfOneForEachAreOneNode) {
  std::vector<PlanRow> rows;
  std::vector<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    ids.push_back("edit[" + std::to_string(i) + "]");
    rows.push_back(row(ids.back()));
    rows.back().group = "edit";
  }
  rows.push_back(row("tests", ids));
  const std::string dot = plan_dot(picture_of(rows));
  EXPECT_NE(dot.find("edit[...] (1000 steps)"), std::string::npos);
  EXPECT_NE(dot.find("  n0 -> n1;\n}"), std::string::npos) << dot;
  const std::string mermaid = plan_mermaid(picture_of(rows));
  EXPECT_EQ(split(mermaid, '\n').size(), 7U);
}

TEST(PlanGraph, WhatIsDeniedIsMarkedInWordsAndInStyle) {
  std::vector<PlanRow> rows = {row("a")};
  rows[0].effect = policy::Effect::deny;
  EXPECT_NE(plan_dot(picture_of(rows)).find("deny, low risk\", style=bold"), std::string::npos);
  EXPECT_NE(plan_mermaid(picture_of(rows)).find("deny, low risk\"]:::deny"), std::string::npos);
}

}  // namespace
}  // namespace rgx::cli
