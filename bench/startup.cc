// startup: what `rgx --version` takes over `/bin/true`, as whole processes. The two alternate, so
// that whatever else the machine does meets both alike.
#include "bench/figure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr int kRuns = 400;       // of each program
constexpr int kWarmUpRuns = 20;  // not counted: page cache, frequency of the processor
constexpr double kTargetMs = 5;

// Milliseconds from spawn to reaped; nothing when the program does not start or fails.
std::optional<double> run(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  int status = 0;
  const bool reaped = error == 0 && waitpid(child, &status, 0) == child;
  const auto end = std::chrono::steady_clock::now();
  posix_spawn_file_actions_destroy(&actions);
  if (!reaped || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return std::nullopt;
  }
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: startup RGX_PROGRAM\n", stderr);
    return 2;
  }
  const std::string program = argv[1];
  std::vector<double> baseline_ms;
  std::vector<double> program_ms;
  for (int i = -kWarmUpRuns; i < kRuns; ++i) {
    const auto baseline = run("/bin/true", {});
    const auto measured = run(program, {"--version"});
    if (!baseline || !measured) {
      std::fprintf(stderr, "startup: `%s --version` or /bin/true did not run to exit code 0\n",
                   program.c_str());
      return 1;
    }
    if (i >= 0) {
      baseline_ms.push_back(*baseline);
      program_ms.push_back(*measured);
    }
  }
  const double baseline = rgx::bench::median(baseline_ms);
  const rgx::bench::Figure figure = {
      .id = "startup",
      .metric = "added_to_true",
      .value = rgx::bench::median(program_ms) - baseline,
      .unit = "ms",
      .baseline = baseline,
      .target = kTargetMs,
  };
  std::puts(rgx::bench::to_json_line(figure).c_str());
  return 0;
}
