#include "cli/kernel_probe.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/text.h"
#include "cli/files.h"

namespace rgx::cli {
namespace {

constexpr unsigned kLandlockVersion = 1U;  // LANDLOCK_CREATE_RULESET_VERSION
constexpr int kTruncateAbi = 3;            // before it, a file that may be read can be cut
constexpr int kNetworkAbi = 4;             // before it, TCP is not held

HealthCheck kernel_check(std::string name, bool is_there, std::string note, std::string remedy) {
  return {.group = "kernel",
          .name = std::move(name),
          .health = is_there ? Health::ok : Health::fail,
          .note = std::move(note),
          .remedy = is_there ? std::string() : std::move(remedy)};
}

bool has_openat2() {
  const open_how how = {.flags = 0, .mode = 0, .resolve = RESOLVE_NO_SYMLINKS};
  const long fd = ::syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof(how));
  if (fd >= 0) {
    static_cast<void>(::close(static_cast<int>(fd)));
  }
  return fd >= 0;
}

bool has_pidfd() {
  const long fd = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  if (fd >= 0) {
    static_cast<void>(::close(static_cast<int>(fd)));
  }
  return fd >= 0;
}

bool has_seccomp() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// Nothing depends on them today but how strictly a sandbox could hold, so they only warn.
HealthCheck user_namespaces() {
  HealthCheck check{.group = "kernel", .name = "user namespaces", .note = "allowed", .remedy = {}};
  for (const std::string file :
       {"/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone"}) {
    const auto text = read_file({.path = file, .bytes_max = 64});
    if (text && text->starts_with("0")) {
      check.health = Health::warn;
      check.note = "switched off by " + file;
      check.remedy = "not needed today; `sysctl` switches them on";
    }
  }
  return check;
}

}  // namespace

HealthCheck landlock_check(int abi) {
  HealthCheck check{
      .group = "kernel", .name = "landlock", .note = "ABI " + std::to_string(abi), .remedy = {}};
  if (abi <= 0) {
    check.health = Health::warn;
    check.note = "not there: nothing holds programs to their paths";
    check.remedy = "boot a kernel from 5.13 on with `lsm=landlock`, or let the container use it";
  } else if (abi < kTruncateAbi) {
    check.health = Health::warn;
    check.note += ": neither truncation nor TCP are held";
    check.remedy = "a kernel from 6.7 on holds both";
  } else if (abi < kNetworkAbi) {
    check.health = Health::warn;
    check.note += ": files are held, TCP is not";
    check.remedy = "a kernel from 6.7 on holds it";
  } else {
    check.note += ": files and TCP are held";
  }
  return check;
}

HealthReport probe_kernel() {
  utsname names = {};
  const bool named = ::uname(&names) == 0;
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kLandlockVersion);
  HealthReport report;
  report.push_back(kernel_check("release", named, named ? printable(names.release) : "unknown",
                                "this is not Linux as rgx knows it"));
  report.push_back(landlock_check(abi < 0 ? 0 : static_cast<int>(abi)));
  report.push_back(kernel_check("openat2", has_openat2(),
                                has_openat2() ? "there" : "not there: no file is opened safely",
                                "boot a kernel from 5.6 on, or let the container call openat2"));
  report.push_back(kernel_check("pidfd", has_pidfd(),
                                has_pidfd() ? "there" : "not there: programs cannot be waited for",
                                "boot a kernel from 5.3 on, or let the container call pidfd_open"));
  report.push_back(kernel_check("seccomp", has_seccomp(), has_seccomp() ? "there" : "not there",
                                "boot a kernel with CONFIG_SECCOMP_FILTER"));
  report.push_back(user_namespaces());
  return report;
}

}  // namespace rgx::cli
