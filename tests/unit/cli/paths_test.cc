#include "cli/paths.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

namespace rgx::cli {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Result<Paths> find(Variables variables) {
  return find_paths(Environment(std::move(variables)));
}

TEST(Environment, IsReadFromAListAndEmptyIsAbsent) {
  constexpr std::array<const char*, 5> kList = {"A=1", "B=", "C=x=y", "noequals", nullptr};
  const Environment environment = Environment::from_process(kList.data());
  EXPECT_EQ(environment.find("A"), "1");
  EXPECT_EQ(environment.find("B"), std::nullopt);
  EXPECT_EQ(environment.find("C"), "x=y");
  EXPECT_EQ(environment.find("noequals"), std::nullopt);
}

TEST(Paths, AreBelowHome) {
  const auto paths = find({{"HOME", "/home/u"}});
  ASSERT_TRUE(test::accepted(paths));
  EXPECT_EQ(paths->config_dir, "/home/u/.config/rgx");
  EXPECT_EQ(paths->state_home, "/home/u/.local/state");
  EXPECT_EQ(paths->root_key(), "/home/u/.config/rgx/root.key");
}

TEST(Paths, OwnVariablesBeatXdgBeatsHome) {
  const auto xdg = find({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/xc"}, {"XDG_STATE_HOME", "/xs"}});
  ASSERT_TRUE(test::accepted(xdg));
  EXPECT_EQ(xdg->config_dir, "/xc/rgx");
  EXPECT_EQ(xdg->state_home, "/xs");
  const auto own = find({{"XDG_CONFIG_HOME", "/xc"},
                         {"XDG_STATE_HOME", "/xs"},
                         {"RGX_CONFIG_HOME", "/rc"},
                         {"RGX_STATE_HOME", "/rs"}});
  ASSERT_TRUE(test::accepted(own));
  EXPECT_EQ(own->config_dir, "/rc/rgx");
  EXPECT_EQ(own->state_home, "/rs");
}

TEST(Paths, RefuseARelativeVariable) {
  EXPECT_TRUE(test::refused(find({{"XDG_STATE_HOME", "state"}, {"HOME", "/h"}}), "paths.relative",
                            "XDG_STATE_HOME is `state`"));
}

TEST(Paths, NeedAHome) {
  EXPECT_TRUE(test::refused(find({}), "paths.no_home", "HOME is set"));
}

}  // namespace
}  // namespace rgx::cli
