#include "cli/policy_layers.h"

#include "cli/trust.h"
#include "tests/support/call_log.h"
#include "tests/support/error_matchers.h"
#include "tests/support/memory_repository.h"
#include "tests/support/memory_workspace.h"
#include "tests/support/scratch_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace rgx::cli {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

constexpr std::string_view kHead = "0123456789abcdef0123456789abcdef01234567";

std::string policy_text(std::string_view layer, std::string_view name) {
  return "schema: rgx.policy/v1\nname: " + std::string(name) + "\nlayer: " + std::string(layer) +
         "\n";
}

std::string top_text(std::string_view layer, std::string_view name) {
  return policy_text(layer, name) +
         "default: deny\n"
         "budgets:\n"
         "  run: {tokens: 0, cost_usd_micros: 0, wall_ms: 1, steps: 1, files_changed: 1,\n"
         "        bytes_written: 1, model_calls: 0, agents: 0, processes: 0}\n"
         "  step: {wall_ms: 1}\n";
}

class PolicyLayers : public testing::Test {
 protected:
  PolicyLayers() { repository.commit(kHead, "README", ""); }

  Result<LoadedLayers> load() {
    const LayerSources sources{.org_file = scratch / "etc/none.yaml",
                               .user_file = scratch / "user.yaml",
                               .trust_file = scratch / "trusted",
                               .run_file = run_file,
                               .base = base};
    return load_layers(sources, repository, workspace);
  }
  /// `layer:name` of all layers, from the top down.
  std::string names() {
    const auto loaded = load();
    EXPECT_TRUE(accepted(loaded));
    std::string text;
    for (const policy::Policy& layer : loaded->policy.layers()) {
      text += (text.empty() ? "" : " ") + std::string(policy::to_string(layer.layer)) + ":" +
              layer.name;
    }
    return text;
  }
  void write_user(std::string_view text, mode_t mode) {
    const std::string file = scratch.write("user.yaml", text);
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
  }

  rgx::test::ScratchDir scratch;
  rgx::test::CallLog calls;
  rgx::test::MemoryRepository repository;
  rgx::test::MemoryWorkspace workspace{calls};
  std::optional<std::string> run_file;
  std::optional<std::string> base;
};

TEST_F(PolicyLayers, TheDefaultIsOnTopWithoutOrgAndUser) {
  EXPECT_EQ(names(), "org:default");
}

TEST_F(PolicyLayers, TheUserLayerTakesTheDefaultsPlace) {
  write_user(top_text("user", "mine"), 0600);
  EXPECT_EQ(names(), "user:mine");
}

TEST_F(PolicyLayers, AUserLayerThatOthersCanWriteStopsTheCommand) {
  write_user(top_text("user", "mine"), 0666);
  const auto loaded = load();
  EXPECT_TRUE(refused(loaded, "file.unsafe", "writable by others"));
  EXPECT_EQ(loaded.error().kind, ErrorKind::environment);
}

TEST_F(PolicyLayers, AFolderThatOthersCanWriteStopsTheCommand) {
  // Whoever can write there may have removed the policy.
  ASSERT_EQ(::chmod(scratch.path().c_str(), 0777), 0);
  EXPECT_TRUE(refused(load(), "file.unsafe", "writable by others"));
}

TEST_F(PolicyLayers, ALayerBehindALinkThatLeadsNowhereIsNotAbsent) {
  std::filesystem::create_symlink(scratch / "nowhere", scratch / "etc");
  const auto loaded = load();
  EXPECT_TRUE(refused(loaded, "file.unreadable", "cannot be looked at"));
  EXPECT_EQ(loaded.error().kind, ErrorKind::environment);
}

TEST_F(PolicyLayers, AFileOfAnotherLayerIsRefused) {
  write_user(top_text("org", "mine"), 0600);
  EXPECT_TRUE(refused(load(), "policy.wrong_layer", "write `layer: user`"));
}

TEST_F(PolicyLayers, TheRepositorysPolicyIsTheCommittedOne) {
  repository.commit(kHead, kRepositoryPolicy, policy_text("repository", "committed"));
  workspace.put(kRepositoryPolicy, policy_text("repository", "edited"));
  EXPECT_EQ(names(), "org:default repository:committed");
  ASSERT_EQ(load()->notices.size(), 1U);
  EXPECT_NE(load()->notices[0].find("differs from the base revision"), std::string::npos);
}

TEST_F(PolicyLayers, AnUncommittedPolicyCountsOnlyWhenItIsTrusted) {
  const std::string text = policy_text("repository", "fresh");
  workspace.put(kRepositoryPolicy, text);
  EXPECT_EQ(names(), "org:default");
  EXPECT_NE(load()->notices.at(0).find("not committed and not trusted"), std::string::npos);
  ASSERT_TRUE(accepted(record_trust(scratch / "trusted", digest_bytes(text), "here")));
  EXPECT_EQ(names(), "org:default repository:fresh");
  EXPECT_TRUE(load()->notices.empty());
  workspace.put(kRepositoryPolicy, text + "# changed\n");
  EXPECT_EQ(names(), "org:default");
}

TEST_F(PolicyLayers, ADeletedPolicyIsStillInForce) {
  repository.commit(kHead, kRepositoryPolicy, policy_text("repository", "committed"));
  EXPECT_EQ(names(), "org:default repository:committed");
}

TEST_F(PolicyLayers, ALinkInItsPlaceStopsTheCommand) {
  workspace.put_link(kRepositoryPolicy, "abs:/tmp/policy.yaml");
  const auto loaded = load();
  EXPECT_TRUE(refused(loaded, "workspace.symlink", "link"));
  EXPECT_EQ(loaded.error().kind, ErrorKind::usage);
}

TEST_F(PolicyLayers, TheBaseRevisionIsTheOneAskedFor) {
  repository.commit("release", kRepositoryPolicy, policy_text("repository", "released"));
  base = "release";
  EXPECT_EQ(names(), "org:default repository:released");
  EXPECT_EQ(load()->base_revision, "release");
  base = "none";
  EXPECT_TRUE(refused(load(), "repository.no_such_revision", "`none`"));
}

TEST_F(PolicyLayers, TheRunLayerIsTheLast) {
  run_file = scratch.write("run.yaml", policy_text("run", "once"));
  EXPECT_EQ(names(), "org:default run:once");
  run_file = scratch.write("run.yaml", policy_text("repository", "once"));
  EXPECT_TRUE(refused(load(), "policy.wrong_layer", "write `layer: run`"));
  run_file = scratch / "missing.yaml";
  EXPECT_TRUE(refused(load(), "file.missing", "missing.yaml"));
}

}  // namespace
}  // namespace rgx::cli
