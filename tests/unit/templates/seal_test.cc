#include "templates/seal.h"

#include "base/canonical.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"
#include "tests/unit/templates/plan_fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace rgx::templates {
namespace {

std::vector<Step> three_steps() {
  Step last = exec_step("tests", {"**"}, {"build/**"}, {StepId("edit[a.c]"), StepId("edit[b.c]")});
  last.timeout_ms = 900000;
  last.provenance = {{Axis::argv, Origin::repository}};
  Step first = edit_step("edit[a.c]", "a.c");
  first.pins = {Pin{"a.c", digest_bytes("a"), std::nullopt}};
  return {std::move(last), edit_step("edit[b.c]", "b.c"), std::move(first)};
}

SealedPlan sealed_of(std::vector<Step> steps) {
  auto sealed = seal(draft_of(std::move(steps)));
  EXPECT_TRUE(test::accepted(sealed));
  return std::move(*sealed);
}

TEST(Seal, PutsStepsInCanonicalOrder) {
  const SealedPlan sealed = sealed_of(three_steps());
  ASSERT_EQ(sealed.plan().steps.size(), 3U);
  EXPECT_EQ(sealed.plan().steps[0].id.text(), "edit[a.c]");
  EXPECT_EQ(sealed.plan().steps[1].id.text(), "edit[b.c]");
  EXPECT_EQ(sealed.plan().steps[2].id.text(), "tests");
  EXPECT_EQ(sealed.find(StepId("tests")), &sealed.plan().steps[2]);
  EXPECT_EQ(sealed.find(StepId("nothing")), nullptr);
}

TEST(Seal, DigestIsOverDomainAndCanonicalBytes) {
  const SealedPlan sealed = sealed_of(three_steps());
  EXPECT_EQ(sealed.bytes(), canonical(to_json(sealed.plan())));
  EXPECT_EQ(sealed.digest(), digest_bytes(std::string("rgx.plan/v1") + '\0' + sealed.bytes()));
}

TEST(Seal, OrderOfTheDraftDoesNotMatter) {
  std::vector<Step> steps = three_steps();
  const Digest digest = sealed_of(steps).digest();
  std::ranges::sort(steps, {}, &Step::id);
  do {
    EXPECT_EQ(sealed_of(steps).digest(), digest);
  } while (std::ranges::next_permutation(steps, {}, &Step::id).found);
}

TEST(Seal, EveryFieldIsInTheDigest) {
  const Digest digest = sealed_of(three_steps()).digest();
  std::vector<std::vector<Step>> variants(8, three_steps());
  variants[0][0].timeout_ms = 900001;
  variants[1][0].idempotent = true;
  variants[2][0].on_interrupted = OnInterrupted::ask;
  variants[3][0].provenance[Axis::argv] = Origin::model;
  variants[4][0].tool.write->push_back("out");
  variants[5][0].tool.with.set("cwd", "sub");
  variants[6][2].pins[0].digest = digest_bytes("b");
  variants[7][1].needs = {StepId("edit[a.c]")};
  for (const auto& variant : variants) {
    EXPECT_NE(sealed_of(variant).digest(), digest);
  }
}

TEST(Seal, MistakesOfAPlan) {
  EXPECT_TRUE(test::refused(seal(draft_of({})), "plan.no_steps", "no step"));
  EXPECT_TRUE(test::refused(seal(draft_of({edit_step("a", "x"), edit_step("a", "y")})),
                            "plan.duplicate_id", "two steps have the id `a`"));
  EXPECT_TRUE(test::refused(seal(draft_of({edit_step("A b", "x")})), "plan.bad_id", "`A b`"));
  EXPECT_TRUE(test::refused(
      seal(draft_of({edit_step("edit", "x", {StepId("tets")}), edit_step("test", "y")})),
      "plan.unknown_need", "did you mean `test`?"));
  EXPECT_TRUE(test::refused(
      seal(draft_of({edit_step("a", "x", {StepId("b")}), edit_step("b", "y", {StepId("a")})})),
      "plan.cycle", "a -> b -> a"));
  EXPECT_TRUE(test::refused(seal(draft_of({edit_step("a", "x"), edit_step("b", "y"),
                                           edit_step("c", "z", {StepId("b"), StepId("a")})})),
                            "plan.not_normal", "needs of step `c`"));
  EXPECT_TRUE(
      test::refused(seal(draft_of({edit_step("a", "./x")})), "plan.not_normal", "step `a`"));
  Step unknown = edit_step("a", "x");
  unknown.tool.use = "file.edits";
  EXPECT_TRUE(
      test::refused(seal(draft_of({unknown})), "tool.unknown", "did you mean `file.edit`?"));
}

TEST(Seal, MistakesOfTheHeader) {
  Plan plan = plan_of({edit_step("a", "x")});
  plan.intent = "a\nb";
  EXPECT_TRUE(test::refused(seal(DraftKey::make(plan)), "plan.bad_intent", "single line"));
  plan = plan_of({edit_step("a", "x")});
  plan.workspace = "elsewhere";
  EXPECT_TRUE(test::refused(seal(DraftKey::make(plan)), "plan.bad_value", "`elsewhere`"));
  plan = plan_of({edit_step("a", "x")});
  plan.from.name = "Not A Name";
  EXPECT_TRUE(test::refused(seal(DraftKey::make(plan)), "plan.bad_template", "template"));
}

TEST(Seal, AllMistakesComeAtOnce) {
  Step bad = edit_step("B", "/x", {StepId("nowhere")});
  const auto sealed = seal(draft_of({bad, edit_step("a", "x"), edit_step("a", "y")}));
  ASSERT_FALSE(sealed.has_value());
  EXPECT_EQ(sealed.error().diagnostics.size(), 4U) << to_string(sealed.error());
}

TEST(Seal, PinsMustFitTheSteps) {
  const auto pinned = [](Pin pin) {
    Step second = edit_step("b", "x", {StepId("a")});
    second.pins = {std::move(pin)};
    return seal(draft_of({edit_step("a", "x"), second, edit_step("c", "y")}));
  };
  EXPECT_TRUE(test::accepted(pinned(Pin{"x", {}, StepId("a")})));
  EXPECT_TRUE(test::refused(pinned(Pin{"x", digest_bytes("x"), std::nullopt}), "plan.bad_pin",
                            "does not name `a`"));
  EXPECT_TRUE(
      test::refused(pinned(Pin{"x", {}, StepId("c")}), "plan.bad_pin", "does not name `a`"));
  EXPECT_TRUE(test::refused(pinned(Pin{"y", {}, StepId("a")}), "plan.bad_pin",
                            "no file that the step names"));
  EXPECT_TRUE(
      test::refused(seal(draft_of({edit_step("a", "x"), edit_step("b", "x", {StepId("a")})})),
                    "plan.bad_pin", "has no pin for `x`"));
  Step alone = edit_step("a", "x");
  alone.pins = {Pin{"x", {}, StepId("a")}};
  EXPECT_TRUE(test::refused(seal(draft_of({alone})), "plan.bad_pin", "not the last step before"));
}

TEST(Seal, AHostilePlanIsRefusedQuickly) {
  std::vector<Step> steps;
  for (std::size_t index = 0; index < 2000; ++index) {
    Step step = edit_step("s" + std::to_string(index), "f" + std::to_string(index));
    for (std::size_t need = 0; need < 100; ++need) {
      step.needs.emplace_back("t" + std::to_string(1000 + need));
    }
    steps.push_back(std::move(step));
  }
  const auto sealed = seal(draft_of(std::move(steps)));
  ASSERT_TRUE(test::refused(sealed, "plan.unknown_need", "which is no step"));
  EXPECT_EQ(sealed.error().diagnostics.size(), 100U);
}

TEST(Seal, BoundsAreKept) {
  std::vector<Step> steps;
  for (std::size_t index = 0; index <= kPlanStepsMax; ++index) {
    steps.push_back(edit_step("s" + std::to_string(index), "f" + std::to_string(index)));
  }
  EXPECT_TRUE(test::refused(seal(draft_of(steps)), "plan.too_many_steps", "10001 steps"));
  steps.pop_back();
  EXPECT_TRUE(test::accepted(seal(draft_of(steps))));
  std::vector<std::string> globs;
  for (int index = 0; index < 1001; ++index) {
    globs.push_back("g" + std::to_string(1000 + index) + "/**");
  }
  EXPECT_TRUE(test::refused(seal(draft_of({exec_step("a", globs, {})})), "plan.too_many_paths",
                            "1000 different globs"));
}

TEST(Seal, TenThousandStepsBehindEachOtherAreNoProblem) {
  // Every step reads everything and writes its own file: the worst case of the race check.
  std::vector<Step> steps;
  for (std::size_t index = 0; index < kPlanStepsMax; ++index) {
    const std::string number = std::to_string(100000 + index);
    Step step = exec_step("s" + number, {"**"}, {"f" + number});
    if (index > 0) {
      step.needs = {StepId("s" + std::to_string(100000 + index - 1))};
    }
    steps.push_back(std::move(step));
  }
  EXPECT_TRUE(test::accepted(seal(draft_of(std::move(steps)))));
}

TEST(SealedPlanFile, ComesBackAsItWas) {
  const SealedPlan sealed = sealed_of(three_steps());
  const std::string file = write_sealed_plan(sealed);
  EXPECT_TRUE(file.ends_with("}\n"));
  const auto json = parse_canonical(std::string_view(file).substr(0, file.size() - 1), "plan");
  ASSERT_TRUE(test::accepted(json)) << "the file is canonical as a whole";
  const auto again = read_sealed_plan(file, "plan.json");
  ASSERT_TRUE(test::accepted(again));
  EXPECT_EQ(again->plan(), sealed.plan());
  EXPECT_EQ(again->digest(), sealed.digest());
  EXPECT_EQ(again->bytes(), sealed.bytes());
}

TEST(SealedPlanFile, EveryFlippedBitIsRefused) {
  const std::string file = write_sealed_plan(sealed_of(three_steps()));
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      EXPECT_FALSE(read_sealed_plan(damaged, "plan.json").has_value()) << at << " bit " << bit;
    }
  }
}

