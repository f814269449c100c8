#include "engine/pins.h"

#include <gtest/gtest.h>

#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::CallLog;
using rgx::test::edit_step;
using rgx::test::MemoryWorkspace;
using rgx::test::pin_after;
using rgx::test::pin_bytes;
using rgx::test::refused;

class Pins : public testing::Test {
 protected:
  Pins() {
    first = edit_step("a", "x");
    first.pins = {pin_bytes("x", "one")};
    second = edit_step("b", "x", {"a"});
    second.pins = {pin_after("x", "a")};
    plan.steps = {first, second};
  }
  CallLog log;
  MemoryWorkspace workspace{log};
  templates::Step first;
  templates::Step second;
  templates::Plan plan;
};

TEST_F(Pins, FileAsItWasCompiledForIsFine) {
  const PinTable table(plan);
  workspace.put("x", "one");
  EXPECT_TRUE(accepted(table.check(first, workspace)));
  EXPECT_EQ(table.expected(first).at("x"), digest_bytes("one"));
}

TEST_F(Pins, AnythingElseIsDrift) {
  const PinTable table(plan);
  const auto missing = table.check(first, workspace);
  EXPECT_TRUE(refused(missing, "step.drift", "`x` is gone"));
  EXPECT_EQ(missing.error().kind, ErrorKind::drift);
  workspace.put("x", "two");
  EXPECT_TRUE(refused(table.check(first, workspace), "step.drift", "`x` has changed"));
  workspace.put_link("x", "y");
  EXPECT_TRUE(refused(table.check(first, workspace), "step.drift", "no regular file"));
}

TEST_F(Pins, LaterPinMeansThePostImage) {
  PinTable table(plan);
  workspace.put("x", "two");
  EXPECT_TRUE(
      accepted(table.record(first, {{"x", digest_bytes("one"), digest_bytes("two")}}, workspace)));
  EXPECT_TRUE(accepted(table.check(second, workspace)));
  workspace.put("x", "one");
  EXPECT_TRUE(refused(table.check(second, workspace), "step.drift", "has changed"));
}

TEST_F(Pins, FileThatAStepRemovedIsDriftForTheNext) {
  PinTable table(plan);
  EXPECT_TRUE(accepted(table.record(first, {}, workspace)));
  EXPECT_TRUE(refused(table.check(second, workspace), "step.drift", "removed by the step before"));
}

TEST_F(Pins, ForeignChangeIsFoundUnlessItIsDeclared) {
  PinTable table(plan);
  workspace.put("x", "two");
  ASSERT_TRUE(
      accepted(table.record(first, {{"x", digest_bytes("one"), digest_bytes("two")}}, workspace)));
  EXPECT_EQ(table.find_foreign_change({}, workspace), std::nullopt);
  workspace.put("x", "three");
  EXPECT_EQ(table.find_foreign_change({"build/**"}, workspace), "x");
  EXPECT_EQ(table.find_foreign_change({"**"}, workspace), std::nullopt);
  workspace.remove("x");
  EXPECT_EQ(table.find_foreign_change({}, workspace), "x");
}

}  // namespace
}  // namespace rgx::engine
