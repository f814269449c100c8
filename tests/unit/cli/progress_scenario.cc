#include "tests/unit/cli/progress_scenario.h"

#include "base/check.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rgx::cli::test {
namespace {

constexpr std::string_view kPlanDigest =
    "sha256:9c1e0000000000000000000000000000000000000000000000000000000040d2";
constexpr std::string_view kAdmissionDigest =
    "sha256:41ab000000000000000000000000000000000000000000000000000000000c77";

RunAnnounced plan_of(std::string run, std::vector<PlannedStep> steps) {
  return {.run = std::move(run),
          .plan = std::string(kPlanDigest),
          .admission = std::string(kAdmissionDigest),
          .steps = std::move(steps)};
}

std::string instance(std::string_view stem, std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 4 - std::min<std::size_t>(4, digits.size()), '0');
  return std::string(stem) + "[src/m" + digits + ".c]";
}

}  // namespace

RunView Scenario::view() const {
  RunView view;
  for (const ProgressEvent& event : events_) {
    // A scenario is a legal stream: nothing in it may be turned down.
    RGX_CHECK(!view.apply(event).empty());
  }
  return view;
}

PlannedStep planned(std::string id, std::string tool, std::string title, std::string phase,
                    std::vector<std::string> needs) {
  return {.id = std::move(id),
          .tool = std::move(tool),
          .title = std::move(title),
          .phase = std::move(phase),
          .needs = std::move(needs)};
}

