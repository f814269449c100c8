#include "engine/rollback.h"

#include <algorithm>
#include <deque>

#include "base/check.h"
#include "base/text.h"
#include "engine/rollback_plan.h"
#include "engine/run_index.h"
#include "engine/run_records.h"

namespace rgx::engine {

namespace {

using audit::RecordType;

/// What the index says of a run.
struct IndexEntry {
  std::string log_id;
  std::optional<Digest> root;  ///< of its ledger, once it was finished
  std::string commit;          ///< that it ended in, if it did so in a worktree
  bool rolled_back = false;
  bool begun = false;      ///< a rollback that was cut short
  bool succeeded = false;  ///< its end is on record, so a worktree is of no use any more
};

Result<IndexEntry> read_index(StateStore& state, const RunId& run, const audit::RootKey& key) {
  IndexEntry entry;
  const auto text_of = [](const Json& body, std::string_view name) {
    const Json* value = body.find(name);
    return value != nullptr && value->is_string() ? value->as_string() : std::string();
  };
  const auto take = [&](const audit::Record& record) {
    if (text_of(record.body, "run") != run.text()) {
      return;
    }
    if (record.type == RecordType::run_started) {
      entry.log_id = text_of(record.body, "log_id");
    } else if (record.type == RecordType::run_finished) {
      if (const auto root = Digest::parse(text_of(record.body, "root"))) {
        entry.root = *root;
      }
      entry.commit = text_of(record.body, "commit");
    } else if (record.type == RecordType::run_rolled_back) {
      entry.rolled_back = text_of(record.body, "state") == "finished";
      entry.begun = true;
    }
  };
  RGX_TRY(const auto storage, state.open_index(audit::OpenMode::read));
  RGX_TRY(const auto verdict, audit::verify_ledger(*storage, {.root_key = key, .on_record = take}));
  if (verdict.kind == audit::VerdictKind::tampered || entry.log_id.empty()) {
    return fail(ErrorKind::evidence, "rollback.evidence",
                "the index of this repository does not tell of run " + run.text(),
                "see `rgx runs`");
  }
  return entry;
}

bool is_one_of(const std::vector<Image>& images, const Image& image) {
  return std::ranges::find(images, image) != images.end();
}

std::string describe(const std::string& path, std::string_view what) {
  return "`" + printable(path) + "` " + std::string(what);
}

class Rollback {
 public:
  Rollback(RunPorts& ports, RollbackPlan plan) : ports_(ports), plan_(std::move(plan)) {}

  /// What is not as the run left it, one line each; sorts out what there is to do.
  Result<std::vector<std::string>> check() {
    std::vector<std::string> lines;
    for (const auto& [path, file] : plan_.files) {
      const auto state = ports_.workspace.state(path);
      if (!state && state.error().kind == ErrorKind::environment) {
        return fail(state.error());
      }
      if (!state) {
        lines.push_back(describe(path, "is no regular file any more"));
        continue;
      }
      if (std::string line = check_file(path, file, *state); !line.empty()) {
        lines.push_back(std::move(line));
        continue;
      }
      const std::optional<FileState>& now = *state;
      const bool same_mode = !now || !file.before_mode || now->mode == *file.before_mode;
      const bool same = (now ? Image(now->digest) : Image()) == file.before;
      if (same && same_mode) {
        continue;
      }
      if (file.before) {
        // Everything that is needed is there before anything is changed.
        RGX_TRY([[maybe_unused]] const std::string bytes, ports_.state.objects().get(*file.before));
      }
      todo_.emplace(path, now);
    }
    return lines;
  }

  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& [path, now] : todo_) {
      paths.push_back(path);
    }
    return paths;
  }

  /// What is given back in all, whether it is there already or not: the same after a kill.
  [[nodiscard]] std::vector<Change> changes() const {
    std::vector<Change> changes;
    for (const auto& [path, file] : plan_.files) {
      const Image left = file.left.empty() ? Image() : file.left.front();
      changes.push_back({path, left, file.before, file.left_mode, file.before_mode});
    }
    return changes;
  }

  Status restore() {
    for (const auto& [path, now] : todo_) {
      if (!plan_.files.at(path).before) {
        RGX_CHECK(now);  // what was not there before and is not there now is not to do
        RGX_TRY_STATUS(ports_.workspace.remove_file(path, now->digest));
      }
    }
    RGX_TRY_STATUS(remove_folders());
    for (const auto& [path, now] : todo_) {
      if (const FileHistory& file = plan_.files.at(path); file.before) {
        RGX_TRY_STATUS(restore_file(path, file, *file.before, now));
      }
    }
    return {};
  }

