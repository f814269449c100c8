#include "tests/support/faulty_engine.h"

namespace rgx::test {

namespace {

tl::unexpected<Error> injected(std::string_view code) {
  return fail(ErrorKind::environment, code, "input/output error (injected)");
}

}  // namespace

bool fault_hits(FaultPlan& plan) {
  const std::uint64_t call = ++plan.calls;
  const bool hit =
      plan.fail_call != 0 &&
      (plan.length == FaultPlan::Length::once ? call == plan.fail_call : call >= plan.fail_call);
  plan.failures += hit ? 1U : 0U;
  return hit;
}

Result<std::optional<engine::FileState>> FaultyWorkspace::state(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.state(path);
}

Result<std::string> FaultyWorkspace::read(std::string_view path, std::size_t bytes_max) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.read(path, bytes_max);
}

Status FaultyWorkspace::write(std::string_view path, std::string_view bytes,
                              const std::optional<Digest>& expected) {
  if (fault_hits(*plan_)) {
    if (writes_before_failing) {
      static_cast<void>(inner_.write(path, bytes, expected));
    }
    return injected("workspace.io");
  }
  return inner_.write(path, bytes, expected);
}

Result<std::string> FaultyWorkspace::resolve(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.resolve(path);
}

Result<engine::EntryKind> FaultyWorkspace::kind(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.kind(path);
}

Result<std::vector<engine::Entry>> FaultyWorkspace::list(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.list(path);
}

Status FaultyWorkspace::make_directory(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.make_directory(path);
}

Status FaultyWorkspace::remove_file(std::string_view path, const Digest& expected) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.remove_file(path, expected);
}

Status FaultyWorkspace::move_file(std::string_view path, std::string_view to,
                                  const Digest& expected) {
  if (fault_hits(*plan_)) {
    if (writes_before_failing) {
      static_cast<void>(inner_.move_file(path, to, expected));
    }
    return injected("workspace.io");
  }
  return inner_.move_file(path, to, expected);
}

Status FaultyWorkspace::remove_directory(std::string_view path) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.remove_directory(path);
}

Status FaultyWorkspace::set_mode(std::string_view path, std::uint32_t mode) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.set_mode(path, mode);
}

Result<std::unique_ptr<engine::Workspace>> FaultyWorkspace::copy(
    const engine::CopyRequest& request) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.copy(request);
}

Result<std::size_t> FaultyWorkspace::remove_leftovers(std::string_view directory) {
  if (fault_hits(*plan_)) {
    return injected("workspace.io");
  }
  return inner_.remove_leftovers(directory);
}

Result<engine::ProcessOutcome> FaultyProcessRunner::run(const engine::ProcessSpec& spec,
                                                        const engine::CancelFlag& cancel) {
  if (fault_hits(*plan_)) {
    return injected("process.not_started");
  }
  return inner_.run(spec, cancel);
}

Result<Digest> FaultyObjectStore::put(std::string_view bytes) {
  if (fault_hits(*plan_)) {
    return injected("object.io");
  }
  return inner_.put(bytes);
}

Result<std::string> FaultyObjectStore::get(const Digest& digest) {
  if (fault_hits(*plan_)) {
    return injected("object.io");
  }
  return inner_.get(digest);
}

Result<bool> FaultyObjectStore::has(const Digest& digest) {
  if (fault_hits(*plan_)) {
    return injected("object.io");
  }
  return inner_.has(digest);
}

Result<std::unique_ptr<audit::Storage>> FaultyStateStore::wrapped(
    Result<std::unique_ptr<audit::Storage>> storage) {
  if (!storage) {
    return storage;
  }
  return std::unique_ptr<audit::Storage>(
      std::make_unique<FaultyStorage>(std::move(*storage), plan_));
}

Result<bool> FaultyStateStore::has_index() {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.has_index();
}

Result<std::unique_ptr<audit::Storage>> FaultyStateStore::open_index(audit::OpenMode mode) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return wrapped(inner_.open_index(mode));
}

Result<std::unique_ptr<audit::Storage>> FaultyStateStore::create_run(const RunId& run) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return wrapped(inner_.create_run(run));
}

Result<std::unique_ptr<audit::Storage>> FaultyStateStore::open_run(const RunId& run,
                                                                   audit::OpenMode mode) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return wrapped(inner_.open_run(run, mode));
}

Status FaultyStateStore::write_run_file(const RunId& run, std::string_view name,
                                        std::string_view bytes) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.write_run_file(run, name, bytes);
}

Result<std::string> FaultyStateStore::read_run_file(const RunId& run, std::string_view name) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.read_run_file(run, name);
}

Result<std::vector<std::string>> FaultyStateStore::run_files(const RunId& run,
                                                             std::string_view head) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.run_files(run, head);
}

Result<std::vector<RunId>> FaultyStateStore::runs() {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.runs();
}

Result<engine::TornTail> FaultyStateStore::set_aside_torn_index() {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.set_aside_torn_index();
}

Result<std::string> FaultyStateStore::make_scratch(const RunId& run, std::size_t step) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.make_scratch(run, step);
}

Status FaultyStateStore::remove_scratch(const std::string& path) {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.remove_scratch(path);
}

Status FaultyStateStore::remove_leftover_scratch() {
  if (fault_hits(*plan_)) {
    return injected("state.io");
  }
  return inner_.remove_leftover_scratch();
}

}  // namespace rgx::test
