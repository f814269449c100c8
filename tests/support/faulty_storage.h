#pragma once

#include "audit/storage.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rgx::test {

/// Which calls fail, counted over all methods from 1. Shared, so that the test can look at it
/// after the storage is gone.
struct FaultPlan {
  enum class Length : std::uint8_t { once, for_ever };

  std::uint64_t fail_call = 0;  ///< 0: none
  Length length = Length::once;
  /// A failing append leaves this part of its bytes behind, in percent: a short write.
  unsigned partial_percent = 0;

  std::uint64_t calls = 0;
  std::uint64_t failures = 0;
  bool was_retried = false;  ///< an append or sync came after a failed append or sync
};

/// Passes calls on to another storage until the plan says otherwise.
class FaultyStorage final : public audit::Storage {
 public:
  FaultyStorage(std::unique_ptr<audit::Storage> storage, std::shared_ptr<FaultPlan> plan)
      : storage_(std::move(storage)),
        plan_(std::move(plan)) {}

  Result<std::uint64_t> size() override;
  Result<std::string> read(std::uint64_t offset, std::size_t size) override;
  Status append(std::string_view bytes) override;
  Status sync() override;

 private:
  enum class Effect : std::uint8_t { reads, writes };
  bool fails(Effect effect);

  std::unique_ptr<audit::Storage> storage_;
  std::shared_ptr<FaultPlan> plan_;
  bool has_failed_write_ = false;
};

}  // namespace rgx::test
