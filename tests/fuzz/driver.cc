// Runs a fuzz target over its corpus and over seeded mutations of it, where libFuzzer is not at
// hand:
//
//     fuzz_yaml [--seed N] [--start N] [--runs N] [--print] FOLDER|FILE...
//
// Run number n of a seed is the same bytes on every machine. The runs happen in a child process;
// when that ends badly, the command that repeats the run is printed. --print shows the input.
// RGX_FUZZ_LONG=1 in the environment makes a hundred times as many runs.
#include "base/prng.h"
#include "base/text.h"

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::fuzz {
namespace {

constexpr std::size_t kInputBytesMax = 16384;
constexpr std::uint64_t kLongFactor = 100;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t start = 0;
  std::uint64_t runs = 1000;
  bool print = false;
  std::vector<std::filesystem::path> corpus;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void add(const std::filesystem::path& path, Options& options) {
  if (!std::filesystem::is_directory(path)) {
    options.corpus.push_back(path);
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    options.corpus.push_back(entry.path());
  }
}

Options parse_options(std::span<char*> arguments) {
  Options options;
  for (std::size_t index = 1; index < arguments.size(); ++index) {
    const std::string_view name = arguments[index];
    std::uint64_t* number = name == "--seed"    ? &options.seed
                            : name == "--start" ? &options.start
                            : name == "--runs"  ? &options.runs
                                                : nullptr;
    if (name == "--print") {
      options.print = true;
    } else if (number == nullptr) {
      add(std::filesystem::path(name), options);
    } else if (index + 1 < arguments.size()) {
      const std::string_view text = arguments[++index];
      std::from_chars(text.data(), text.data() + text.size(), *number);
    }
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread has been started
  if (const char* wanted = std::getenv("RGX_FUZZ_LONG");
      wanted != nullptr && std::string_view(wanted) == "1" && options.runs > 1) {
    options.runs *= kLongFactor;
  }
  std::sort(options.corpus.begin(), options.corpus.end());
  return options;
}

std::string input_of(const std::vector<std::string>& seeds, const Options& options,
                     std::uint64_t run) {
  // Run 0 and on: first each file of the corpus as it is, then variants.
  if (run < seeds.size()) {
    return seeds[run];
  }
  Prng prng(options.seed * 0x9E3779B97F4A7C15U + run);
  return mutate(seeds, prng, kInputBytesMax);
}

void run_all(const std::vector<std::string>& seeds, const Options& options,
             std::atomic<std::uint64_t>& current) {
  for (std::uint64_t run = options.start; run < options.start + options.runs; ++run) {
    current.store(run);
    const std::string input = input_of(seeds, options, run);
    if (options.print) {
      std::printf("run %llu: %s\n", static_cast<unsigned long long>(run), printable(input).c_str());
      std::fflush(stdout);
    }
    // A copy of exactly this size, so that a sanitizer sees every read beyond it.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    static_cast<void>(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()));
  }
}

int run(std::span<char*> arguments) {
  const Options options = parse_options(arguments);
  std::vector<std::string> seeds;
  seeds.reserve(options.corpus.size());
  for (const auto& path : options.corpus) {
    seeds.push_back(read(path));
  }
  if (seeds.empty()) {
    std::fputs("no corpus given\n", stderr);
    return 2;
  }
  void* page = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    std::perror("mmap");
    return 2;
  }
  auto* current = new (page) std::atomic<std::uint64_t>(0);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    return 2;
  }
  if (child == 0) {
    run_all(seeds, options, *current);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) {
    std::perror("waitpid");
    return 2;
  }
  const bool passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf(
      "%llu runs, seed %llu, %zu seeds: %s\n", static_cast<unsigned long long>(options.runs),
      static_cast<unsigned long long>(options.seed), seeds.size(), passed ? "passed" : "FAILED");
  if (!passed) {
    std::printf("repeat: %s --seed %llu --start %llu --runs 1 --print", arguments[0],
                static_cast<unsigned long long>(options.seed),
                static_cast<unsigned long long>(current->load()));
    for (const auto& path : options.corpus) {
      std::printf(" %s", path.c_str());
    }
    std::printf("\n");
  }
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace rgx::fuzz

int main(int argc, char** argv) {
  return rgx::fuzz::run(std::span(argv, static_cast<std::size_t>(argc)));
}