Scenario small_run() {
  Scenario run;
  run.announce(
      plan_of("r-7f3a00c0ffee",
              {planned("s1", "search.text", "zlib in **", "prepare"),
               planned("s2", "file.edit", "src/a.c", "prepare", {"s1"}),
               planned("s3", "file.edit", "src/b.c", "prepare", {"s1"}),
               planned("s4", "file.edit", "src/压缩/解压.c", "prepare", {"s1"}),
               planned("s5", "exec", "cmake --build build", "prepare", {"s2", "s3", "s4"}),
               planned("s6", "file.patch", "src/deps.cmake", "prepare", {"s5"}),
               planned("s7", "exec", "ctest -j2", "verify", {"s5"}),
               planned("s8", "git.branch", "release/zlib", "publish", {"s6"}),
               planned("s9", "exec", "sbom 依赖清单 🚀", "verify", {"s6"}),
               planned("s10", "exec", "scan licence headers", "verify", {"s9"}),
               planned("s11", "git.commit", "Replace zlib", "publish", {"s10", "s7", "s8"}),
               planned("s12", "check.tests", "ctest", "accept", {"s11"})}));
  std::int64_t at = 0;
  for (const std::string_view step : {"s1", "s2", "s3", "s4", "s5", "s6"}) {
    run.at(at).start(std::string(step));
    at += 5000;
    run.at(at).end(std::string(step), StepEnd::succeeded, step == "s6" ? "2 replacements" : "", {},
                   step == "s6" ? 340 : 5000);
  }
  run.at(31'000).start("s7").output("s7", 200'000);
  run.at(40'000).ask("s8", "repo.push#3", "1 of release-managers, not you",
                     "rgx approve r-7f3a00c0ffee s8");
  run.at(60'000).start("s9").output("s9", 80'000);
  run.at(65'000).budget(
      {{.name = "tokens", .spent = 18'400, .reserved = 4000, .limit = 60'000},
       {.name = "cost_usd_micros", .spent = 420'000, .reserved = 0, .limit = 2'000'000},
       {.name = "processes", .spent = 0, .reserved = 0, .limit = 20},
       {.name = "files_changed", .spent = 4, .reserved = 0, .limit = 5}});
  run.at(69'000).output("s7", 1'000'000);
  run.at(72'000).output("s9", 500);
  return run;
}

Scenario large_run() {
  std::vector<PlannedStep> steps;
  std::vector<std::string> edits;
  for (std::size_t i = 0; i < 600; ++i) {
    steps.push_back(planned(instance("migrate", i), "exec", "migrate", "migrate"));
  }
  for (std::size_t i = 0; i < 380; ++i) {
    steps.push_back(
        planned(instance("verify", i), "check.tests", "ctest", "verify", {instance("migrate", i)}));
  }
  for (std::size_t i = 0; i < 20; ++i) {
    steps.push_back(planned("tidy-" + std::to_string(i), "exec", "tidy", i < 19 ? "" : "publish"));
  }
  Scenario run;
  run.announce(plan_of("r-81c000c0ffee", std::move(steps)));
  const auto is_bad = [](std::size_t i) { return i == 17 || i == 102 || i == 203 || i == 303; };
  for (std::size_t i = 0; i < 560; ++i) {
    const std::string step = instance("migrate", i);
    const auto at = static_cast<std::int64_t>(i) * 1000;
    run.at(at).start(step);
    if (is_bad(i)) {
      run.end(step, StepEnd::failed, "exit status 1",
              "building\nrecord_test.cc:88: expected 5, got 4\n\n");
      run.end(instance("verify", i), StepEnd::skipped);
    } else if (i == 40 || i == 41) {
      run.end(step, StepEnd::refused, "denied by net.egress#7",
              "rule net.egress#7 at policy.yaml:31");
      run.end(instance("verify", i), StepEnd::skipped);
    } else {
      run.end(step, StepEnd::succeeded);
    }
  }
  for (std::size_t i = 0; i < 270; ++i) {
    if (!is_bad(i) && i != 40 && i != 41) {
      run.at(560'000 + static_cast<std::int64_t>(i) * 1000)
          .end(instance("verify", i), StepEnd::succeeded);
    }
  }
  for (std::size_t i = 560; i < 570; ++i) {
    run.at(830'000 + static_cast<std::int64_t>(i - 560) * 1000).start(instance("migrate", i));
  }
  for (std::size_t i = 310; i < 316; ++i) {
    run.at(700'000).start(instance("verify", i)).at(835'000).output(instance("verify", i), 12'000);
  }
  run.at(838'000).ask("tidy-19", "git.push#1", "1 of release-managers",
                      "rgx approve r-81c000c0ffee tidy-19");
  run.budget(
      {{.name = "tokens", .spent = 1'900'000, .reserved = 400'000, .limit = 2'500'000},
       {.name = "cost_usd_micros", .spent = 11'200'000, .reserved = 0, .limit = 20'000'000}});
  run.at(842'000);
  return run;
}

Scenario huge_run() {
  std::vector<PlannedStep> steps;
  for (std::size_t i = 0; i < 10'000; ++i) {
    steps.push_back(planned(
        instance("edit", i), "file.edit", "m" + std::to_string(i), "edit",
        i == 0 ? std::vector<std::string>() : std::vector<std::string>{instance("edit", i - 1)}));
  }
  Scenario run;
  run.announce(plan_of("r-a1b200c0ffee", std::move(steps)));
  for (std::size_t i = 0; i < 3333; ++i) {
    run.at(static_cast<std::int64_t>(i) * 10).start(instance("edit", i));
    run.end(instance("edit", i), StepEnd::succeeded);
  }
  run.start(instance("edit", 3333)).at(40'000);
  return run;
}

Scenario hostile_run() {
  Scenario run;
  run.announce(plan_of(
      "r-\x1b[2Jevil",
      {planned("step\x1b]0;title\x07", "exec", "clear \x1b[2J\x1b[H and beep \x07"),
       planned("bidi\u202e", "exec", "rm \u202egpj.tset\u202c ok"),
       planned("lines", "exec", "first\nsecond\r\nthird\tend"),
       planned("broken", "exec", "bytes \xff\xfe here"),
       planned("zero", "exec", "pa\u200bss\u200dword\ufeff"),
       planned("c1", "exec", "\u009b31m red \u0090q"),
       planned("wide-依赖清单依赖清单依赖清单依赖清单", "exec",
               "빌드 목록 😀👨\u200d👩\u200d👧 é 依赖清单依赖清单依赖清单依赖清单依赖清单依赖清单"),
       planned("long", "exec", std::string(500, 'x')),
       planned("asks", "exec", "push \u2066origin\u2069"),
       planned("waits", "exec", "later", "phase\x1b[31m", {"long\x1b", "bidi\u202e"})}));
  run.at(1000)
      .start("step\x1b]0;title\x07")
      .end("step\x1b]0;title\x07", StepEnd::failed, "exit \x1b[31m1\x1b[0m",
           "one\n\x1b[31mtwo\x1b[0m\r\n::error::three ##[error]\n");
  run.start("bidi\u202e").end("bidi\u202e", StepEnd::refused, "denied \u202eby", "rule \x07");
  run.start("lines").start("broken").start("zero").start("c1");
  run.start("wide-依赖清单依赖清单依赖清单依赖清单").start("long");
  run.at(2000).ask("asks", "rule\x1b[8m", "1 of \u202eadmins", "rgx approve r-1 \x1b[2Jasks");
  run.at(3000).output("long", 999'999'999'999);
  run.budget({{.name = "tok\x1b[31mens", .spent = 1, .reserved = 0, .limit = 10}});
  run.at(130'000);
  return run;
}

}  // namespace rgx::cli::test
