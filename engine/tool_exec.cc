#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "engine/exec_environment.h"
#include "engine/exec_view.h"
#include "engine/secret_scan.h"
#include "engine/test_report.h"
#include "engine/tool.h"
#include "engine/tracked_images.h"

// `exec`: one program, no shell, held to what was decided. `check.command` and `check.tests` are
// the same, asked whether it ended well.

namespace rgx::engine {

namespace {

constexpr std::size_t kOutputBytesMax = std::size_t{8} << 20;  // kept of each stream
constexpr std::size_t kDetailLinesMax = 20;
constexpr std::size_t kDetailBytesMax = 4096;

/// More than tail_of() keeps, so that a secret is not cut in two before it is seen.
std::string_view last_part(std::string_view bytes) {
  constexpr std::size_t kSeenBytesMax = 4 * kDetailBytesMax;
  return bytes.size() > kSeenBytesMax ? bytes.substr(bytes.size() - kSeenBytesMax) : bytes;
}

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

/// Both streams: where a program says what went wrong is its own affair.
std::string detail_of(const ProcessOutcome& ran) {
  const std::string out = tail_of(redact_secrets(last_part(ran.out.bytes)));
  const std::string err = tail_of(redact_secrets(last_part(ran.err.bytes)));
  if (out.empty() || err.empty()) {
    return out.empty() ? err : out;
  }
  return "standard output:\n" + out + "\nstandard error:\n" + err;
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : "SIG" + std::string(name);
}

enum class Purpose : std::uint8_t { effect, check_command, check_tests };

class Exec final : public Action {
 public:
  Exec(const ToolRequest& request, ProcessSpec spec, Purpose purpose)
      : ports_(request.ports),
        purpose_(purpose),
        facts_(request.facts),
        run_(request.run),
        index_(request.index),
        spec_(std::move(spec)),
        judged_root_(request.judged_root) {}

  [[nodiscard]] bool is_concurrent() const override { return true; }

  [[nodiscard]] policy::RunBudget needs() const override {
    policy::RunBudget needs;
    needs.processes = 1;
    return needs;
  }

  Status begin() override {
    RGX_TRY(scratch_, ports_.state.make_scratch(run_, index_));
    if (!judged_root_) {
      RGX_TRY(images_, TrackedImages::take(facts_, run_, index_, ports_));
    }
    RGX_TRY(ExecView view, make_exec_view(facts_, scratch_, ports_.workspace));
    spec_.sandbox = std::move(view.sandbox);
    if (!judged_root_) {
      made_ = std::move(view.made);
    } else {  // links to what was not copied lead there
      const std::string& copy = ports_.workspace.root();
      for (const std::string& path : std::vector(spec_.sandbox.read_below)) {
        if (path.starts_with(copy)) {
          spec_.sandbox.read_below.push_back(*judged_root_ + path.substr(copy.size()));
        }
      }
    }
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
    if (!judged_root_) {
      outcome.changed = images_.changes(ports_);
    }
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
    describe_tests(ran, outcome);
    outcome.values.set("leftovers", ran.leftovers);
    if (outcome.state != StepState::succeeded) {
      outcome.detail = detail_of(ran);
    }
    store(outcome, "stderr", ran.err);
    store(outcome, "stdout", ran.out);
    return outcome;
  }

  void describe_end(const ProcessOutcome& ran, Outcome& outcome) const {
    switch (ran.end) {
      case ProcessOutcome::End::exited:
        outcome.exit_code = ran.code;
        outcome.values.set("exit_code", ran.code);
        outcome.state = ran.code == 0 ? StepState::succeeded : StepState::failed;
        outcome.summary = "exit status " + std::to_string(ran.code);
        return;
      case ProcessOutcome::End::signalled:
        outcome.signal = ran.code;
        outcome.state = StepState::failed;
        outcome.summary = "ended by " + signal_name(ran.code);
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

  /// Where a runner of tests came to a result, that says more than how it ended.
  void describe_tests(const ProcessOutcome& ran, Outcome& outcome) const {
    const auto report = read_test_report(ran.out.bytes, ran.err.bytes);
    if (report) {
      outcome.values.set("tests", to_json(*report));
    }
    const bool ended =
        ran.end == ProcessOutcome::End::exited || ran.end == ProcessOutcome::End::signalled;
    const bool good = outcome.state == StepState::succeeded;
    if (ended && report && (report->failed > 0 || good)) {
      outcome.summary = describe(*report) + (good ? "" : ", " + outcome.summary);
    } else if (ended && !good && report) {
      outcome.summary = "the runner broke after " + describe(*report) + ": " + outcome.summary;
    } else if (ended && !good && purpose_ == Purpose::check_tests) {
      outcome.summary = "the runner broke before any result: " + outcome.summary;
    }
    if (purpose_ == Purpose::effect) {
      return;
    }
    // A runner that hides a failing test behind status 0 convinces nobody.
    if (purpose_ == Purpose::check_tests && good && report && report->failed > 0) {
      outcome.state = StepState::failed;
    }
    const bool passed = outcome.state == StepState::succeeded;
    outcome.values.set("passed", passed);
    if (!passed && outcome.state == StepState::failed) {
      const std::string_view code =
          purpose_ == Purpose::check_tests ? "check.tests" : "check.command";
      outcome.error = make_error(ErrorKind::failed, code, outcome.summary).first();
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
  Purpose purpose_;
  policy::Facts facts_;
  RunId run_;
  std::size_t index_;
  ProcessSpec spec_;
  std::optional<std::string> judged_root_;
  std::string scratch_;
  TrackedImages images_;
  std::vector<std::string> made_;
  Result<ProcessOutcome> ran_ =
      fail(ErrorKind::internal, "process.not_run", "the program was never started");
};

Result<std::unique_ptr<Action>> prepare(const ToolRequest& request, Purpose purpose) {
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
  spec.env = fixed_environment(request.step);
  spec.timeout_ms = request.timeout_ms;
  spec.output_bytes_max = kOutputBytesMax;
  if (Observer* observer = request.ports.observer) {
    spec.on_output = [observer, step = request.step.id](std::int64_t bytes) {
      observer->step_output(step, bytes);
    };
  }
  return std::unique_ptr<Action>(std::make_unique<Exec>(request, std::move(spec), purpose));
}

}  // namespace

Result<std::unique_ptr<Action>> prepare_exec(const ToolRequest& request) {
  return prepare(request, Purpose::effect);
}

Result<std::unique_ptr<Action>> prepare_check_command(const ToolRequest& request) {
  return prepare(request, Purpose::check_command);
}

Result<std::unique_ptr<Action>> prepare_check_tests(const ToolRequest& request) {
  return prepare(request, Purpose::check_tests);
}

}  // namespace rgx::engine
