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
    first_ = edit_step("a", "x");
    first_.pins = {pin_bytes("x", "one")};
    second_ = edit_step("b", "x", {"a"});
    second_.pins = {pin_after("x", "a")};
    plan_.steps = {first_, second_};
  }
  CallLog log_;
  MemoryWorkspace workspace_{log_};
  templates::Step first_;
  templates::Step second_;
  templates::Plan plan_;
};

TEST_F(Pins, FileAsItWasCompiledForIsFine) {
  const PinTable table(plan_);
  workspace_.put("x", "one");
  EXPECT_TRUE(accepted(table.check(first_, workspace_)));
  EXPECT_EQ(table.expected(first_).at("x"), digest_bytes("one"));
}

TEST_F(Pins, AnythingElseIsDrift) {
  const PinTable table(plan_);
  const auto missing = table.check(first_, workspace_);
  EXPECT_TRUE(refused(missing, "step.drift", "`x` is gone"));
  EXPECT_EQ(missing.error().kind, ErrorKind::drift);
  workspace_.put("x", "two");
  EXPECT_TRUE(refused(table.check(first_, workspace_), "step.drift", "`x` has changed"));
  workspace_.put_link("x", "y");
  EXPECT_TRUE(refused(table.check(first_, workspace_), "step.drift", "no regular file"));
}

TEST_F(Pins, LaterPinMeansThePostImage) {
  PinTable table(plan_);
  workspace_.put("x", "two");
  EXPECT_TRUE(accepted(
      table.record(first_, {{"x", digest_bytes("one"), digest_bytes("two")}}, workspace_)));
  EXPECT_TRUE(accepted(table.check(second_, workspace_)));
  workspace_.put("x", "one");
  EXPECT_TRUE(refused(table.check(second_, workspace_), "step.drift", "has changed"));
}

TEST_F(Pins, FileThatAStepRemovedIsDriftForTheNext) {
  PinTable table(plan_);
  EXPECT_TRUE(accepted(table.record(first_, {}, workspace_)));
  EXPECT_TRUE(
      refused(table.check(second_, workspace_), "step.drift", "removed by the step before"));
}

TEST_F(Pins, ForeignChangeIsFoundUnlessItIsDeclared) {
  PinTable table(plan_);
  workspace_.put("x", "two");
  ASSERT_TRUE(accepted(
      table.record(first_, {{"x", digest_bytes("one"), digest_bytes("two")}}, workspace_)));
  EXPECT_EQ(table.find_foreign_change({}, workspace_), std::nullopt);
  workspace_.put("x", "three");
  EXPECT_EQ(table.find_foreign_change({"build/**"}, workspace_), "x");
  EXPECT_EQ(table.find_foreign_change({"**"}, workspace_), std::nullopt);
  workspace_.remove("x");
  EXPECT_EQ(table.find_foreign_change({}, workspace_), "x");
}

}  // namespace
}  // namespace rgx::engine
