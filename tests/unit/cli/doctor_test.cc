#include "cli/doctor.h"

#include "cli/kernel_probe.h"

#include "base/canonical.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

HealthReport report() {
  return {{.group = "programs",
           .name = "git",
           .health = Health::ok,
           .note = "/usr/bin/git",
           .remedy = {}},
          {.group = "kernel",
           .name = "landlock",
           .health = Health::warn,
           .note = "ABI 3",
           .remedy = "a newer kernel"},
          {.group = "keys",
           .name = "root key",
           .health = Health::fail,
           .note = "not there",
           .remedy = "`rgx init` makes one"}};
}

TEST(Doctor, TheWorstCheckDecides) {
  HealthReport checks = report();
  EXPECT_EQ(worst(checks), Health::fail);
  checks.pop_back();
  EXPECT_EQ(worst(checks), Health::warn);
  checks.pop_back();
  EXPECT_EQ(worst(checks), Health::ok);
  EXPECT_EQ(worst({}), Health::ok);
}

TEST(Doctor, EveryCheckIsALineWithItsRemedyBelow) {
  EXPECT_EQ(doctor_text(report(), Colour::off),
            "ok    programs  git       /usr/bin/git\n"
            "warn  kernel    landlock  ABI 3\n"
            "      a newer kernel\n"
            "fail  keys      root key  not there\n"
            "      `rgx init` makes one\n"
            "1 ok, 1 warn, 1 fail\n");
}

TEST(Doctor, JsonSaysTheSame) {
  HealthReport one = report();
  one.erase(one.begin() + 1, one.end());
  EXPECT_EQ(canonical(doctor_json(one)),
            R"({"checks":[{"group":"programs","health":"ok","name":"git",)"
            R"("note":"/usr/bin/git","remedy":null}],"health":"ok","schema":"rgx.doctor/v1"})");
}

TEST(Doctor, LandlockIsJudgedByWhatItHolds) {
  EXPECT_EQ(landlock_check(0).health, Health::warn);
  EXPECT_FALSE(landlock_check(0).remedy.empty());
  EXPECT_EQ(landlock_check(2).note, "ABI 2: neither truncation nor TCP are held");
  EXPECT_EQ(landlock_check(3).health, Health::warn);
  EXPECT_EQ(landlock_check(4).health, Health::ok);
  EXPECT_EQ(landlock_check(4).remedy, "");
}

}  // namespace
}  // namespace rgx::cli
