#pragma once

#include <functional>
#include <string>

#include "engine/object_store.h"
#include "engine/posix_io.h"

// Objects as files `ab/cdef...` below an owner-only directory. Private to the package.

namespace rgx::engine {

class PosixObjectStore final : public ObjectStore {
 public:
  /// `open_root` opens the directory; with `true` it makes it first. Called at each use, so that
  /// nothing is made before something is stored.
  using OpenRoot = std::function<Result<FileDescriptor>(bool make)>;
  explicit PosixObjectStore(OpenRoot open_root) : open_root_(std::move(open_root)) {}

  Result<Digest> put(std::string_view bytes) override;
  Result<std::string> get(const Digest& digest) override;
  Result<bool> has(const Digest& digest) override;

 private:
  OpenRoot open_root_;
};

}  // namespace rgx::engine
