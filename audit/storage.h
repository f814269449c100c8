#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// The port to one append-only log. An error of append or sync is final: the caller stops, nobody
// retries (a failed fsync may have dropped the pages it did not write).

namespace rgx::audit {

class Storage {
 public:
  virtual ~Storage() = default;
  [[nodiscard]] virtual Result<std::uint64_t> size() = 0;
  /// Up to `size` bytes from `offset`; fewer only at the end.
  [[nodiscard]] virtual Result<std::string> read(std::uint64_t offset, std::size_t size) = 0;
  [[nodiscard]] virtual Status append(std::string_view bytes) = 0;
  /// Everything appended so far is on the medium when this returns.
  [[nodiscard]] virtual Status sync() = 0;
};

}  // namespace rgx::audit
