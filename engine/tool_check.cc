#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/glob.h"
#include "base/text.h"
#include "engine/change_set.h"
#include "engine/file_image.h"
#include "engine/line_diff.h"
#include "engine/secret_scan.h"
#include "engine/text_edit.h"
#include "engine/tool.h"

// `check.paths`, `check.diff`, `check.secrets`, `check.file`: answers about what the run changed.
// A negative answer fails the step; it is no error of rgx.

namespace rgx::engine {

namespace {

constexpr std::size_t kNamedMax = 50;  // paths or findings that an outcome names

struct Answer {
  bool passed = false;
  std::string summary;
  std::string detail;
  Json values = Json::object();
};

class Check final : public Action {
 public:
  using Look = Result<Answer> (*)(const Json& with, const ChangeSet& changes, ToolPorts& ports);

  Check(const ToolRequest& request, Look look, std::string_view code)
      : with_(request.step.tool.with),
        changes_(*request.changes),
        ports_(request.ports),
        look_(look),
        code_(code) {}

  void act(const CancelFlag& /*stop*/) override { answer_ = look_(with_, changes_, ports_); }

  Outcome finish() override {
    if (!answer_) {
      return failed_outcome(answer_.error());
    }
    Outcome outcome;
    outcome.state = answer_->passed ? StepState::succeeded : StepState::failed;
    outcome.confinement = "in_process";
    outcome.spent.steps = 1;
    outcome.values = answer_->values;
    outcome.values.set("passed", answer_->passed);
    outcome.summary = answer_->summary;
    outcome.detail = answer_->detail;
    if (!answer_->passed) {
      outcome.error = make_error(ErrorKind::failed, code_, answer_->summary).first();
    }
    return outcome;
  }

 private:
  Json with_;
  ChangeSet changes_;
  ToolPorts& ports_;
  Look look_;
  std::string_view code_;
  Result<Answer> answer_ =
      fail(ErrorKind::internal, "step.not_done", "the check was never carried out");
};

Status check_known(const ChangeSet& changes) {
  if (!changes.unknown().empty()) {
    return fail(ErrorKind::failed, "check.changes_unknown",
                "what the run changed is not known in full: " + printable(changes.unknown()),
                "declare narrower `write` places in that step");
  }
  return {};
}

std::string files_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " file" : " files");
}

std::string lines_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kNamedMax; ++i) {
    text += (i == 0 ? "" : "\n") + items[i];
  }
  return text;
}

std::vector<std::string> first_of(std::vector<std::string> items) {
  items.resize(std::min(items.size(), kNamedMax));
  return items;
}

/// Content of a side of a change; empty where there is no file.
Result<std::string> content(const std::optional<Digest>& digest, ToolPorts& ports) {
  return digest ? ports.state.objects().get(*digest) : Result<std::string>(std::string());
}

/// What a file holds now; it must still be what the run left there.
Result<std::string> content_now(const Change& change, ToolPorts& ports) {
  if (!change.after) {
    return std::string();
  }
  RGX_TRY(std::string bytes, ports.workspace.read(change.path, kEditBytesMax));
  if (digest_bytes(bytes) != *change.after) {
    return fail(ErrorKind::failed, "step.changed_meanwhile",
                "`" + printable(change.path) + "` was changed by something else after the run did",
                "see what else writes to the workspace");
  }
  return bytes;
}

Result<Answer> look_at_paths(const Json& with, const ChangeSet& changes, ToolPorts& /*ports*/) {
  RGX_TRY_STATUS(check_known(changes));
  std::vector<Glob> allowed;
  for (const Json& item : with.find("changed_only")->as_array()) {
    RGX_TRY(Glob glob, Glob::parse(item.as_string()));
    allowed.push_back(std::move(glob));
  }
  std::vector<std::string> outside;
  for (const auto& [path, change] : changes.files()) {
    const bool covered = std::ranges::any_of(allowed, [&path](const Glob& glob) {
      return glob.matches(path) || glob.pattern() == "." ||
             (glob.is_literal() && path.starts_with(glob.pattern() + "/"));
    });
    if (!covered) {
      outside.push_back(printable(path));
    }
  }
  Answer answer;
  answer.passed = outside.empty();
  answer.summary = answer.passed ? files_text(changes.files().size()) + " changed, all inside"
                                 : files_text(outside.size()) +
                                       " changed outside of what is allowed: " + outside.front() +
                                       (outside.size() > 1 ? ", ..." : "");
  answer.detail = lines_of(outside);
  answer.values.set("paths", Json::array_of(first_of(outside)));
  return answer;
}

