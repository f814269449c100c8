#include "templates/expression.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

Result<Json> filtered(FilterKind kind, const Json& value, std::vector<std::string> arguments = {}) {
  return apply_filter(Filter{kind, std::move(arguments)}, value, Place{"t.yaml", 3, 7});
}

Json text_of(FilterKind kind, const Json& value, std::vector<std::string> arguments = {}) {
  auto result = filtered(kind, value, std::move(arguments));
  EXPECT_TRUE(test::accepted(result));
  return result ? *result : Json();
}

TEST(Filter, PathsComeApart) {
  EXPECT_EQ(text_of(FilterKind::basename, "src/a.tar.gz"), Json("a.tar.gz"));
  EXPECT_EQ(text_of(FilterKind::basename, "."), Json("."));
  EXPECT_EQ(text_of(FilterKind::dirname, "src/x/a.c"), Json("src/x"));
  EXPECT_EQ(text_of(FilterKind::dirname, "a.c"), Json("."));
  EXPECT_EQ(text_of(FilterKind::stem, "src/a.tar.gz"), Json("a.tar"));
  EXPECT_EQ(text_of(FilterKind::stem, "src/.bashrc"), Json(".bashrc"));
  EXPECT_EQ(text_of(FilterKind::stem, "src/Makefile"), Json("Makefile"));
}

TEST(Filter, RelativeNeedsAFolderAbove) {
  EXPECT_EQ(text_of(FilterKind::relative, "src/x/a.c", {"src"}), Json("x/a.c"));
  EXPECT_EQ(text_of(FilterKind::relative, "src", {"src"}), Json("."));
  EXPECT_EQ(text_of(FilterKind::relative, "src/a.c", {"."}), Json("src/a.c"));
  EXPECT_TRUE(test::refused(filtered(FilterKind::relative, "srcs/a.c", {"src"}), "expression.value",
                            "`srcs/a.c` is not below `src`"));
}

TEST(Filter, TextsChange) {
  EXPECT_EQ(text_of(FilterKind::lower, "ÄbC"), Json("Äbc"));
  EXPECT_EQ(text_of(FilterKind::upper, "äbC"), Json("äBC"));
  EXPECT_EQ(text_of(FilterKind::replace, "aaa", {"aa", "a"}), Json("aa"));
  EXPECT_EQ(text_of(FilterKind::replace, "a_b_c", {"_", "-"}), Json("a-b-c"));
  EXPECT_EQ(text_of(FilterKind::slug, "  Hello, Wörld! "), Json("hello-w-rld"));
  EXPECT_EQ(text_of(FilterKind::slug, "--"), Json(""));
  EXPECT_EQ(text_of(FilterKind::slug, std::string(63, 'a') + " b"), Json(std::string(63, 'a')));
}

TEST(Filter, ListsAndScalarsBecomeText) {
  const Json list = Json::array({Json("a"), Json(2), Json(true)});
  EXPECT_EQ(text_of(FilterKind::join, list), Json("a 2 true"));
  EXPECT_EQ(text_of(FilterKind::join, list, {", "}), Json("a, 2, true"));
  EXPECT_EQ(text_of(FilterKind::join, Json::array()), Json(""));
  EXPECT_EQ(text_of(FilterKind::json, Json::object({{"b", 1}, {"a", list}})),
            Json(R"({"a":["a",2,true],"b":1})"));
  EXPECT_EQ(text_of(FilterKind::quote, "it's"), Json("'it'\\''s'"));
  EXPECT_EQ(text_of(FilterKind::quote, 3), Json("'3'"));
}

TEST(Filter, WorksOnEachTextOfAList) {
  EXPECT_EQ(text_of(FilterKind::basename, Json::array({Json("a/b"), Json("c")})),
            Json::array({Json("b"), Json("c")}));
}

TEST(Filter, WrongKindsAreRefusedAtTheirPlace) {
  const auto refused = filtered(FilterKind::upper, 3);
  ASSERT_TRUE(test::refused(refused, "expression.type", "filter `upper` got the integer `3`"));
  EXPECT_EQ(refused.error().first().place, (Place{"t.yaml", 3, 7}));
  EXPECT_TRUE(test::refused(filtered(FilterKind::join, "a"), "expression.type", "not a list"));
  EXPECT_TRUE(test::refused(filtered(FilterKind::join, Json::array({Json::array()})),
                            "expression.type", "in its list"));
  EXPECT_TRUE(
      test::refused(filtered(FilterKind::quote, Json::array()), "expression.type", "got a list"));
  EXPECT_TRUE(test::refused(filtered(FilterKind::stem, Json::array({Json(1)})), "expression.type",
                            "not a text in its list"));
}

TEST(Filter, GrowthIsBounded) {
  const std::string many(100000, 'a');
  EXPECT_TRUE(test::refused(filtered(FilterKind::replace, many, {"a", std::string(1000, 'b')}),
                            "expression.too_large", "more than 1 MiB"));
  Json list = Json::array();
  for (int index = 0; index < 20; ++index) {
    list.push(Json(many));
  }
  EXPECT_TRUE(test::refused(filtered(FilterKind::join, list), "expression.too_large", "1 MiB"));
  EXPECT_TRUE(test::refused(filtered(FilterKind::json, list), "expression.too_large", "1 MiB"));
}

TEST(Filter, RegexQuoteMatchesTheTextAlone) {
  EXPECT_EQ(text_of(FilterKind::regex_quote, "a.b+c"), Json("a\\.b\\+c"));
  EXPECT_EQ(filtered(FilterKind::regex_quote, Json::array({Json("a|b")})),
            Json::array({Json("a\\|b")}));
}

TEST(Filter, SpliceTakesOnlyLists) {
  const Json list = Json::array({Json("a"), Json("b")});
  EXPECT_EQ(filtered(FilterKind::splice, list), list);
  EXPECT_TRUE(test::refused(filtered(FilterKind::splice, Json("a")), "expression.type", "a list"));
}

TEST(Filter, NamesAndKindsAgree) {
  for (const std::string& name : filter_names()) {
    const auto kind = find_filter(name);
    ASSERT_TRUE(kind.has_value()) << name;
    EXPECT_EQ(to_string(*kind), name);
  }
  EXPECT_EQ(filter_names().size(), 13U);
  EXPECT_FALSE(find_filter("exec").has_value());
}

RC_GTEST_PROP(Filter, DirnameAndBasenameMakeThePathAgain, ()) {
  const auto parts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "b.c", ".d")));
  std::string path;
  for (const std::string& part : parts) {
    path += (path.empty() ? "" : "/") + part;
  }
  const std::string dir = text_of(FilterKind::dirname, path).as_string();
  const std::string base = text_of(FilterKind::basename, path).as_string();
  RC_ASSERT((dir == "." ? base : dir + "/" + base) == path);
  RC_ASSERT(text_of(FilterKind::relative, path, {dir}) == Json(base));
}

}  // namespace
}  // namespace rgx::templates
