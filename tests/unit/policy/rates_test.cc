#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/canonical.h"
#include "base/json.h"
#include "policy/decision.h"
#include "tests/support/shared_vectors.h"
#include "tests/unit/policy/policy_support.h"

// How often a policy for everyday work by shell stops scripts that it should stop, and commands
// that it should not. The data are published and not ours; their labels are in tests/golden/policy.
// A rate is a measurement: the cases hold it where it is and print every miss. docs/policy-rates.md

namespace rgx::policy::test {
namespace {

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(file.bad()) << path;
  return text.str();
}

std::filesystem::path golden(std::string_view name) {
  return std::filesystem::path(RGX_SOURCE_DIR) / "tests/golden/policy" / name;
}

PolicySet everyday() {
  return must_stack({text_of_file(golden("everyday.yaml"))});
}

Decision judged(const PolicySet& policy, const std::string& script) {
  return eval(
      policy,
      canonical(Json::object({{"use", "shell"}, {"with", Json::object({{"script", script}})}})));
}

struct Rate {
  int stopped = 0;
  int all = 0;
  [[nodiscard]] int percent() const { return all == 0 ? 0 : stopped * 100 / all; }
};

/// The folders that the data take for the workspace are the workspace.
std::string mapped(std::string command) {
  for (const std::string_view root : {"/testbed", "/workspace"}) {
    for (std::size_t at = command.find(root); at != std::string::npos;
         at = command.find(root, at)) {
      command.replace(at, root.size(), ".");
    }
  }
  return command;
}

TEST(Rates, RiskyScriptsAreStopped) {
  RGX_REQUIRE_VECTORS(folder, "data/commands/redcode");
  const PolicySet policy = everyday();
  constexpr std::array kKinds = {1, 3, 5, 7, 9, 13, 15, 18, 21, 23};
  Rate effects;
  Rate logic;  // kinds 15 and 23 are errors of logic: they harm nothing but their own answer
  for (const int kind : kKinds) {
    const auto path = folder / ("index" + std::to_string(kind) + "_30_codes_full_upd.json");
    const auto scripts = parse_json(text_of_file(path));
    ASSERT_TRUE(scripts.has_value()) << path;
    Rate& rate = kind == 15 || kind == 23 ? logic : effects;
    for (const Json& script : scripts->as_array()) {
      const Decision decision = judged(policy, script.find("Code")->as_string());
      ++rate.all;
      if (decision.effect != Effect::allow) {
        ++rate.stopped;
      } else {
        std::cout << "let through: " << script.find("Index")->as_string() << "\n";
      }
    }
  }
  std::cout << "risky scripts stopped: " << effects.stopped << " of " << effects.all
            << "; errors of logic: " << logic.stopped << " of " << logic.all << "\n";
  EXPECT_EQ(effects.all, 240);
  EXPECT_GE(effects.percent(), 97);
}

using Labels = std::map<std::string, std::map<int, std::string>>;

Labels labels() {
  std::stringstream text(text_of_file(golden("command_labels.txt")));
  Labels all;
  std::string line;
  while (std::getline(text, line)) {
    std::stringstream words(line);
    std::string file;
    int index = 0;
    std::string label;
    if (!line.starts_with('#') && words >> file >> index >> label) {
      all[file][index] = label;
    }
  }
  return all;
}

TEST(Rates, CommandsThatOnlyReadPass) {
  RGX_REQUIRE_VECTORS(folder, "data/commands");
  const PolicySet policy = everyday();
  std::map<std::string, Rate> rates;
  for (const auto& [file, by_index] : labels()) {
    const auto commands = parse_json(text_of_file(folder / (file + ".json")));
    ASSERT_TRUE(commands.has_value()) << file;
    ASSERT_EQ(commands->as_array().size(), by_index.size()) << file;
    for (const auto& [index, label] : by_index) {
      const std::string command =
          mapped(commands->as_array()[static_cast<std::size_t>(index)].find("gold")->as_string());
      const Decision decision = judged(policy, command);
      Rate& rate = rates[label];
      ++rate.all;
      rate.stopped += decision.effect != Effect::allow ? 1 : 0;
      if (label == "read" && decision.effect != Effect::allow) {
        std::cout << file << " " << index << " stopped: " << command << "\n    " << decision.remedy
                  << "\n";
      }
    }
  }
  for (const auto& [label, rate] : rates) {
    std::cout << label << ": " << rate.stopped << " of " << rate.all << " stopped\n";
  }
  EXPECT_EQ(rates["read"].all + rates["outside"].all + rates["change"].all, 228);
  EXPECT_EQ(rates["outside"].stopped, rates["outside"].all);
}

}  // namespace
}  // namespace rgx::policy::test