 private:
  static std::string check_file(const std::string& path, const FileHistory& file,
                                const std::optional<FileState>& now) {
    const Image image = now ? Image(now->digest) : Image();
    if (image != file.before && file.unknown) {
      return describe(path,
                      "may hold what a program left that was killed: look at it, then give it "
                      "back with `git checkout`");
    }
    if (image != file.before && !is_one_of(file.left, image)) {
      return describe(path, now ? "has changed since" : "is gone");
    }
    const bool mode_known = now && file.before_mode && file.left_mode;
    if (mode_known && now->mode != *file.before_mode && now->mode != *file.left_mode) {
      return describe(path, "has other permissions since");
    }
    return {};
  }

  Status restore_file(const std::string& path, const FileHistory& file, const Digest& before,
                      const std::optional<FileState>& now) {
    std::uint32_t mode = now ? now->mode : 0644;
    if (!now || now->digest != before) {
      RGX_TRY(const std::string bytes, ports_.state.objects().get(before));
      if (now && (mode & 0200U) == 0) {
        RGX_TRY_STATUS(ports_.workspace.set_mode(path, mode | 0200U));
        mode |= 0200U;
      }
      if (const auto slash = path.rfind('/'); !now && slash != std::string::npos) {
        RGX_TRY_STATUS(ports_.workspace.make_directory(path.substr(0, slash)));
      }
      RGX_TRY_STATUS(ports_.workspace.write(path, bytes, now ? Image(now->digest) : Image()));
    }
    const std::uint32_t wanted = file.before_mode.value_or(now ? now->mode : 0644);
    return wanted == mode ? Status() : ports_.workspace.set_mode(path, wanted);
  }

  /// Deepest first; what is not empty was used by somebody and stays.
  Status remove_folders() {
    for (auto folder = plan_.folders.rbegin(); folder != plan_.folders.rend(); ++folder) {
      RGX_TRY(const EntryKind kind, ports_.workspace.kind(*folder));
      if (kind != EntryKind::directory) {
        continue;
      }
      RGX_TRY(const auto entries, ports_.workspace.list(*folder));
      if (entries.empty()) {
        RGX_TRY_STATUS(ports_.workspace.remove_directory(*folder));
      }
    }
    return {};
  }

  RunPorts& ports_;
  RollbackPlan plan_;
  std::map<std::string, std::optional<FileState>> todo_;  // path -> as it is now
};

/// What is to be removed of a run in a worktree.
class WorktreeRollback {
 public:
  /// Finds out what is there, and what somebody else did in it.
  static Result<WorktreeRollback> look(RunPorts& ports, const RunId& run, const RollbackPlan& plan,
                                       const IndexEntry& entry);

  [[nodiscard]] const std::vector<std::string>& changed_since() const { return lines_; }
  [[nodiscard]] bool is_there() const { return worktree_.workspace != nullptr; }
  /// The ports with the worktree as the workspace, where there is one.
  [[nodiscard]] RunPorts inside() const {
    return {.clock = ports_->clock,
            .entropy = ports_->entropy,
            .workspace = is_there() ? *worktree_.workspace : ports_->workspace,
            .repository = ports_->repository,
            .processes = ports_->processes,
            .sandbox = ports_->sandbox,
            .state = ports_->state,
            .observer = ports_->observer,
            .worktrees = ports_->worktrees};
  }
  Status remove() {
    RGX_TRY_STATUS(ports_->worktrees->remove(run_));
    return tip_ ? ports_->worktrees->remove_branch(run_, *tip_) : Status();
  }

 private:
  WorktreeRollback(RunPorts& ports, RunId run) : ports_(&ports), run_(std::move(run)) {}
  Status look_at_files(const RollbackPlan& plan);

  RunPorts* ports_;
  RunId run_;
  Worktree worktree_;  // empty where there is none
  std::optional<std::string> tip_;
  std::vector<std::string> lines_;
};

