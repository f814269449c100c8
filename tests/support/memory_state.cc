#include "tests/support/memory_state.h"

namespace rgx::test {

namespace {

/// Tells the log about what must be ordered against other ports.
class LoggedStorage final : public audit::Storage {
 public:
  LoggedStorage(std::unique_ptr<audit::Storage> storage, std::string name, CallLog& log)
      : storage_(std::move(storage)),
        name_(std::move(name)),
        log_(log) {}

  Result<std::uint64_t> size() override { return storage_->size(); }
  Result<std::string> read(std::uint64_t offset, std::size_t size) override {
    return storage_->read(offset, size);
  }
  Status append(std::string_view bytes) override {
    log_.add(name_ + ".append");
    return storage_->append(bytes);
  }
  Status sync() override {
    log_.add(name_ + ".sync");
    return storage_->sync();
  }

 private:
  std::unique_ptr<audit::Storage> storage_;
  std::string name_;
  CallLog& log_;
};

tl::unexpected<Error> missing(std::string_view what) {
  return fail(ErrorKind::usage, "storage.missing", "there is no " + std::string(what));
}

}  // namespace

Result<Digest> MemoryStateStore::Objects::put(std::string_view bytes) {
  const Digest digest = digest_bytes(bytes);
  log_.add("objects.put " + digest.hex());
  stored.emplace(digest, bytes);
  return digest;
}

Result<std::string> MemoryStateStore::Objects::get(const Digest& digest) {
  const auto found = stored.find(digest);
  if (found == stored.end()) {
    return fail(ErrorKind::evidence, "object.missing", "no such object");
  }
  return found->second;
}

std::unique_ptr<audit::Storage> MemoryStateStore::open(const std::string& name,
                                                       std::shared_ptr<MemoryDisk> disk) {
  std::unique_ptr<audit::Storage> storage =
      std::make_unique<LoggedStorage>(std::make_unique<MemoryStorage>(std::move(disk)), name, log_);
  return wrap ? wrap(std::move(storage)) : std::move(storage);
}

Result<std::unique_ptr<audit::Storage>> MemoryStateStore::open_index(audit::OpenMode mode) {
  if (mode == audit::OpenMode::create) {
    index = std::make_shared<MemoryDisk>();
  }
  return index ? Result<std::unique_ptr<audit::Storage>>(open("index", index)) : missing("index");
}

Result<std::unique_ptr<audit::Storage>> MemoryStateStore::create_run(const RunId& run) {
  log_.add("state.create_run");
  ledgers[run] = std::make_shared<MemoryDisk>();
  return open("ledger", ledgers[run]);
}

Result<std::unique_ptr<audit::Storage>> MemoryStateStore::open_run(const RunId& run,
                                                                   audit::OpenMode /*mode*/) {
  const auto found = ledgers.find(run);
  return found == ledgers.end()
             ? missing("run")
             : Result<std::unique_ptr<audit::Storage>>(open("ledger", found->second));
}

Status MemoryStateStore::write_run_file(const RunId& run, std::string_view name,
                                        std::string_view bytes) {
  log_.add("state.write_run_file " + std::string(name));
  files[{run, std::string(name)}] = bytes;
  return {};
}

Result<std::string> MemoryStateStore::read_run_file(const RunId& run, std::string_view name) {
  const auto found = files.find({run, std::string(name)});
  return found == files.end() ? missing("file") : Result<std::string>(found->second);
}

Result<std::vector<std::string>> MemoryStateStore::run_files(const RunId& run,
                                                             std::string_view head) {
  std::vector<std::string> names;
  for (const auto& [key, bytes] : files) {
    if (key.first == run && key.second.starts_with(head)) {
      names.push_back(key.second);
    }
  }
  return names;
}

Result<std::vector<RunId>> MemoryStateStore::runs() {
  std::vector<RunId> all;
  for (const auto& [run, disk] : ledgers) {
    all.push_back(run);
  }
  return all;
}

Result<engine::TornTail> MemoryStateStore::set_aside_torn_index() {
  ++torn_set_aside;
  const std::string bytes = index->bytes();
  const auto feed = bytes.rfind('\n');
  const std::size_t whole = feed == std::string::npos ? 0 : feed + 1;
  engine::TornTail tail{whole, bytes.size() - whole, digest_bytes(bytes.substr(whole))};
  index->cut(whole);
  return tail;
}

Result<std::string> MemoryStateStore::make_scratch(const RunId& run, std::size_t step) {
  log_.add("state.make_scratch");
  ++scratch_open;
  return "/scratch/" + run.text() + "-" + std::to_string(step);
}

Status MemoryStateStore::remove_scratch(const std::string& /*path*/) {
  log_.add("state.remove_scratch");
  --scratch_open;
  return {};
}

Status MemoryStateStore::remove_leftover_scratch() {
  log_.add("state.remove_leftover_scratch");
  return {};
}

}  // namespace rgx::test