TEST(SealedPlanFile, EveryCutIsRefused) {
  const std::string file = write_sealed_plan(sealed_of(three_steps()));
  for (std::size_t length = 0; length < file.size(); ++length) {
    EXPECT_FALSE(read_sealed_plan(file.substr(0, length), "plan.json").has_value()) << length;
  }
  EXPECT_TRUE(
      test::refused(read_sealed_plan(file + "x", "plan.json"), "plan.truncated", "line feed"));
  EXPECT_FALSE(read_sealed_plan(file + "\n", "plan.json").has_value());
}

/// A plan file around any plan JSON, with a digest that fits.
std::string file_around(const Json& plan) {
  const std::string bytes = canonical(plan);
  return R"({"digest":")" + digest_domain("rgx.plan/v1", bytes).to_string() + R"(","plan":)" +
         bytes + R"(,"schema":"rgx.sealed-plan/v1"})" + "\n";
}

TEST(SealedPlanFile, AChangedPlanIsEvidence) {
  std::string file = write_sealed_plan(sealed_of(three_steps()));
  const std::size_t at = file.find("900000");
  file.replace(at, 6, "900001");
  const auto read = read_sealed_plan(file, "plan.json");
  ASSERT_TRUE(test::refused(read, "plan.digest_mismatch", "was changed after sealing"));
  EXPECT_EQ(read.error().kind, ErrorKind::evidence);
  EXPECT_EQ(read.error().first().place.file, "plan.json");
}

