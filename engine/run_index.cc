#include "engine/run_index.h"

#include <algorithm>
#include <set>

#include "audit/ledger_format.h"
#include "audit/record.h"
#include "base/glob.h"
#include "base/text.h"
#include "templates/seal.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kHeadBytesMax = std::size_t{64} << 10;  // above the largest index_genesis
constexpr std::size_t kTailBytesMax = std::size_t{4} << 20;   // above two of the largest records

Result<std::unique_ptr<audit::Storage>> lock_index(StateStore& state, audit::OpenMode mode) {
  auto storage = state.open_index(mode);
  if (!storage && storage.error().first().code == "storage.locked") {
    return fail(ErrorKind::environment, "run.locked",
                "another run of this repository is under way: " + storage.error().first().message,
                "wait until it has ended");
  }
  return storage;
}

/// The run of the last `run_started` that no `run_finished` follows. Only names what may have to
/// be cleaned up, so it is read before anything is verified.
Result<std::optional<RunId>> find_unfinished(audit::Storage& storage) {
  RGX_TRY(const std::uint64_t size, storage.size());
  const std::uint64_t start = size > kTailBytesMax ? size - kTailBytesMax : 0;
  RGX_TRY(const std::string tail, storage.read(start, kTailBytesMax));
  const auto lines = split(tail, '\n');
  constexpr std::size_t kRecordAt = audit::kLineOverhead - audit::kLineTail.size();
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->size() <= audit::kLineOverhead) {
      continue;
    }
    const auto record = audit::parse_record(line->substr(kRecordAt, line->size() - kRecordAt - 1));
    if (!record || record->type == audit::RecordType::run_finished) {
      if (record) {
        return std::optional<RunId>();
      }
      continue;
    }
    if (record->type == audit::RecordType::run_started) {
      const Json* run = record->body.find("run");
      return run != nullptr && run->is_string() ? std::optional(RunId(run->as_string()))
                                                : std::nullopt;
    }
  }
  return std::optional<RunId>();
}

/// State that was moved here from another repository is no evidence of this one. A line that does
/// not parse is the verifier's to report.
Status check_is_of(const std::string& repository, audit::Storage& storage) {
  RGX_TRY(const std::string head, storage.read(0, kHeadBytesMax));
  const std::string_view line = std::string_view(head).substr(0, head.find('\n'));
  if (line.size() <= audit::kLineOverhead) {
    return {};
  }
  constexpr std::size_t kRecordAt = audit::kLineOverhead - audit::kLineTail.size();
  const auto record = audit::parse_record(line.substr(kRecordAt, line.size() - kRecordAt - 1));
  const Json* name = record ? record->body.find("repository") : nullptr;
  if (name == nullptr || *name == Json(printable(repository))) {
    return {};
  }
  return fail(ErrorKind::evidence, "run.index_elsewhere",
              "the index in this repository's state is that of `" +
                  (name->is_string() ? printable(name->as_string()) : std::string()) + "`",
              "move the state directory away as a whole; `rgx verify FILE` verifies its ledgers");
}

Result<audit::LedgerWriter> begin_index(std::unique_ptr<audit::Storage> storage, RunPorts& ports,
                                        const RunIdentity& identity) {
  RGX_TRY(const std::string log_id, audit::new_log_id(ports.entropy));
  return audit::LedgerWriter::create(
      std::move(storage), identity.root_key, log_id, audit::RecordType::index_genesis,
      Json::object({{"repository", printable(ports.workspace.root())},
                    {"rgx_version", identity.rgx_version}}),
      ports.clock, identity.environment);
}

/// A run is listed before anything of it is stored: what is stored and not listed means that the
/// end of the index was cut off, and a new run would hide that.
Status check_all_listed(StateStore& state, const std::set<RunId>& listed) {
  RGX_TRY(const std::vector<RunId> stored, state.runs());
  for (const RunId& run : stored) {
    if (!listed.contains(run)) {
      return fail(ErrorKind::evidence, "run.index_damaged",
                  "the index of this repository does not tell of the stored run " +
                      printable(run.text()) + ": its end was cut off",
                  "restore the state directory from a copy, or move it away as a whole");
    }
  }
  return {};
}

