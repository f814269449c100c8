#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "engine/landlock_abi.h"
#include "engine/posix_io.h"
#include "engine/posix_world.h"

// Holds a child to what was granted, with Landlock at the highest ABI that the kernel has. What
// Landlock cannot hold (metadata, UDP, pathname sockets; TCP before ABI 4) is in docs/sandbox.md.

namespace rgx::engine {

namespace {

using namespace landlock;

constexpr std::uint64_t kReadAccess = kExecute | kReadFile | kReadDir;
constexpr std::uint64_t kFileAccess = kExecute | kReadFile | kWriteFile | kTruncate | kIoctlDev;
// No devices: a step never makes one.
constexpr std::uint64_t kWriteAccess = kWriteFile | kTruncate | kRemoveDir | kRemoveFile |
                                       kMakeDir | kMakeReg | kMakeSock | kMakeFifo | kMakeSym |
                                       kRefer;

/// 0 where the kernel has no Landlock.
int probe_abi() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateVersion);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

std::uint64_t handled_files(int abi) {
  std::uint64_t handled = kMakeSym * 2 - 1;  // ABI 1: every bit up to MAKE_SYM
  handled |= abi >= 2 ? kRefer : 0;
  handled |= abi >= 3 ? kTruncate : 0;
  handled |= abi >= 5 ? kIoctlDev : 0;
  return handled;
}

class NoSandbox final : public PreparedSandbox {
 public:
  int enter() noexcept override { return 0; }
  [[nodiscard]] SandboxStrength strength() const override { return SandboxStrength::none; }
};

class LandlockDomain final : public PreparedSandbox {
 public:
  explicit LandlockDomain(FileDescriptor ruleset) : ruleset_(std::move(ruleset)) {}

  int enter() noexcept override {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
      return errno;
    }
    return syscall(SYS_landlock_restrict_self, ruleset_.get(), 0) == 0 ? 0 : errno;
  }
  [[nodiscard]] SandboxStrength strength() const override { return SandboxStrength::landlock; }

 private:
  FileDescriptor ruleset_;
};

tl::unexpected<Error> refuse(const std::string& path, int error) {
  return fail(ErrorKind::environment, "process.sandbox",
              "the sandbox cannot be made for `" + printable(path) + "`: " + system_message(error),
              "check that the path exists and is reachable");
}

class LandlockSandbox final : public Sandbox {
 public:
  explicit LandlockSandbox(int abi) : abi_(abi) {}

  SandboxStrength strength() override {
    return abi_ > 0 ? SandboxStrength::landlock : SandboxStrength::none;
  }

  Result<std::unique_ptr<PreparedSandbox>> prepare(const SandboxSpec& spec) override {
    if (abi_ == 0) {
      return std::unique_ptr<PreparedSandbox>(std::make_unique<NoSandbox>());
    }
    RulesetAttributes attributes;
    attributes.handled_access_fs = handled_files(abi_);
    attributes.handled_access_net = abi_ >= 4 && !spec.network ? kBindTcp | kConnectTcp : 0;
    attributes.scoped = abi_ >= 6 ? kScopeAbstractUnix | kScopeSignal : 0;
    const std::size_t size = abi_ >= 6   ? sizeof(attributes)
                             : abi_ >= 4 ? 2 * sizeof(std::uint64_t)
                                         : sizeof(std::uint64_t);
    FileDescriptor ruleset(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
    if (!ruleset.open()) {
      return refuse("landlock", errno);
    }
    for (const std::string& path : spec.read_below) {
      RGX_TRY_STATUS(allow(ruleset, path, kReadAccess, Missing::skip));
    }
    for (const std::string& path : spec.data_below) {
      RGX_TRY_STATUS(allow(ruleset, path, kReadFile | kReadDir, Missing::skip));
    }
    for (const std::string& path : spec.write_below) {
      RGX_TRY_STATUS(allow(ruleset, path, kWriteAccess, Missing::refuse));
    }
    return std::unique_ptr<PreparedSandbox>(std::make_unique<LandlockDomain>(std::move(ruleset)));
  }

 private:
  enum class Missing : std::uint8_t { skip, refuse };

  [[nodiscard]] Status allow(const FileDescriptor& ruleset, const std::string& path,
                             std::uint64_t access, Missing missing) const {
    // A link that a step left behind must not turn a grant for writing into another one.
    const FileDescriptor fd((access & kWriteFile) != 0 ? open_without_links(path)
                                                       : open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!fd.open()) {
      // What does not exist cannot be read; what is to be written must be there to be granted.
      return errno == ENOENT && missing == Missing::skip ? Status() : refuse(path, errno);
    }
    struct stat status = {};
    if (fstat(fd.get(), &status) != 0) {
      return refuse(path, errno);
    }
    PathBeneathAttributes rule;
    rule.parent_fd = fd.get();
    rule.allowed_access = access & handled_files(abi_);
    if (!S_ISDIR(status.st_mode)) {
      rule.allowed_access &= kFileAccess;
    }
    // A device that may be written takes its own requests (`isatty` on `/dev/null`).
    if (S_ISCHR(status.st_mode) && (access & kWriteFile) != 0) {
      rule.allowed_access |= kIoctlDev & handled_files(abi_);
    }
    if (syscall(SYS_landlock_add_rule, ruleset.get(), kRulePathBeneath, &rule, 0) != 0) {
      return refuse(path, errno);
    }
    return {};
  }

  int abi_;
};

}  // namespace

std::string_view to_string(SandboxStrength strength) {
  switch (strength) {
    case SandboxStrength::none:
      return "none";
    case SandboxStrength::landlock:
      return "landlock";
  }
  return "none";
}

std::unique_ptr<Sandbox> real_sandbox() {
  return std::make_unique<LandlockSandbox>(probe_abi());
}

}  // namespace rgx::engine