TEST(SealedPlanFile, AFittingDigestDoesNotHelpABadPlan) {
  const Json good = to_json(sealed_of(three_steps()).plan());
  EXPECT_TRUE(test::accepted(read_sealed_plan(file_around(good), "p")));
  Json swapped = good;
  Json::Array& steps = swapped.as_object().at("steps").as_array();
  std::swap(steps[0], steps[1]);
  EXPECT_TRUE(test::refused(read_sealed_plan(file_around(swapped), "p"), "plan.not_normal",
                            "canonical order"));
  Json extra = good;
  extra.set("extra", 1);
  EXPECT_TRUE(
      test::refused(read_sealed_plan(file_around(extra), "p"), "json.unknown_member", "extra"));
  Json version = good;
  version.set("schema", "rgx.plan/v2");
  EXPECT_TRUE(test::refused(read_sealed_plan(file_around(version), "p"), "json.schema", "v2"));
  Json race = good;
  for (Json& step : race.as_object().at("steps").as_array()) {
    step.set("needs", Json::array());
  }
  const auto raced = read_sealed_plan(file_around(race), "p.json");
  ASSERT_TRUE(test::refused(raced, "plan.race", "tests"));
  EXPECT_EQ(raced.error().first().place.file, "p.json");
}

TEST(SealedPlanFile, EveryRemovedOrAddedMemberIsRefused) {
  const Json good = to_json(sealed_of(three_steps()).plan());
  for (const auto& [name, value] : good.as_object()) {
    Json without = good;
    without.as_object().erase(name);
    EXPECT_FALSE(read_sealed_plan(file_around(without), "p").has_value()) << name;
  }
  const Json step = good.find("steps")->as_array()[0];
  for (const auto& [name, value] : step.as_object()) {
    Json without = good;
    without.as_object().at("steps").as_array()[0].as_object().erase(name);
    const bool optional = name == "pins" ? false : name == "timeout_ms";
    EXPECT_EQ(read_sealed_plan(file_around(without), "p").has_value(), optional) << name;
  }
  Json added = good;
  added.as_object().at("steps").as_array()[0].set("unless", true);
  EXPECT_TRUE(
      test::refused(read_sealed_plan(file_around(added), "p"), "json.unknown_member", "unless"));
}

