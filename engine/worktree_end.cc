#include "engine/worktree_end.h"

#include <utility>

#include "audit/verifier.h"
#include "base/text.h"
#include "engine/run_index.h"
#include "engine/run_records.h"

namespace rgx::engine {

namespace {

using audit::RecordType;

constexpr std::size_t kSubjectBytesMax = 72;  // what `git log --oneline` shows whole

std::string text_of(const Json& body, std::string_view name) {
  const Json* value = body.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

/// What the ledger of a sealed run says about its end.
struct SealedRun {
  std::string plan_digest;
  std::string log_id;
  std::string state;
  WorktreeReport worktree;
  std::set<std::string> tips;
  audit::Verdict verdict;
};

Result<SealedRun> read_sealed(StateStore& state, const RunId& run, const audit::RootKey& key) {
  SealedRun sealed;
  std::set<std::string> committing;  // steps that use `git.commit`
  const auto take = [&](const audit::Record& record) {
    if (record.type == RecordType::genesis) {
      sealed.plan_digest = text_of(record.body, "plan_digest");
    } else if (record.type == RecordType::step_intent &&
               text_of(record.body, "tool") == "git.commit") {
      committing.insert(text_of(record.body, "step"));
    } else if (record.type == RecordType::step_outcome &&
               committing.contains(text_of(record.body, "step"))) {
      if (const Json* values = record.body.find("values")) {
        sealed.tips.insert(text_of(*values, "commit"));
      }
    } else if (record.type == RecordType::run_sealed) {
      sealed.state = text_of(record.body, "state");
      if (const Json* worktree = record.body.find("worktree")) {
        sealed.worktree.base = text_of(*worktree, "base");
        sealed.worktree.branch = text_of(*worktree, "branch");
        sealed.worktree.tree = text_of(*worktree, "tree");
      }
    }
  };
  RGX_TRY(const auto storage, state.open_run(run, audit::OpenMode::read));
  RGX_TRY(sealed.verdict, audit::verify_ledger(*storage, {.root_key = key, .on_record = take}));
  if (sealed.verdict.kind != audit::VerdictKind::verified) {
    return fail(ErrorKind::evidence, "resume.evidence",
                "the ledger of run " + run.text() + " does not verify",
                "see `rgx verify " + run.text() + "`");
  }
  sealed.log_id = sealed.verdict.log_id;
  sealed.tips.insert(sealed.worktree.base);
  return sealed;
}

}  // namespace

std::string branch_of(const RunId& run) {
  return "rgx/" + run.text();
}

std::string commit_message(const templates::SealedPlan& plan, const RunId& run,
                           const Digest& head) {
  const templates::Plan& content = plan.plan();
  const std::string intent = content.intent.empty() ? content.from.name + " " + content.from.version
                                                    : printable(content.intent);
  std::string message = intent;
  if (intent.size() > kSubjectBytesMax) {
    std::string subject = intent.substr(0, kSubjectBytesMax - 3);
    while (!is_utf8(subject)) {
      subject.pop_back();
    }
    message = subject + "...\n\n" + intent;
  }
  return message + "\n\nRgx-Plan: " + plan.digest().to_string() + "\nRgx-Run: " + run.text() +
         "\nRgx-Ledger-Head: " + head.to_string() + "\n";
}

Status make_commit(const EndOfWorktree& end, WorktreeReport& report) {
  RGX_TRY(const std::optional<std::string> tip, end.worktrees.tip(end.run));
  RGX_TRY(const std::string before, end.worktrees.tree_of(report.base));
  const bool nothing = report.tree == before && (!tip || *tip == report.base);
  if (nothing) {
    return {};
  }
  RGX_TRY(report.commit,
          end.worktrees.commit({.run = end.run,
                                .from = end.tips,
                                .tree = report.tree,
                                .message = commit_message(end.plan, end.run, end.head)}));
  return {};
}

Status clear_worktree(Worktrees& worktrees, const RunId& run, WorktreeReport& report) {
  RGX_TRY_STATUS(worktrees.remove(run));
  report.path.clear();
  return report.commit.empty() ? worktrees.remove_branch(run, report.base) : Status();
}

Result<WorktreeReport> finish_worktree(const templates::SealedPlan& plan, RunPorts ports,
                                       const RunIdentity& identity, const RunId& run) {
  RGX_TRY(OpenIndex index, open_index(ports, identity));
  RGX_TRY(SealedRun sealed, read_sealed(ports.state, run, identity.root_key));
  if (index.succeeded.contains(run) || sealed.state != "succeeded" ||
      sealed.worktree.tree.empty() || ports.worktrees == nullptr ||
      sealed.plan_digest != plan.digest().to_string()) {
    return fail(ErrorKind::usage, "resume.finished", "run " + run.text() + " has ended",
                "`rgx show " + run.text() + "` says how; start a new run to do more");
  }
  RGX_TRY_STATUS(make_commit({.worktrees = *ports.worktrees,
                              .plan = plan,
                              .run = run,
                              .head = sealed.verdict.root,
                              .tips = sealed.tips},
                             sealed.worktree));
  RunReport report;
  report.run = run;
  report.state = RunState::succeeded;
  report.records = sealed.verdict.records;
  report.root = sealed.verdict.root;
  report.worktree = sealed.worktree;
  RGX_TRY([[maybe_unused]] const auto finished,
          index.writer.append(RecordType::run_finished, finished_body(report, sealed.log_id)));
  RGX_TRY_STATUS(index.writer.commit());
  RGX_TRY_STATUS(clear_worktree(*ports.worktrees, run, *report.worktree));
  return std::move(*report.worktree);
}

}  // namespace rgx::engine
