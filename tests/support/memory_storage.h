#pragma once

#include "audit/storage.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::test {

/// A log in memory that records what it was asked, knows what was synced, and can be damaged.
/// A storage given to a writer is gone with the writer, so the bytes live in a Disk that outlasts
/// it: `disk->open()` as often as needed.
class MemoryDisk {
 public:
  /// One call as it arrived, in order.
  struct Call {
    enum class Kind : std::uint8_t { size, read, append, sync };
    Kind kind = Kind::size;
    std::size_t bytes = 0;  ///< asked for or given

    bool operator==(const Call&) const = default;
  };

  MemoryDisk() = default;
  explicit MemoryDisk(std::string bytes) : bytes_(std::move(bytes)), synced_(bytes_.size()) {}

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::size_t synced() const { return synced_; }  ///< bytes that survive a crash
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  [[nodiscard]] std::size_t count(Call::Kind kind) const;
  /// Largest number of bytes that one read asked for.
  [[nodiscard]] std::size_t read_bytes_max() const;

  // ---- verbs of damage; positions outside are a mistake of the test ----
  void flip_bit(std::size_t offset, unsigned bit);
  void set_byte(std::size_t offset, char byte);
  void cut(std::size_t size);           ///< keeps the first `size` bytes
  void append(std::string_view bytes);  ///< as somebody else would
  void drop_unsynced() { cut(synced_); }
  void drop_line(std::size_t line);  ///< lines count from 0
  void swap_lines(std::size_t a, std::size_t b);
  void repeat_line(std::size_t line);
  void insert_line(std::size_t before, std::string_view line);
  [[nodiscard]] std::vector<std::string> lines() const;  ///< each with its line feed

 private:
  friend class MemoryStorage;
  void set_lines(const std::vector<std::string>& lines);

  std::string bytes_;
  std::size_t synced_ = 0;
  std::vector<Call> calls_;
};

class MemoryStorage final : public audit::Storage {
 public:
  explicit MemoryStorage(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  Result<std::uint64_t> size() override;
  Result<std::string> read(std::uint64_t offset, std::size_t size) override;
  Status append(std::string_view bytes) override;
  Status sync() override;

 private:
  std::shared_ptr<MemoryDisk> disk_;
};

}  // namespace rgx::test