TEST(SealedPlanFile, SpellingsAreStrict) {
  const Json good = to_json(sealed_of(three_steps()).plan());
  const auto with = [&good](std::size_t step, std::string_view key, Json value) {
    Json changed = good;
    changed.as_object().at("steps").as_array()[step].set(key, std::move(value));
    return read_sealed_plan(file_around(changed), "p");
  };
  EXPECT_TRUE(test::refused(with(2, "provenance", Json::object({{"argc", Json::array()}})),
                            "plan.bad_provenance", "`argc` is no axis"));
  EXPECT_TRUE(test::refused(
      with(2, "provenance", Json::object({{"argv", Json::array({Json("model"), Json("human")})}})),
      "plan.bad_provenance", "not in their order"));
  EXPECT_TRUE(test::refused(with(2, "provenance", Json::object({{"argv", Json::array()}})),
                            "plan.bad_provenance", "missing"));
  EXPECT_TRUE(test::refused(with(2, "on_interrupted", "never"), "plan.bad_value", "rerun"));
  EXPECT_TRUE(test::refused(with(2, "timeout_ms", 0), "json.range", "timeout_ms"));
  EXPECT_TRUE(test::refused(with(2, "write", Json::array({Json("b"), Json("a")})),
                            "plan.not_normal", "`tests`"));
  EXPECT_TRUE(test::refused(
      with(0, "pins", Json::array({Json::object({{"path", "a.c"}, {"digest", "sha256:00"}})})),
      "plan.bad_digest", ""));
  EXPECT_TRUE(test::refused(
      with(0, "pins",
           Json::array({Json::object(
               {{"path", "a.c"}, {"after", "x"}, {"digest", digest_bytes("").to_string()}})})),
      "plan.bad_pin", "both `after` and `digest`"));
}

TEST(SealedPlanFile, WhatIsNoPlanFileIsRefused) {
  for (const char* text : {"", "\n", "{}\n", "[]\n", "null\n", "{\"digest\":1}\n", "not json\n",
                           "{\"digest\":\"\",\"plan\":{},\"schema\":\"rgx.sealed-plan/v1\"}\n"}) {
    EXPECT_FALSE(read_sealed_plan(text, "p").has_value()) << text;
  }
  EXPECT_TRUE(test::refused(read_sealed_plan("{ }\n", "p"), "json.not_canonical", ""));
}

/// Plans of this version stay readable.
TEST(SealedPlanFile, EveryGoldenPlanIsReadAndWrittenAlike) {
  const auto files = test::sorted_files(std::string(RGX_SOURCE_DIR) + "/tests/golden/plan");
  ASSERT_GE(files.size(), 2U);
  for (const auto& file : files) {
    const std::string bytes = test::read_file(file);
    const auto sealed = read_sealed_plan(bytes, file.filename().string());
    ASSERT_TRUE(test::accepted(sealed)) << file;
    EXPECT_EQ(write_sealed_plan(*sealed), bytes) << file;
  }
}

TEST(SealedPlanFile, MatchesItsGolden) {
  test::expect_golden("plan/three-steps.json", write_sealed_plan(sealed_of(three_steps())));
}

}  // namespace
}  // namespace rgx::templates