/// Begins an empty index (a crash between its creation and its first record), else continues.
Result<audit::LedgerWriter> continue_index(std::unique_ptr<audit::Storage> storage, RunPorts& ports,
                                           const RunIdentity& identity,
                                           std::set<RunId>& succeeded) {
  RGX_TRY(const std::uint64_t size, storage->size());
  std::set<RunId> listed;
  succeeded.clear();
  if (size == 0) {
    RGX_TRY_STATUS(check_all_listed(ports.state, listed));
    return begin_index(std::move(storage), ports, identity);
  }
  const auto list = [&](const audit::Record& record) {
    const Json* run = record.body.find("run");
    const Json* end = record.body.find("state");
    if (run == nullptr || !run->is_string()) {
      return;
    }
    if (record.type == audit::RecordType::run_started) {
      listed.insert(RunId(run->as_string()));
    } else if (record.type == audit::RecordType::run_finished && end != nullptr &&
               *end == Json(to_string(RunState::succeeded))) {
      succeeded.insert(RunId(run->as_string()));
    }
  };
  RGX_TRY(auto writer, audit::LedgerWriter::resume(std::move(storage), identity.root_key,
                                                   ports.clock, identity.environment, list));
  RGX_TRY_STATUS(check_all_listed(ports.state, listed));
  return writer;
}

Result<audit::LedgerWriter> recover_index(RunPorts& ports, const RunIdentity& identity,
                                          std::set<RunId>& succeeded) {
  RGX_TRY(const TornTail tail, ports.state.set_aside_torn_index());
  RGX_TRY(auto storage, lock_index(ports.state, audit::OpenMode::append));
  RGX_TRY(auto writer, continue_index(std::move(storage), ports, identity, succeeded));
  RGX_TRY(
      [[maybe_unused]] const auto reference,
      writer.append(audit::RecordType::recovery, Json::object({{"bytes", tail.bytes},
                                                               {"digest", tail.digest.to_string()},
                                                               {"offset", tail.offset}})));
  RGX_TRY_STATUS(writer.commit());
  return writer;
}

void add_written_folders(const templates::Plan& plan, std::set<std::string>& folders) {
  for (const templates::Step& step : plan.steps) {
    const auto effects = templates::effects_of(step.tool);
    if (!effects || effects->starts_process) {
      continue;
    }
    for (const std::string& path : effects->writes) {
      const auto slash = path.rfind('/');
      folders.insert(slash == std::string::npos ? "." : path.substr(0, slash));
    }
  }
}

}  // namespace

Result<OpenIndex> open_index(RunPorts& ports, const RunIdentity& identity) {
  RGX_TRY_STATUS(check_index_is_there(ports.state));
  RGX_TRY(const bool exists, ports.state.has_index());
  if (!exists) {
    RGX_TRY(auto storage, lock_index(ports.state, audit::OpenMode::create));
    RGX_TRY(auto writer, begin_index(std::move(storage), ports, identity));
    return OpenIndex{std::move(writer), std::nullopt, {}};
  }
  RGX_TRY(auto storage, lock_index(ports.state, audit::OpenMode::append));
  RGX_TRY_STATUS(check_is_of(ports.workspace.root(), *storage));
  RGX_TRY(auto unfinished, find_unfinished(*storage));
  std::set<RunId> succeeded;
  auto writer = continue_index(std::move(storage), ports, identity, succeeded);
  if (!writer && writer.error().first().code == "ledger.torn") {
    writer = recover_index(ports, identity, succeeded);
  }
  if (!writer) {
    return fail(writer.error());
  }
  return OpenIndex{std::move(*writer), std::move(unfinished), std::move(succeeded)};
}

Status remove_temporaries(Workspace& workspace, const templates::Plan& plan) {
  std::set<std::string> folders;
  add_written_folders(plan, folders);
  for (const std::string& folder : folders) {
    RGX_TRY([[maybe_unused]] const std::size_t removed, workspace.remove_leftovers(folder));
  }
  return {};
}

Status remove_leftovers(RunPorts& ports, const templates::Plan& plan, const OpenIndex& index) {
  RGX_TRY_STATUS(remove_temporaries(ports.workspace, plan));
  if (index.unfinished) {
    // A run that was killed before it stored its plan changed nothing.
    if (const auto bytes = ports.state.read_run_file(*index.unfinished, "plan.json")) {
      if (const auto before = templates::read_sealed_plan(*bytes, "plan.json")) {
        RGX_TRY_STATUS(remove_temporaries(ports.workspace, before->plan()));
      }
    }
  }
  if (ports.worktrees != nullptr) {
    RGX_TRY(const std::vector<RunId> there, ports.worktrees->list());
    for (const RunId& run : there) {
      if (index.succeeded.contains(run)) {
        RGX_TRY_STATUS(ports.worktrees->remove(run));
      }
    }
  }
  return ports.state.remove_leftover_scratch();
}

}  // namespace rgx::engine
