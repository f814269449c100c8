#include "tests/support/memory_storage.h"

#include "base/check.h"

#include <algorithm>

namespace rgx::test {

using Kind = MemoryDisk::Call::Kind;

std::size_t MemoryDisk::count(Call::Kind kind) const {
  return static_cast<std::size_t>(std::count_if(
      calls_.begin(), calls_.end(), [kind](const Call& call) { return call.kind == kind; }));
}

std::size_t MemoryDisk::read_bytes_max() const {
  std::size_t largest = 0;
  for (const Call& call : calls_) {
    if (call.kind == Kind::read) {
      largest = std::max(largest, call.bytes);
    }
  }
  return largest;
}

void MemoryDisk::flip_bit(std::size_t offset, unsigned bit) {
  RGX_CHECK(offset < bytes_.size());
  RGX_CHECK(bit < 8);
  bytes_[offset] = static_cast<char>(static_cast<unsigned char>(bytes_[offset]) ^ (1U << bit));
}

void MemoryDisk::set_byte(std::size_t offset, char byte) {
  RGX_CHECK(offset < bytes_.size());
  bytes_[offset] = byte;
}

void MemoryDisk::cut(std::size_t size) {
  RGX_CHECK(size <= bytes_.size());
  bytes_.resize(size);
  synced_ = std::min(synced_, size);
}

void MemoryDisk::append(std::string_view bytes) {
  bytes_ += bytes;
}

std::vector<std::string> MemoryDisk::lines() const {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < bytes_.size();) {
    const std::size_t feed = bytes_.find('\n', begin);
    const std::size_t end = feed == std::string::npos ? bytes_.size() : feed + 1;
    lines.push_back(bytes_.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

void MemoryDisk::set_lines(const std::vector<std::string>& lines) {
  bytes_.clear();
  for (const std::string& line : lines) {
    bytes_ += line;
  }
  synced_ = std::min(synced_, bytes_.size());
}

void MemoryDisk::drop_line(std::size_t line) {
  std::vector<std::string> all = lines();
  RGX_CHECK(line < all.size());
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(line));
  set_lines(all);
}

void MemoryDisk::swap_lines(std::size_t a, std::size_t b) {
  std::vector<std::string> all = lines();
  RGX_CHECK(a < all.size());
  RGX_CHECK(b < all.size());
  std::swap(all[a], all[b]);
  set_lines(all);
}

void MemoryDisk::repeat_line(std::size_t line) {
  const std::vector<std::string> all = lines();
  RGX_CHECK(line < all.size());
  insert_line(line, all[line]);
}

void MemoryDisk::insert_line(std::size_t before, std::string_view line) {
  std::vector<std::string> all = lines();
  RGX_CHECK(before <= all.size());
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(before), std::string(line));
  set_lines(all);
}

Result<std::uint64_t> MemoryStorage::size() {
  disk_->calls_.push_back({Kind::size, 0});
  return disk_->bytes_.size();
}

Result<std::string> MemoryStorage::read(std::uint64_t offset, std::size_t size) {
  disk_->calls_.push_back({Kind::read, size});
  if (offset >= disk_->bytes_.size()) {
    return std::string();
  }
  return disk_->bytes_.substr(static_cast<std::size_t>(offset), size);
}

Status MemoryStorage::append(std::string_view bytes) {
  disk_->calls_.push_back({Kind::append, bytes.size()});
  disk_->bytes_ += bytes;
  return {};
}

Status MemoryStorage::sync() {
  disk_->calls_.push_back({Kind::sync, 0});
  disk_->synced_ = disk_->bytes_.size();
  return {};
}

}  // namespace rgx::test
