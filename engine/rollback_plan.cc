#include "engine/rollback_plan.h"

#include <algorithm>

#include "base/glob.h"
#include "base/text.h"
#include "engine/tracked_images.h"
#include "templates/seal.h"
#include "templates/tool.h"

namespace rgx::engine {

namespace {

using audit::RecordType;

tl::unexpected<Error> bad_evidence(const RunId& run, const std::string& why) {
  return fail(ErrorKind::evidence, "rollback.evidence",
              "what run " + run.text() + " changed cannot be told: " + why,
              "see `rgx verify " + run.text() + "`; git can restore the files");
}

Image image_of(const Json& change, std::string_view name) {
  const Json* value = change.find(name);
  if (value == nullptr || !value->is_string()) {
    return std::nullopt;
  }
  const auto digest = Digest::parse(value->as_string());
  return digest ? Image(*digest) : std::nullopt;
}

std::optional<std::uint32_t> mode_of(const Json& change, std::string_view name) {
  const Json* value = change.find(name);
  return value == nullptr || !value->is_integer()
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(value->as_integer()) & 07777U);
}

/// Replays the records of a run that is verified as far as it goes.
class Replay {
 public:
  Replay(StateStore& state, const RunId& run) : state_(state), run_(run) {}

  /// Keeps what is needed: whether the record means anything is known at the end only.
  void take(const audit::Record& record) {
    if (record.type == RecordType::admission) {
      base_ = record.body.find("base_revision")->as_string();
    }
    const bool intent = record.type == RecordType::step_intent;
    if (!intent && record.type != RecordType::step_outcome) {
      return;
    }
    Json kept = Json::object();
    for (const char* name : {"step", "tool", "changes", "changed", "values"}) {
      if (const Json* value = record.body.find(name)) {
        kept.set(name, *value);
      }
    }
    records_.emplace_back(intent, std::move(kept));
  }

  /// After a ledger that verifies as far as it goes, with the steps that were under way when the
  /// run was killed.
  Status finish(const templates::Plan& plan, RollbackPlan& out) {
    for (auto& [intent, body] : records_) {
      const std::string& step = body.find("step")->as_string();
      if (intent) {
        started_.insert(step);
        tools_[step] = body.find("tool")->as_string();
        open_.insert_or_assign(step, std::move(body));
        continue;
      }
      open_.erase(step);
      for (const Json& change : body.find("changed")->as_array()) {
        settle(change);
      }
      take_folders(body);
      take_commit(step, body, out);
    }
    out.base = base_;
    out.tips.insert(base_);
    std::size_t index = 0;
    for (const templates::Step& step : plan.steps) {
      if (started_.contains(step.id.text())) {
        RGX_TRY_STATUS(look_at(step, index, out));
      }
      ++index;
    }
    for (const auto& [step, intent] : open_) {
      if (const Json* changes = intent.find("changes")) {
        for (const Json& change : changes->as_array()) {
          attempt(change);
        }
      }
    }
    out.files = std::move(files_);
    out.began = started_;
    out.folders = std::move(folders_);
    return {};
  }

 private:
  FileHistory& history(const Json& change) {
    const auto [file, is_new] = files_.try_emplace(change.find("path")->as_string());
    if (is_new) {
      file->second.before = image_of(change, "before");
    }
    if (!file->second.before_mode) {
      file->second.before_mode = mode_of(change, "before_mode");
    }
    return file->second;
  }

  void settle(const Json& change) {
    FileHistory& file = history(change);
    file.left = {image_of(change, "after")};
    if (const auto mode = mode_of(change, "after_mode")) {
      file.left_mode = mode;
    }
  }

  /// The step may or may not have come so far.
  void attempt(const Json& change) {
    FileHistory& file = history(change);
    file.left.push_back(image_of(change, "after"));
    file.left.push_back(image_of(change, "before"));
  }

