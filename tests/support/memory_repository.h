#pragma once

#include "base/repository_view.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::test {

/// A repository in memory. Records what it was asked; can refuse files.
class MemoryRepository final : public RepositoryView {
 public:
  /// Adds or replaces a tracked file.
  MemoryRepository& track(std::string_view path, std::string_view bytes);
  /// Adds a file of the work tree that git does not track.
  MemoryRepository& add_untracked(std::string_view path, std::string_view bytes);
  /// Lets every read of `path` fail with repository.unreadable.
  MemoryRepository& refuse_reads(std::string_view path);
  /// Lets files() list a size without holding so many bytes.
  MemoryRepository& claim_size(std::string_view path, std::int64_t size_bytes);
  /// Content at a revision, for read_at().
  MemoryRepository& commit(std::string_view revision, std::string_view path,
                           std::string_view bytes);

  [[nodiscard]] Result<std::string> head() override;
  /// The name of a revision is its commit id.
  [[nodiscard]] Result<std::string> commit_id(std::string_view revision) override;
  [[nodiscard]] Result<std::vector<RepositoryFile>> files(
      const std::vector<std::string>& paths) override;
  [[nodiscard]] Result<std::vector<std::string>> untracked(
      const std::vector<std::string>& paths) override;
  [[nodiscard]] Result<std::string> read(std::string_view path) override;
  [[nodiscard]] Result<std::optional<std::string>> read_at(std::string_view revision,
                                                           std::string_view path) override;

  /// Paths of all calls of read(), in order.
  [[nodiscard]] const std::vector<std::string>& reads() const { return reads_; }

 private:
  struct File {
    std::string bytes;
    bool tracked = true;
    std::optional<std::int64_t> claimed_size_bytes;
  };
  std::map<std::string, File, std::less<>> files_;
  std::set<std::string, std::less<>> refused_;
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> revisions_;
  std::vector<std::string> reads_;
};

}  // namespace rgx::test
