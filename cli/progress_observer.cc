#include "cli/progress_observer.h"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "cli/output.h"
#include "engine/budget.h"

namespace rgx::cli {
namespace {

constexpr std::chrono::milliseconds kTick{kRepaintMs};
/// The painter is woken before its time when so many events wait.
constexpr std::size_t kQueueMany = 4096;
constexpr std::size_t kTitleBytesMax = 200;

StepEnd end_of(engine::StepState state) {
  switch (state) {
    case engine::StepState::succeeded:
      return StepEnd::succeeded;
    case engine::StepState::failed:
      return StepEnd::failed;
    case engine::StepState::timed_out:
      return StepEnd::timed_out;
    case engine::StepState::cancelled:
      return StepEnd::cancelled;
    case engine::StepState::refused:
      return StepEnd::refused;
    case engine::StepState::skipped:
      return StepEnd::skipped;
  }
  RGX_CHECK(false);
}

/// Signals that ask for something are for the thread that runs the plan; those that say that this
/// one is broken are not held back.
void hold_signals(sigset_t& before) {
  sigset_t all;
  ::sigfillset(&all);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::sigdelset(&all, signal);
  }
  RGX_CHECK(::pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string words_of(const Json& value) {
  if (value.is_string()) {
    return first_line(value.as_string());
  }
  if (!value.is_array()) {
    return {};
  }
  std::vector<std::string> words;
  for (const Json& item : value.as_array()) {
    if (item.is_string()) {
      words.push_back(first_line(item.as_string()));
    }
  }
  return shell_words(words);
}

}  // namespace

std::string title_of(const templates::ToolUse& use) {
  std::string title;
  // In the order in which people name them; a tool has few of these.
  for (const std::string_view key : {"argv", "script", "word", "text", "pattern", "message", "url",
                                     "adapter", "objective", "prompt", "path", "paths"}) {
    const Json* value = use.with.find(key);
    const std::string words = value == nullptr ? "" : words_of(*value);
    if (!words.empty()) {
      title += (title.empty() ? "" : " ") + words;
    }
  }
  if (const Json* to = use.with.find("to"); to != nullptr && to->is_string()) {
    title += " -> " + to->as_string();
  }
  if (title.size() > kTitleBytesMax) {
    std::size_t end = kTitleBytesMax;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    title = title.substr(0, end) + "...";
  }
  return title;
}

RunEnd run_end(engine::RunState state) {
  switch (state) {
    case engine::RunState::succeeded:
      return RunEnd::succeeded;
    case engine::RunState::failed:
      return RunEnd::failed;
    case engine::RunState::denied:
      return RunEnd::denied;
    case engine::RunState::budget_exhausted:
      return RunEnd::budget_exhausted;
    case engine::RunState::drifted:
      return RunEnd::drifted;
    case engine::RunState::waiting:
      return RunEnd::waiting;
    case engine::RunState::interrupted:
      return RunEnd::interrupted;
  }
  RGX_CHECK(false);
}

RunAnnounced announce(const templates::SealedPlan& plan, const Digest& admission) {
  RunAnnounced announced{.run = {},
                         .plan = plan.digest().to_string(),
                         .admission = admission.to_string(),
                         .steps = {},
                         .done_before = 0};
  for (const templates::Step& step : plan.plan().steps) {
    PlannedStep& planned = announced.steps.emplace_back();
    planned.id = step.id.text();
    planned.tool = step.tool.use;
    planned.title = title_of(step.tool);
    for (const StepId& need : step.needs) {
      planned.needs.push_back(need.text());
    }
  }
  std::string before = plan.plan().steps.empty() ? "" : plan.plan().steps.back().id.text();
  for (const templates::Step& check : plan.plan().acceptance) {
    PlannedStep& planned = announced.steps.emplace_back();
    planned.id = check.id.text();
    planned.tool = check.tool.use;
    planned.title = title_of(check.tool);
    if (!before.empty()) {
      planned.needs.push_back(before);
    }
    before = planned.id;
  }
  return announced;
}

ProgressObserver::ProgressObserver(ProgressPainter& painter, Watched watched, RunAnnounced plan)
    : painter_(painter),
      clock_(watched.clock),
      interruption_(watched.interruption),
      plan_(std::move(plan)),
      begin_ms_(watched.clock.monotonic_ms()) {
  sigset_t before;
  hold_signals(before);
  thread_ = std::thread([this] { paint(); });
  RGX_CHECK(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
}

ProgressObserver::~ProgressObserver() {
  close({});
}

void ProgressObserver::run_started(const RunId& run, std::size_t /*steps*/) {
  run_ = run.text();
  plan_.run = run_;
  push(std::move(plan_));
}

void ProgressObserver::steps_restored(const std::set<StepId>& steps) {
  const auto is_done = [&steps](const std::string& id) { return steps.contains(StepId(id)); };
  plan_.done_before = static_cast<std::int64_t>(
      std::erase_if(plan_.steps, [&](const PlannedStep& step) { return is_done(step.id); }));
  for (PlannedStep& step : plan_.steps) {
    std::erase_if(step.needs, is_done);
  }
}

void ProgressObserver::step_started(const engine::StepEvent& event) {
  push(StepStarted{.step = event.step.text()}, event.record);
}

void ProgressObserver::step_finished(const engine::StepEvent& event) {
  push(StepFinished{.step = event.step.text(),
                    .end = end_of(event.state),
                    .summary = event.summary,
                    .detail = event.detail,
                    .wall_ms = event.wall_ms},
       event.record);
}

// The end of the run is told by close(): only the caller of the engine knows the exit code.
void ProgressObserver::run_finished(const RunId& /*run*/) {}

void ProgressObserver::step_output(const StepId& step, std::int64_t bytes) {
  const std::scoped_lock lock(mutex_);
  output_[step.text()] += bytes;
}

void ProgressObserver::step_waiting(const engine::ApprovalRequest& request) {
  push(StepWaiting{.step = request.step.text(),
                   .rule = request.rule,
                   .need = request.need,
                   .how = "rgx approve " + run_ + " " + shell_word(request.step.text())});
}

void ProgressObserver::budget_changed(const engine::Budget& budget) {
  BudgetChanged changed;
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    changed.meters.push_back({.name = std::string(field.name),
                              .spent = budget.spent().*(field.member),
                              .reserved = budget.reserved().*(field.member),
                              .limit = budget.limit().*(field.member)});
  }
  push(std::move(changed));
}

void ProgressObserver::close(RunFinished end) {
  {
    const std::scoped_lock lock(mutex_);
    if (closing_) {
      return;
    }
    push_locked(std::move(end));
    closing_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::int64_t ProgressObserver::now_ms() {
  return clock_.monotonic_ms() - begin_ms_;
}

void ProgressObserver::push(ProgressBody body, std::optional<std::uint64_t> record) {
  const std::scoped_lock lock(mutex_);
  push_locked(std::move(body), record);
}

void ProgressObserver::push_locked(ProgressBody body, std::optional<std::uint64_t> record) {
  flush_output();  // it came before
  queue_.push_back({.at_ms = now_ms(), .record = record, .body = std::move(body)});
  if (queue_.size() >= kQueueMany) {
    wake_.notify_all();
  }
}

void ProgressObserver::flush_output() {
  for (auto& [step, bytes] : std::exchange(output_, {})) {
    queue_.push_back(
        {.at_ms = now_ms(), .record = {}, .body = StepOutput{.step = step, .bytes = bytes}});
  }
}

void ProgressObserver::notice_interruption() {
  if (interruption_ == nullptr) {
    return;
  }
  if (interruption_->stop.load() && !std::exchange(told_stop_, true)) {
    told_finish_ = true;
    push_locked(RunInterrupted{.how = Interruption::stop_running});
  } else if (interruption_->finish.load() && !std::exchange(told_finish_, true)) {
    push_locked(RunInterrupted{.how = Interruption::finish_running});
  }
}

void ProgressObserver::paint() {
  std::unique_lock lock(mutex_);
  bool is_last = false;
  while (!is_last) {
    wake_.wait_for(lock, kTick, [this] { return closing_ || queue_.size() >= kQueueMany; });
    is_last = closing_;
    if (!is_last) {
      notice_interruption();
    }
    flush_output();
    const std::vector<ProgressEvent> events = std::exchange(queue_, {});
    lock.unlock();
    for (const ProgressEvent& event : events) {
      painter_.on(event);
    }
    painter_.tick(now_ms());
    lock.lock();
  }
  lock.unlock();
  painter_.finish();
}

}  // namespace rgx::cli
