#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

// Content-addressed store of pre-images and outputs: owner-only files named by SHA-256, outside
// the workspace. An object is durable when put() returns.

namespace rgx::engine {

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  [[nodiscard]] virtual Result<Digest> put(std::string_view bytes) = 0;
  /// object.missing; object.corrupt (evidence) when the bytes no longer match the digest.
  [[nodiscard]] virtual Result<std::string> get(const Digest& digest) = 0;
  [[nodiscard]] virtual Result<bool> has(const Digest& digest) = 0;
};

}  // namespace rgx::engine
