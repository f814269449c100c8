#pragma once

#include <memory>

#include "engine/process.h"
#include "engine/state_store.h"
#include "engine/workspace.h"
#include "tests/support/faulty_storage.h"

// Ports of the engine that fail when a shared plan says so; everything else is passed on.

namespace rgx::test {

/// Counts one call; true when it is to fail.
[[nodiscard]] bool fault_hits(FaultPlan& plan);

class FaultyWorkspace final : public engine::Workspace {
 public:
  FaultyWorkspace(engine::Workspace& inner, std::shared_ptr<FaultPlan> plan)
      : inner_(inner),
        plan_(std::move(plan)) {}

  Result<std::optional<engine::FileState>> state(std::string_view path) override;
  Result<std::string> read(std::string_view path, std::size_t bytes_max) override;
  /// A failing write may have happened: the caller saw an error all the same.
  Status write(std::string_view path, std::string_view bytes,
               const std::optional<Digest>& expected) override;
  Result<std::string> resolve(std::string_view path) override;
  Result<engine::EntryKind> kind(std::string_view path) override;
  Result<std::vector<engine::Entry>> list(std::string_view path) override;
  Status make_directory(std::string_view path) override;
  Status remove_file(std::string_view path, const Digest& expected) override;
  Status move_file(std::string_view path, std::string_view to, const Digest& expected) override;
  Status remove_directory(std::string_view path) override;
  Status set_mode(std::string_view path, std::uint32_t mode) override;
  Result<std::size_t> remove_leftovers(std::string_view directory) override;
  Result<std::unique_ptr<engine::Workspace>> copy(const engine::CopyRequest& request) override;
  std::string root() const override { return inner_.root(); }

  bool writes_before_failing = false;

 private:
  engine::Workspace& inner_;
  std::shared_ptr<FaultPlan> plan_;
};

class FaultyProcessRunner final : public engine::ProcessRunner {
 public:
  FaultyProcessRunner(engine::ProcessRunner& inner, std::shared_ptr<FaultPlan> plan)
      : inner_(inner),
        plan_(std::move(plan)) {}
  Result<engine::ProcessOutcome> run(const engine::ProcessSpec& spec,
                                     const engine::CancelFlag& cancel) override;

 private:
  engine::ProcessRunner& inner_;
  std::shared_ptr<FaultPlan> plan_;
};

class FaultyObjectStore final : public engine::ObjectStore {
 public:
  FaultyObjectStore(engine::ObjectStore& inner, std::shared_ptr<FaultPlan> plan)
      : inner_(inner),
        plan_(std::move(plan)) {}
  Result<Digest> put(std::string_view bytes) override;
  Result<std::string> get(const Digest& digest) override;
  Result<bool> has(const Digest& digest) override;

 private:
  engine::ObjectStore& inner_;
  std::shared_ptr<FaultPlan> plan_;
};

/// Also puts FaultyStorage around every log that it opens.
class FaultyStateStore final : public engine::StateStore {
 public:
  FaultyStateStore(engine::StateStore& inner, std::shared_ptr<FaultPlan> plan)
      : inner_(inner),
        plan_(plan),
        objects_(inner.objects(), std::move(plan)) {}
  Result<bool> has_index() override;
  Result<std::unique_ptr<audit::Storage>> open_index(audit::OpenMode mode) override;
  Result<std::unique_ptr<audit::Storage>> create_run(const RunId& run) override;
  Result<std::unique_ptr<audit::Storage>> open_run(const RunId& run, audit::OpenMode mode) override;
  Status write_run_file(const RunId& run, std::string_view name, std::string_view bytes) override;
  Result<std::string> read_run_file(const RunId& run, std::string_view name) override;
  Result<std::vector<std::string>> run_files(const RunId& run, std::string_view head) override;
  Result<std::vector<RunId>> runs() override;
  engine::ObjectStore& objects() override { return objects_; }
  Result<engine::TornTail> set_aside_torn_index() override;
  Result<std::string> make_scratch(const RunId& run, std::size_t step) override;
  Status remove_scratch(const std::string& path) override;
  Status remove_leftover_scratch() override;

 private:
  Result<std::unique_ptr<audit::Storage>> wrapped(Result<std::unique_ptr<audit::Storage>> storage);

  engine::StateStore& inner_;
  std::shared_ptr<FaultPlan> plan_;
  FaultyObjectStore objects_;
};

}  // namespace rgx::test
