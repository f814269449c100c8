#include "planner/compile.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

namespace rgx::planner {
namespace {

TEST(Extract, ValuesComeFromAPerson) {
  const auto arguments = extract("replace foo with bar in src and lib", api_replace());
  ASSERT_EQ(arguments.size(), 3U);
  EXPECT_EQ(arguments.at("from"), (templates::Value{Json("foo"), templates::Origin::human}));
  EXPECT_EQ(arguments.at("scope").json, Json::array({Json("src"), Json("lib")}));
}

TEST(Extract, WhatIsNotSaidIsAbsent) {
  const auto arguments = extract("rename foo to bar", api_replace());
  EXPECT_EQ(arguments.size(), 2U);
  EXPECT_FALSE(arguments.contains("scope"));
}

TEST(Extract, AnotherTopicGivesNothing) {
  EXPECT_TRUE(extract("what time is it", api_replace()).empty());
  EXPECT_TRUE(extract("", api_replace()).empty());
}

TEST(Extract, QuotedTextIsTakenAsItIs) {
  EXPECT_EQ(extract("replace `the` with \"and\"", api_replace()).at("from").json, Json("the"));
  EXPECT_EQ(extract("把「下」替换为『为』", api_replace()).at("to").json, Json("为"));
}

TEST(Extract, ListsEndBeforeTheNextInstruction) {
  EXPECT_EQ(extract("rename foo to bar in src and run the tests", api_replace()).at("scope").json,
            Json::array({Json("src")}));
  EXPECT_EQ(extract("rename foo to bar in src and tests and run the tests", api_replace())
                .at("scope")
                .json,
            Json::array({Json("src"), Json("tests")}));
}

}  // namespace
}  // namespace rgx::planner
