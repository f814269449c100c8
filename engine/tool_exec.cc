#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/exec_view.h"
#include "engine/tool.h"
#include "engine/tracked_images.h"

// `exec`: one program, no shell, held to what was decided.

namespace rgx::engine {

namespace {

constexpr std::string_view kSearchPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::size_t kOutputBytesMax = std::size_t{8} << 20;  // kept of each stream
constexpr std::size_t kDetailLinesMax = 20;
constexpr std::size_t kDetailBytesMax = 4096;

/// The last lines of what a program said, safe to print.
std::string tail_of(std::string_view bytes) {
  if (bytes.size() > kDetailBytesMax) {
    bytes.remove_prefix(bytes.size() - kDetailBytesMax);
  }
  while (bytes.ends_with('\n')) {
    bytes.remove_suffix(1);
  }
  auto lines = split(bytes, '\n');
  if (lines.size() > kDetailLinesMax) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kDetailLinesMax));
  }
  std::string tail;
  for (const std::string_view line : lines) {
    tail += (tail.empty() ? "" : "\n") + escape_controls(line);
  }
  return tail;
}

class Exec final : public Action {
 public:
  Exec(const ToolRequest& request, ProcessSpec spec)
      : ports_(request.ports),
        facts_(request.facts),
        run_(request.run),
        index_(request.index),
        spec_(std::move(spec)) {}

  [[nodiscard]] bool is_concurrent() const override { return true; }

  [[nodiscard]] policy::RunBudget needs() const override {
    policy::RunBudget needs;
    needs.processes = 1;
    return needs;
  }

  Status begin() override {
    RGX_TRY(scratch_, ports_.state.make_scratch(run_, index_));
    RGX_TRY(images_, TrackedImages::take(facts_, run_, index_, ports_));
    RGX_TRY(ExecView view, make_exec_view(facts_, scratch_, ports_.workspace));
    spec_.sandbox = std::move(view.sandbox);
    made_ = std::move(view.made);
    spec_.env.emplace("HOME", scratch_ + "/home");
    spec_.env.emplace("TMPDIR", scratch_ + "/tmp");
    return {};
  }

  void act(const CancelFlag& stop) override { ran_ = ports_.processes.run(spec_, stop); }

  Outcome finish() override {
    Status removed;
    if (!scratch_.empty()) {
      removed = ports_.state.remove_scratch(scratch_);
    }
    Outcome outcome = ran_ ? outcome_of(*ran_) : failed_outcome(ran_.error());
    outcome.changed = images_.changes(ports_);
    if (!images_.missing().empty()) {
      outcome.values.set("pre_images_missing", images_.missing());
    }
    if (!made_.empty()) {
      outcome.values.set("made", Json::array_of(made_));
    }
    if (!removed) {
      // The step's own result stands; the next run removes what is left.
      outcome.values.set("scratch_left", scratch_);
    }
    return outcome;
  }

 private:
  Outcome outcome_of(const ProcessOutcome& ran) {
    Outcome outcome;
    outcome.spent.steps = 1;
    outcome.spent.processes = 1;
    outcome.confinement = std::string(to_string(ran.sandbox));
    describe_end(ran, outcome);
    outcome.values.set("leftovers", ran.leftovers);
    if (outcome.state != StepState::succeeded) {
      outcome.detail = tail_of(ran.err.bytes.empty() ? ran.out.bytes : ran.err.bytes);
    }
    store(outcome, "stderr", ran.err);
    store(outcome, "stdout", ran.out);
    return outcome;
  }

  void describe_end(const ProcessOutcome& ran, Outcome& outcome) const {
    switch (ran.end) {
      case ProcessOutcome::End::exited:
        outcome.exit_code = ran.code;
        outcome.state = ran.code == 0 ? StepState::succeeded : StepState::failed;
        outcome.summary = "exit status " + std::to_string(ran.code);
        return;
      case ProcessOutcome::End::signalled:
        outcome.signal = ran.code;
        outcome.state = StepState::failed;
        outcome.summary = "ended by signal " + std::to_string(ran.code);
        return;
      case ProcessOutcome::End::timed_out:
        outcome.state = StepState::timed_out;
        outcome.summary = "timed out after " + std::to_string(spec_.timeout_ms) + " ms";
        return;
      case ProcessOutcome::End::cancelled:
        outcome.state = StepState::cancelled;
        outcome.summary = "stopped";
        return;
    }
  }

  void store(Outcome& outcome, const std::string& name, const ProcessOutput& output) {
    const auto stored = ports_.state.objects().put(output.bytes);
    if (!stored) {
      outcome.state = StepState::failed;
      outcome.error = stored.error().first();
      outcome.summary = stored.error().first().message;
      return;
    }
    outcome.outputs.emplace(
        name, StoredOutput{*stored, output.bytes_total,
                           output.bytes_total > static_cast<std::int64_t>(output.bytes.size())});
  }

  ToolPorts& ports_;
  policy::Facts facts_;
  RunId run_;
  std::size_t index_;
  ProcessSpec spec_;
  std::string scratch_;
  TrackedImages images_;
  std::vector<std::string> made_;
  Result<ProcessOutcome> ran_ =
      fail(ErrorKind::internal, "process.not_run", "the program was never started");
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_exec(const ToolRequest& request) {
  const Json& with = request.step.tool.with;
  if (!request.facts.program || !request.facts.program->path || !request.facts.program->digest) {
    return fail(ErrorKind::environment, "run.no_program",
                "the program `" + printable(with.find("argv")->as_array().front().as_string()) +
                    "` is not on this machine where policy looks for it",
                "install it, or correct `programs` of the policy");
  }
  ProcessSpec spec;
  spec.program = *request.facts.program->path;
  spec.program_digest = request.facts.program->digest;
  for (const Json& word : with.find("argv")->as_array()) {
    spec.argv.push_back(word.as_string());
  }
  spec.cwd = request.ports.workspace.root();
  if (const Json* cwd = with.find("cwd"); cwd != nullptr && cwd->as_string() != ".") {
    RGX_TRY(const EntryKind kind, request.ports.workspace.kind(cwd->as_string()));
    if (kind != EntryKind::directory) {
      return fail(ErrorKind::failed, "exec.working_directory",
                  "`" + printable(cwd->as_string()) + "` is no folder of the workspace",
                  "correct `cwd` of the step");
    }
    spec.cwd += "/" + cwd->as_string();
  }
  if (const Json* env = with.find("env")) {
    for (const auto& [name, value] : env->as_object()) {
      spec.env.emplace(name, value.as_string());
    }
  }
  // What a step declares and policy grants wins over these.
  spec.env.emplace("PATH", kSearchPath);
  spec.env.emplace("LANG", "C.UTF-8");
  spec.env.emplace("TZ", "UTC");
  spec.timeout_ms = request.timeout_ms;
  spec.output_bytes_max = kOutputBytesMax;
  return std::unique_ptr<Action>(std::make_unique<Exec>(request, std::move(spec)));
}

}  // namespace rgx::engine
