#pragma once

#include <memory>
#include <string>

#include "audit/storage.h"

// A log as a file: O_APPEND, fdatasync, one writer by flock.

namespace rgx::audit {

enum class OpenMode : std::uint8_t {
  create,  ///< must not exist; the directory entry is synced before this returns
  append,  ///< must exist; takes the writer's lock
  read,    ///< must exist; no lock
};

/// Errors: storage.exists, storage.missing, storage.locked (names the holder's process),
/// storage.io, storage.no_space, storage.not_a_file; all environment errors except missing (usage).
/// Writers check on every sync that the path still names the open file (storage.replaced) and
/// that nobody else wrote to it (storage.changed).
[[nodiscard]] Result<std::unique_ptr<Storage>> open_storage(const std::string& path, OpenMode mode);

}  // namespace rgx::audit
