#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "engine/workspace.h"
#include "tests/support/call_log.h"

namespace rgx::test {

/// Files in memory under the rules of the real workspace, as far as a test needs them: files,
/// folders and links. Records what it was asked.
class MemoryWorkspace final : public engine::Workspace {
 public:
  explicit MemoryWorkspace(CallLog& log) : log_(log) {}

  MemoryWorkspace& put(std::string_view path, std::string_view bytes);
  MemoryWorkspace& put_folder(std::string_view path);
  MemoryWorkspace& put_link(std::string_view path, std::string_view target);
  MemoryWorkspace& remove(std::string_view path);
  /// Bytes of a file; empty where there is none.
  [[nodiscard]] std::string bytes(std::string_view path) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& files() const {
    return files_;
  }
  [[nodiscard]] std::uint32_t mode(std::string_view path) const;
  /// Called at the start of every write, so that a test may interfere.
  std::function<void(std::string_view path)> before_write;

  Result<std::optional<engine::FileState>> state(std::string_view path) override;
  Result<std::string> read(std::string_view path, std::size_t bytes_max) override;
  Status write(std::string_view path, std::string_view bytes,
               const std::optional<Digest>& expected) override;
  Status remove_file(std::string_view path, const Digest& expected) override;
  Status move_file(std::string_view path, std::string_view to, const Digest& expected) override;
  Status remove_directory(std::string_view path) override;
  Status set_mode(std::string_view path, std::uint32_t mode) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<engine::EntryKind> kind(std::string_view path) override;
  Result<std::vector<engine::Entry>> list(std::string_view path) override;
  Status make_directory(std::string_view path) override;
  Result<std::size_t> remove_leftovers(std::string_view directory) override;
  /// Everything, whatever is asked for; the request is kept for the test to look at.
  Result<std::unique_ptr<engine::Workspace>> copy(const engine::CopyRequest& request) override;
  std::vector<engine::CopyRequest> copies;
  std::string root() const override { return root_; }

 private:
  CallLog& log_;
  std::string root_ = "/workspace";
  std::map<std::string, std::string, std::less<>> files_;
  std::map<std::string, std::uint32_t, std::less<>> modes_;  // 0644 where it says nothing
  std::map<std::string, std::string, std::less<>> links_;
  std::set<std::string, std::less<>> folders_;
};

}  // namespace rgx::test
