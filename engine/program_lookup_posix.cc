#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/text.h"
#include "engine/posix_io.h"
#include "engine/program_lookup.h"

namespace rgx::engine {

namespace {

constexpr std::int64_t kProgramBytesMax = std::int64_t{1} << 31;

bool is_trusted_owner(uid_t owner) {
  return owner == 0 || owner == geteuid();
}

/// Nobody else may put another file in its place; a sticky folder (`/tmp`) does not let them.
bool is_trusted_folder(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !is_trusted_owner(status.st_uid)) {
    return false;
  }
  return (status.st_mode & S_IWOTH) == 0 || (status.st_mode & S_ISVTX) != 0;
}

/// Why the file that a candidate leads to cannot be trusted; empty when it can.
std::string distrust(const std::string& real, const std::string& workspace_root) {
  if (real == workspace_root || real.starts_with(workspace_root + "/")) {
    return "is inside the workspace, where steps can change it";
  }
  struct stat status = {};
  if (stat(real.c_str(), &status) != 0) {
    return system_message(errno);
  }
  if (!S_ISREG(status.st_mode) || (status.st_mode & 0111U) == 0) {
    return "is no executable file";
  }
  if (!is_trusted_owner(status.st_uid)) {
    return "belongs to another user";
  }
  if ((status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && status.st_gid != 0)) {
    return "can be written by others";
  }
  for (auto slash = real.rfind('/'); slash != std::string::npos && slash > 0;
       slash = real.rfind('/', slash - 1)) {
    if (!is_trusted_folder(real.substr(0, slash))) {
      return "lies in a folder that others can write";
    }
  }
  return {};
}

}  // namespace

std::optional<FoundProgram> find_program(const std::vector<std::string>& candidates,
                                         const std::string& workspace_root, std::string& why) {
  why = "none of its paths exists";
  for (const std::string& candidate : candidates) {
    const std::unique_ptr<char, void (*)(void*)> real(realpath(candidate.c_str(), nullptr), &free);
    if (!real) {
      continue;
    }
    why = distrust(real.get(), workspace_root);
    if (!why.empty()) {
      why.insert(0, "`" + printable(candidate) + "` ");
      return std::nullopt;
    }
    const FileDescriptor fd(open(real.get(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    const ReadDigest read =
        fd.open() ? digest_file(fd.get(), kProgramBytesMax) : ReadDigest{errno, {}, 0};
    if (read.error != 0) {
      why = "`" + printable(candidate) + "` cannot be read: " + system_message(read.error);
      return std::nullopt;
    }
    return FoundProgram{candidate, read.digest};
  }
  return std::nullopt;
}

}  // namespace rgx::engine