  void take_folders(const Json& outcome) {
    const Json* values = outcome.find("values");
    const Json* made = values == nullptr ? nullptr : values->find("made");
    if (made == nullptr || !made->is_array()) {
      return;
    }
    for (const Json& folder : made->as_array()) {
      if (folder.is_string()) {
        folders_.insert(folder.as_string());
      }
    }
  }

  void take_commit(const std::string& step, const Json& outcome, RollbackPlan& out) {
    const Json* values = outcome.find("values");
    const Json* commit = values == nullptr ? nullptr : values->find("commit");
    if (tools_[step] == "git.commit" && commit != nullptr && commit->is_string()) {
      out.tips.insert(commit->as_string());
    }
  }

  Status look_at(const templates::Step& step, std::size_t index, RollbackPlan& out) {
    RGX_TRY(const templates::Effects effects, templates::effects_of(step.tool));
    if (!effects.starts_process || effects.writes.empty()) {
      return {};
    }
    for (const std::string& pattern : effects.writes) {
      RGX_TRY(Glob glob, Glob::parse(pattern));
      out.program_writes.push_back(std::move(glob));
    }
    out.not_covered.push_back(step.id.text() + ": " + join(effects.writes, ", "));
    if (!open_.contains(step.id.text())) {
      return {};
    }
    const auto listed = state_.read_run_file(run_, images_file(index));
    if (!listed) {
      return {};  // it was killed before it had any, or there are none
    }
    const auto images = parse_json(*listed, images_file(index));
    if (!images || !images->is_array()) {
      return bad_evidence(run_, "`" + images_file(index) + "` is damaged");
    }
    for (const Json& image : images->as_array()) {
      FileHistory& file = history(image);
      file.left.push_back(image_of(image, "before"));
      file.unknown = true;
    }
    return {};
  }

  StateStore& state_;
  const RunId& run_;
  std::vector<std::pair<bool, Json>> records_;  // intents (true) and outcomes, in order
  std::map<std::string, Json> open_;            // step -> its intent
  std::set<std::string> started_;
  std::map<std::string, std::string> tools_;  // step -> what it uses
  std::string base_;
  std::map<std::string, FileHistory> files_;
  std::set<std::string> folders_;
};

Result<templates::SealedPlan> read_plan(StateStore& state, const RunId& run,
                                        const audit::Verdict& verdict) {
  RGX_TRY(const std::string bytes, state.read_run_file(run, "plan.json"));
  RGX_TRY(templates::SealedPlan plan, templates::read_sealed_plan(bytes, "plan.json"));
  const Json* digest = verdict.genesis ? verdict.genesis->body.find("plan_digest") : nullptr;
  if (digest == nullptr || *digest != Json(plan.digest().to_string())) {
    return bad_evidence(run, "its plan is not the one that its ledger names");
  }
  return plan;
}

}  // namespace

Result<RollbackPlan> plan_rollback(StateStore& state, const RunId& run, const audit::RootKey& key) {
  RollbackPlan plan;
  Replay replay(state, run);
  RGX_TRY(const auto storage, state.open_run(run, audit::OpenMode::read));
  RGX_TRY(plan.verdict, audit::verify_ledger(
                            *storage, {.root_key = key, .on_record = [&](const audit::Record& r) {
                                         replay.take(r);
                                       }}));
  const audit::Verdict& verdict = plan.verdict;
  if (verdict.kind == audit::VerdictKind::tampered) {
    return bad_evidence(run, "its ledger does not verify");
  }
  if (verdict.records > 0 && verdict.authenticity.state != audit::PropertyState::holds) {
    return bad_evidence(run, "its ledger was not signed under your key");
  }
  if (verdict.records == 0) {
    return plan;  // it was killed before it did anything
  }
  plan.log_id = verdict.log_id;
  RGX_TRY(const templates::SealedPlan sealed, read_plan(state, run, verdict));
  plan.workspace = sealed.plan().workspace;
  RGX_TRY_STATUS(replay.finish(sealed.plan(), plan));
  return plan;
}

}  // namespace rgx::engine
