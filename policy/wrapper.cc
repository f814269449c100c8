#include "policy/wrapper.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rgx::policy {
namespace {

constexpr std::array<std::string_view, 34> kWrappers = {
    "bash",    "busybox", "chroot",  "chrt",    "dash",  "doas",   "env",    "fish",    "flock",
    "gdb",     "ionice",  "ksh",     "ltrace",  "mksh",  "nice",   "nohup",  "nsenter", "parallel",
    "script",  "setarch", "setsid",  "sh",      "ssh",   "stdbuf", "strace", "su",      "sudo",
    "taskset", "time",    "timeout", "unshare", "watch", "xargs",  "zsh"};
static_assert(std::ranges::is_sorted(kWrappers));

constexpr std::array<std::string_view, 5> kFindActions = {"-delete", "-exec", "-execdir", "-ok",
                                                          "-okdir"};

bool is_find_action(std::string_view word) {
  return std::ranges::binary_search(kFindActions, word) || word.starts_with("-fprint") ||
         word.starts_with("-fls");
}

}  // namespace

bool is_wrapper(const std::vector<std::string>& argv) {
  if (argv.empty()) {
    return false;
  }
  const std::string_view program = argv.front();
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name == "find") {
    return std::ranges::any_of(argv, is_find_action);
  }
  return std::ranges::binary_search(kWrappers, name);
}

}  // namespace rgx::policy