Status WorktreeRollback::look_at_files(const RollbackPlan& plan) {
  RGX_TRY(const std::vector<RunId> there, ports_->worktrees->list());
  if (std::ranges::find(there, run_) == there.end()) {
    return {};
  }
  if (plan.base.empty() || plan.began.empty()) {
    return {};  // killed before its first step: nobody was told of it
  }
  RGX_TRY(worktree_, ports_->worktrees->open(run_));
  RGX_TRY(const std::vector<std::string> paths, ports_->worktrees->differing(run_, plan.base));
  for (const std::string& path : paths) {
    const bool by_program = std::ranges::any_of(
        plan.program_writes, [&path](const Glob& glob) { return glob.matches(path); });
    if (!by_program && !plan.files.contains(path)) {
      lines_.push_back(describe(path, "of the worktree was not changed by the run"));
    }
  }
  return {};
}

Result<WorktreeRollback> WorktreeRollback::look(RunPorts& ports, const RunId& run,
                                                const RollbackPlan& plan, const IndexEntry& entry) {
  if (ports.worktrees == nullptr) {
    return fail(ErrorKind::internal, "rollback.no_worktrees", "there are no worktrees here");
  }
  WorktreeRollback found(ports, run);
  RGX_TRY(found.tip_, ports.worktrees->tip(run));
  if (found.tip_ && !plan.tips.contains(*found.tip_) && *found.tip_ != entry.commit) {
    found.lines_.push_back("the branch `" + branch_of(run) + "` has moved to " +
                           found.tip_->substr(0, 12));
  }
  if (!entry.begun && !entry.succeeded) {  // else it may be half removed
    RGX_TRY_STATUS(found.look_at_files(plan));
  }
  return found;
}

Json rolled_back_body(const RunId& run, const std::string& log_id, std::string_view state,
                      const Json& changes) {
  return Json::object({{"digest", digest_of("rgx.rollback/v1", changes).to_string()},
                       {"files", changes.as_array().size()},
                       {"log_id", log_id},
                       {"run", run.text()},
                       {"state", state}});
}

}  // namespace

Result<RollbackReport> roll_back(RunPorts ports, const RunIdentity& identity, const RunId& run) {
  RollbackReport report;
  report.run = run;
  RGX_TRY(OpenIndex index, open_index(ports, identity));  // nobody else changes files meanwhile
  RGX_TRY(IndexEntry entry, read_index(ports.state, run, identity.root_key));
  if (entry.rolled_back) {
    return fail(ErrorKind::usage, "rollback.done", "run " + run.text() + " is rolled back already",
                "see `rgx runs`");
  }
  entry.succeeded = index.succeeded.contains(run);
  RGX_TRY(RollbackPlan plan, plan_rollback(ports.state, run, identity.root_key));
  if (entry.root && plan.verdict.root != *entry.root) {
    return fail(ErrorKind::evidence, "rollback.evidence",
                "the ledger of run " + run.text() + " is not the one that the index names",
                "see `rgx verify " + run.text() + "`");
  }
  report.plan_workspace = plan.workspace;
  report.not_covered = plan.not_covered;
  std::optional<WorktreeRollback> worktree;
  if (plan.workspace == "worktree") {
    RGX_TRY(worktree, WorktreeRollback::look(ports, run, plan, entry));
    report.changed_since = worktree->changed_since();
    report.not_covered.clear();  // it goes as a whole
  }
  RunPorts inside = worktree ? worktree->inside() : ports;
  Rollback rollback(inside, std::move(plan));
  if (!worktree) {
    RGX_TRY(report.changed_since, rollback.check());
  } else if (worktree->is_there()) {
    RGX_TRY(const std::vector<std::string> lines, rollback.check());
    report.changed_since.insert(report.changed_since.end(), lines.begin(), lines.end());
  }
  if (!report.changed_since.empty()) {
    return report;
  }
  const Json changes = to_json(rollback.changes());
  const auto note = [&](std::string_view state) -> Status {
    RGX_TRY(const auto reference,
            index.writer.append(RecordType::run_rolled_back,
                                rolled_back_body(run, entry.log_id, state, changes)));
    report.record = reference.seq;
    return index.writer.commit();
  };
  RGX_TRY_STATUS(note("started"));
  if (worktree) {
    report.branch = branch_of(run);
    RGX_TRY_STATUS(worktree->remove());
  } else {
    report.restored = rollback.paths();
    RGX_TRY_STATUS(rollback.restore());
  }
  RGX_TRY_STATUS(note("finished"));
  return report;
}

}  // namespace rgx::engine
