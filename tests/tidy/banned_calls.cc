#include "tests/tidy/banned_calls.h"

#include "tests/tidy/code_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rgx::tidy {
namespace {

enum class Match : std::uint8_t {
  name,  // the name, wherever it stands
  call,  // the name in front of `(`, not a member, not a name of another namespace
};

struct Ban {
  std::string_view name;
  Match match;
  std::string_view instead;
  // Packages that may not use it; empty is all of them.
  std::vector<std::string_view> packages;
  // Path prefixes that may: packages, folders or files.
  std::vector<std::string_view> except;
};

constexpr std::string_view kClock = "the Clock port (base/clock.h)";
constexpr std::string_view kEntropy = "the Entropy port (base/entropy.h) or a seeded base/prng.h";
constexpr std::string_view kProcess = "engine's ProcessRunner port";
constexpr std::string_view kPrint = "a return value; only cli talks to people";
constexpr std::string_view kStop = "a Result, or RGX_CHECK for a programmer error";
constexpr std::string_view kFromChars = "std::from_chars, which knows no locale and reports errors";
constexpr std::string_view kPure = "nothing: this package works on memory only";
constexpr std::string_view kInteger = "integers with a unit; no float may reach a digest";

const std::vector<std::string_view>& pure_packages() {
  static const std::vector<std::string_view> packages = {"base", "yaml", "templates", "policy",
                                                         "planner"};
  return packages;
}

void append(std::vector<Ban>& bans, const std::vector<std::string_view>& names, Match match,
            std::string_view instead, const std::vector<std::string_view>& packages,
            const std::vector<std::string_view>& except) {
  for (const std::string_view name : names) {
    bans.push_back({name, match, instead, packages, except});
  }
}

std::vector<Ban> make_bans() {
  using enum Match;
  std::vector<Ban> bans;
  append(bans,
         {"std::random_device", "std::mt19937", "std::mt19937_64", "std::minstd_rand",
          "std::default_random_engine", "std::uniform_int_distribution", "std::shuffle",
          "std::sample"},
         name, kEntropy, {}, {});
  append(bans, {"rand", "srand", "random", "srandom", "drand48", "rand_r"}, call, kEntropy, {}, {});
  append(bans, {"getrandom", "getentropy", "RAND_bytes", "RAND_priv_bytes"}, call, kEntropy, {},
         {"engine/entropy_posix.cc", "engine/posix_io.cc"});
  append(bans, {"system_clock", "steady_clock", "high_resolution_clock"}, name, kClock, {},
         {"engine/clock_posix.cc"});
  append(bans, {"time", "clock_gettime", "gettimeofday", "localtime", "localtime_r", "gmtime"},
         call, kClock, {}, {"engine/clock_posix.cc", "engine/process_"});
  append(bans, {"system", "popen"}, call, kProcess, {}, {});
  append(bans, {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv"}, call,
         "an argument; only cli reads the environment", {}, {"cli/"});
  append(bans, {"std::regex", "std::basic_regex", "std::smatch", "std::cmatch"}, name,
         "RE2, whose time is linear in its input", {}, {});
  append(bans, {"YAML::Load", "YAML::LoadFile", "YAML::LoadAll", "YAML::Node"}, name,
         "base/yaml/reader.h, which sees duplicate keys, anchors and tags", {}, {});
  append(bans, {"exit", "quick_exit", "abort", "terminate"}, call, kStop, {},
         {"base/check.cc", "cli/main.cc"});
  append(bans, {"_exit", "_Exit"}, call, kStop, {}, {"base/check.cc", "cli/main.cc", "engine/"});
  append(bans, {"assert"}, call, "RGX_CHECK, which is on in every build", {}, {});
  append(bans, {"std::cout", "std::cerr", "std::clog"}, name, kPrint, {}, {"cli/"});
  append(bans, {"printf", "puts", "putchar", "vprintf", "perror"}, call, kPrint, {}, {"cli/"});
  append(bans, {"fprintf", "fputs", "vfprintf"}, call, kPrint, {}, {"cli/", "base/check.cc"});
  append(bans, {"sprintf", "strcpy", "strcat", "strtok", "gets", "alloca"}, call,
         "std::string or fmt, which know their bounds", {}, {});
  append(bans,
         {"atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod",
          "stoi", "stol", "stoll", "stoul", "stoull", "stod", "stof", "sscanf"},
         call, kFromChars, {}, {});
  append(bans, {"setlocale"}, call, "nothing: output may not depend on a locale", {}, {});
  append(bans, {"std::locale"}, name, "nothing: output may not depend on a locale", {}, {});
  append(bans, {"float", "double"}, name, kInteger, {}, {});
  append(bans, {"throw"}, name, "a Result; exceptions stay inside an adapter that must throw", {},
         {"base/yaml/"});
  append(bans,
         {"ifstream", "ofstream", "fstream", "std::filesystem", "std::thread", "std::jthread",
          "std::async", "std::mutex", "std::atomic", "std::condition_variable", "std::chrono"},
         name, kPure, pure_packages(), {});
  // Common words only with `::` in front: without <unistd.h> they are a package's own functions.
  append(bans,
         {"::open", "::read", "::write", "::close", "::unlink", "::mkdir", "::stat", "::connect",
          "::rename", "::link"},
         name, kPure, pure_packages(), {"base/check.cc"});
  append(bans,
         {"fopen",  "openat", "openat2", "creat",  "pread",     "pwrite",      "opendir", "lstat",
          "fstat",  "socket", "fork",    "vfork",  "execve",    "posix_spawn", "mmap",    "getpid",
          "gettid", "getuid", "syscall", "usleep", "nanosleep", "dlopen"},
         call, kPure, pure_packages(), {});
  append(bans, {"sleep", "usleep", "nanosleep", "std::this_thread::sleep_for"}, call,
         "waiting for an event with a deadline", {"audit", "engine", "cli"}, {});
  return bans;
}

const std::vector<Ban>& bans() {
  static const std::vector<Ban> table = make_bans();
  return table;
}

bool applies(const Ban& ban, std::string_view path) {
  const std::string_view package = package_of(path);
  const bool in_scope = ban.packages.empty() || std::find(ban.packages.begin(), ban.packages.end(),
                                                          package) != ban.packages.end();
  return in_scope &&
         std::none_of(ban.except.begin(), ban.except.end(),
                      [path](std::string_view prefix) { return path.starts_with(prefix); });
}

// The word that ends right before `offset`.
std::string_view word_before(std::string_view code, std::size_t offset) {
  std::size_t begin = offset;
  while (begin > 0 && is_word(code[begin - 1])) {
    --begin;
  }
  return code.substr(begin, offset - begin);
}

// Whether a name at `offset` in front of a `(` is a call of the global or std function: not a
// member, not another namespace's, and not a declaration (`Status open(`, `void Log::write(`).
bool is_free_call(std::string_view code, std::size_t offset) {
  const std::size_t last = last_before(code, offset);
  if (last == std::string_view::npos) {
    return true;
  }
  const std::string_view before = code.substr(0, last + 1);
  if (before.ends_with('.') || before.ends_with("->")) {
    return false;
  }
  if (before.ends_with("::")) {
    const std::size_t end = last - 1;
    return end == 0 || !is_word(code[end - 1]) || word_before(code, end) == "std";
  }
  if (before.ends_with('&') || before.ends_with('>')) {
    // `const T& open(` and `Result<T> open(` declare; `a && open(` and `a > open(` call.
    return before.ends_with("&&") || before.ends_with(" >");
  }
  if (!is_word(before.back())) {
    return true;
  }
  const std::string_view word = word_before(code, last + 1);
  return word == "return" || word == "else" || word == "do" || word == "throw";
}

bool matches(const Ban& ban, std::string_view code, std::size_t offset) {
  const std::size_t end = offset + ban.name.size();
  const bool is_whole =
      (offset == 0 || !is_word(code[offset - 1])) && (end == code.size() || !is_word(code[end]));
  if (!is_whole) {
    return false;
  }
  if (ban.match == Match::name) {
    return true;
  }
  const std::size_t next = first_from(code, end);
  return next != std::string_view::npos && code[next] == '(' && is_free_call(code, offset);
}

}  // namespace

Findings check_banned_calls(std::string_view path, std::string_view source) {
  Findings findings;
  if (!is_cxx(path) || package_of(path).empty()) {
    return findings;
  }
  const std::string code = view_code(source).code;
  for (const Ban& ban : bans()) {
    if (!applies(ban, path)) {
      continue;
    }
    for (std::size_t at = code.find(ban.name); at != std::string::npos;
         at = code.find(ban.name, at + 1)) {
      if (matches(ban, code, at)) {
        findings.push_back({std::string(path), line_of(code, at),
                            "`" + std::string(ban.name) + "` is not used in " +
                                std::string(package_of(path)) + "; use " +
                                std::string(ban.instead)});
      }
    }
  }
  return findings;
}

}  // namespace rgx::tidy
