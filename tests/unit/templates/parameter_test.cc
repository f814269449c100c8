#include "templates/parameter_types.h"
#include "templates/template.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

Parameter of_type(ParameterType type) {
  Parameter parameter;
  parameter.name = "p";
  parameter.type = type;
  return parameter;
}

struct Case {
  ParameterType type;
  Json value;
  Json normal;
};

TEST(Parameter, NormalForms) {
  const Case cases[] = {
      {ParameterType::path, "./src//a/../b/", "src/b"},
      {ParameterType::path, ".", "."},
      {ParameterType::glob, "./src/**", "src/**"},
      {ParameterType::identifier, "a::b", "a::b"},
      {ParameterType::symbol, "operator==", "operator=="},
      {ParameterType::string, "a b", "a b"},
      {ParameterType::text, "a\n\tb", "a\n\tb"},
      {ParameterType::integer, "3", 3},
      {ParameterType::integer, 3, 3},
      {ParameterType::duration, "15m", 900000},
      {ParameterType::duration, 5, 5},
      {ParameterType::size, "1KiB", 1024},
      {ParameterType::boolean, "true", true},
      {ParameterType::boolean, false, false},
      {ParameterType::version, "1.2.3", "1.2.3"},
      {ParameterType::regex, "a+", "a+"},
      {ParameterType::url, "https://a.org/", "https://a.org/"},
      {ParameterType::branch, "fix/x", "fix/x"},
      {ParameterType::command, Json::array({Json("make"), Json("test")}),
       Json::array({Json("make"), Json("test")})},
      {ParameterType::command, "make", Json::array({Json("make")})},
      {ParameterType::list, "a,b", Json::array({Json("a,b")})},
  };
  for (const Case& one : cases) {
    const auto checked = check_argument(of_type(one.type), one.value);
    ASSERT_TRUE(test::accepted(checked)) << to_string(one.type);
    EXPECT_EQ(*checked, one.normal) << to_string(one.type);
    const auto again = check_argument(of_type(one.type), *checked);
    ASSERT_TRUE(test::accepted(again)) << "a normal form is a value: " << to_string(one.type);
    EXPECT_EQ(*again, *checked);
  }
}

TEST(Parameter, WrongTypesAreNamed) {
  struct Refusal {
    ParameterType type;
    Json value;
    std::string_view code;
    std::string_view text;
  };
  const Refusal cases[] = {
      {ParameterType::path, "/etc", "parameter.value", "starts with `/`"},
      {ParameterType::path, "../x", "parameter.value", "leaves its root"},
      {ParameterType::path, "", "parameter.value", "path is empty"},
      {ParameterType::path, 3, "parameter.type", "the integer `3`, not a path"},
      {ParameterType::glob, "a**b", "parameter.value", "no usable glob"},
      {ParameterType::identifier, "foo-bar", "parameter.type", "`foo-bar`, not an identifier"},
      {ParameterType::identifier, Json::array(), "parameter.type", "a list, not a identifier"},
      {ParameterType::symbol, "a b", "parameter.type", "not a symbol"},
      {ParameterType::string, "a\nb", "parameter.value", "control or invisible"},
      {ParameterType::string, "a\xe2\x80\xae", "parameter.value", "control or invisible"},
      {ParameterType::text, "a\rb", "parameter.value", "control or invisible"},
      {ParameterType::integer, "3.5", "parameter.type", "`3.5`, not an integer"},
      {ParameterType::integer, true, "parameter.type", "`true`, not an integer"},
      {ParameterType::duration, "5 s", "parameter.type", "not a duration"},
      {ParameterType::duration, -1, "parameter.type", "not a duration"},
      {ParameterType::size, "1 MB", "parameter.type", "not a size"},
      {ParameterType::boolean, "yes", "parameter.type", "`yes`, not a boolean"},
      {ParameterType::version, "v1", "parameter.type", "not a version"},
      {ParameterType::regex, "(", "parameter.type", "not a regular expression"},
      {ParameterType::url, "ftp://x", "parameter.type", "not an http or https URL"},
      {ParameterType::branch, "a..b", "parameter.type", "not a branch name"},
      {ParameterType::command, Json::array(), "parameter.type", "not a command"},
      {ParameterType::command, "make test", "parameter.value", "one word with a space"},
      {ParameterType::command, Json::array({Json("")}), "parameter.value", "names no program"},
      {ParameterType::command, Json::array({Json(1)}), "parameter.type", "not a word"},
  };
  for (const Refusal& one : cases) {
    EXPECT_TRUE(test::refused(check_argument(of_type(one.type), one.value), one.code, one.text))
        << to_string(one.type);
  }
}

TEST(Parameter, EnumsSuggestTheNearestValue) {
  Parameter parameter = of_type(ParameterType::enumeration);
  parameter.values = {"debug", "release"};
  EXPECT_TRUE(test::accepted(check_argument(parameter, "debug")));
  EXPECT_TRUE(test::refused(check_argument(parameter, "relase"), "parameter.value",
                            "did you mean `release`?"));
}

TEST(Parameter, ListsCheckEveryItem) {
  Parameter parameter = of_type(ParameterType::list);
  parameter.of = ParameterType::path;
  const auto checked = check_argument(parameter, Json::array({Json("src/"), Json("./lib")}));
  ASSERT_TRUE(test::accepted(checked));
  EXPECT_EQ(*checked, Json::array({Json("src"), Json("lib")}));
  EXPECT_TRUE(test::refused(check_argument(parameter, Json::array({Json("src"), Json("/x")})),
                            "parameter.value", "starts with `/`"));
}

TEST(Parameter, LongValuesAreRefusedAndCutInTheMessage) {
  const auto refused = check_argument(of_type(ParameterType::string), std::string(5000, 'x'));
  ASSERT_TRUE(test::refused(refused, "parameter.value", "longer than 4096 bytes"));
  const auto word = check_argument(of_type(ParameterType::identifier), std::string(1000, '-'));
  ASSERT_FALSE(word.has_value());
  EXPECT_LT(word.error().first().message.size(), 300U);
}

TEST(Parameter, EveryTypeHasItsName) {
  EXPECT_EQ(parameter_type_names().size(), 17U);
  EXPECT_EQ(to_string(ParameterType::enumeration), "enum");
  EXPECT_EQ(to_string(ParameterType::list), "list");
  EXPECT_EQ(to_string(ParameterType::path), "path");
}

}  // namespace
}  // namespace rgx::templates