Result<Answer> look_at_diff(const Json& with, const ChangeSet& changes, ToolPorts& ports) {
  RGX_TRY_STATUS(check_known(changes));
  std::int64_t lines = 0;
  for (const auto& [path, change] : changes.files()) {
    RGX_TRY(const std::string before, content(change.before, ports));
    RGX_TRY(const std::string after, content_now(change, ports));
    RGX_TRY(const LineCounts counts, count_changed_lines(before, after));
    lines += counts.added + counts.removed;
  }
  const auto files = static_cast<std::int64_t>(changes.files().size());
  const Json* lines_max = with.find("lines_max");
  const Json* files_max = with.find("files_max");
  Answer answer;
  answer.values = Json::object({{"files", files}, {"lines", lines}});
  answer.summary = std::to_string(lines) + (lines == 1 ? " line" : " lines") + " in " +
                   files_text(changes.files().size()) + " changed";
  answer.passed = true;
  if (lines_max != nullptr && lines > lines_max->as_integer()) {
    answer.passed = false;
    answer.summary += "; at most " + std::to_string(lines_max->as_integer()) + " lines may be";
  }
  if (files_max != nullptr && files > files_max->as_integer()) {
    answer.passed = false;
    answer.summary += "; at most " + std::to_string(files_max->as_integer()) + " files may be";
  }
  return answer;
}

/// Secrets in `after` that `before` did not have as often.
std::vector<SecretFinding> new_secrets(std::string_view before, std::string_view after) {
  std::map<std::pair<std::string, std::string>, std::int64_t> known;
  for (const SecretFinding& old : find_secrets(before)) {
    ++known[{old.kind, old.mark}];
  }
  std::vector<SecretFinding> found;
  for (SecretFinding& finding : find_secrets(after)) {
    if (known[{finding.kind, finding.mark}]-- <= 0) {
      found.push_back(std::move(finding));
    }
  }
  return found;
}

Result<Answer> look_for_secrets(const Json& with, const ChangeSet& changes, ToolPorts& ports) {
  RGX_TRY_STATUS(check_known(changes));
  std::int64_t count = 0;
  std::vector<std::string> places;
  Json findings = Json::array();
  for (const auto& [path, change] : changes.files()) {
    RGX_TRY(const std::string before, content(change.before, ports));
    RGX_TRY(const std::string after, content_now(change, ports));
    for (const SecretFinding& found : new_secrets(before, after)) {
      ++count;
      if (places.size() < kNamedMax) {
        places.push_back(printable(path) + ":" + std::to_string(found.line) + ": " + found.kind);
        findings.push(Json::object({{"kind", found.kind},
                                    {"line", found.line},
                                    {"mark", found.mark},
                                    {"path", printable(path)}}));
      }
    }
  }
  Answer answer;
  answer.passed = count <= with.find("new_max")->as_integer();
  answer.summary = count == 0
                       ? "no new secrets in " + files_text(changes.files().size())
                       : std::to_string(count) + " new " + (count == 1 ? "secret" : "secrets") +
                             ": " + places.front() + (count > 1 ? ", ..." : "");
  answer.detail = answer.passed ? "" : lines_of(places);
  answer.values = Json::object({{"count", count}, {"findings", std::move(findings)}});
  return answer;
}

Result<Answer> look_for_file(const Json& with, const ChangeSet& /*changes*/, ToolPorts& ports) {
  const std::string& path = with.find("path")->as_string();
  Answer answer;
  RGX_TRY(const EntryKind kind, ports.workspace.kind(path));
  if (kind != EntryKind::file) {
    answer.summary = kind == EntryKind::missing ? "there is no file `" + printable(path) + "`"
                                                : "`" + printable(path) + "` is no regular file";
    return answer;
  }
  RGX_TRY(const std::optional<FileState> state, ports.workspace.state(path));
  answer.passed = state.has_value();
  if (state) {
    answer.values.set("digest", state->digest.to_string());
    answer.summary = std::to_string(state->size_bytes) + " bytes";
  } else {
    answer.summary = "there is no file `" + printable(path) + "`";
  }
  return answer;
}

Result<std::unique_ptr<Action>> prepare(const ToolRequest& request, Check::Look look,
                                        std::string_view code) {
  RGX_CHECK(request.changes != nullptr);
  return std::unique_ptr<Action>(std::make_unique<Check>(request, look, code));
}

}  // namespace

Result<std::unique_ptr<Action>> prepare_check_diff(const ToolRequest& request) {
  return prepare(request, look_at_diff, "check.diff");
}

Result<std::unique_ptr<Action>> prepare_check_file(const ToolRequest& request) {
  return prepare(request, look_for_file, "check.file");
}

Result<std::unique_ptr<Action>> prepare_check_paths(const ToolRequest& request) {
  return prepare(request, look_at_paths, "check.paths");
}

Result<std::unique_ptr<Action>> prepare_check_secrets(const ToolRequest& request) {
  return prepare(request, look_for_secrets, "check.secrets");
}

}  // namespace rgx::engine
