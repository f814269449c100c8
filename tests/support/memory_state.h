#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/state_store.h"
#include "tests/support/call_log.h"
#include "tests/support/memory_storage.h"

namespace rgx::test {

/// State in memory, with logs as MemoryDisks that a test can look at and damage.
class MemoryStateStore final : public engine::StateStore {
 public:
  explicit MemoryStateStore(CallLog& log) : log_(log), objects_(log) {}

  class Objects final : public engine::ObjectStore {
   public:
    explicit Objects(CallLog& log) : log_(log) {}
    Result<Digest> put(std::string_view bytes) override;
    Result<std::string> get(const Digest& digest) override;
    Result<bool> has(const Digest& digest) override { return stored.contains(digest); }
    std::map<Digest, std::string> stored;

   private:
    CallLog& log_;
  };

  /// Put around every storage that is opened, for faults.
  std::function<std::unique_ptr<audit::Storage>(std::unique_ptr<audit::Storage>)> wrap;
  std::shared_ptr<MemoryDisk> index;  ///< null until it is made
  std::map<RunId, std::shared_ptr<MemoryDisk>> ledgers;
  std::map<std::pair<RunId, std::string>, std::string> files;
  std::size_t scratch_open = 0;
  std::size_t torn_set_aside = 0;

  Result<bool> has_index() override { return index != nullptr; }
  Result<std::unique_ptr<audit::Storage>> open_index(audit::OpenMode mode) override;
  Result<std::unique_ptr<audit::Storage>> create_run(const RunId& run) override;
  Result<std::unique_ptr<audit::Storage>> open_run(const RunId& run, audit::OpenMode mode) override;
  Status write_run_file(const RunId& run, std::string_view name, std::string_view bytes) override;
  Result<std::string> read_run_file(const RunId& run, std::string_view name) override;
  Result<std::vector<std::string>> run_files(const RunId& run, std::string_view head) override;
  Result<std::vector<RunId>> runs() override;
  engine::ObjectStore& objects() override { return objects_; }
  Objects& memory_objects() { return objects_; }
  Result<engine::TornTail> set_aside_torn_index() override;
  Result<std::string> make_scratch(const RunId& run, std::size_t step) override;
  Status remove_scratch(const std::string& path) override;
  Status remove_leftover_scratch() override;

 private:
  std::unique_ptr<audit::Storage> open(const std::string& name, std::shared_ptr<MemoryDisk> disk);

  CallLog& log_;
  Objects objects_;
};

}  // namespace rgx::test
