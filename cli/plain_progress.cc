#include "cli/plain_progress.h"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "cli/plan_view.h"

namespace rgx::cli {
namespace {

constexpr std::chrono::seconds kHeartbeat{30};  // no wait over it is silent

Tone tone_of(engine::StepState state) {
  switch (state) {
    case engine::StepState::succeeded:
      return Tone::plain;
    case engine::StepState::skipped:
    case engine::StepState::cancelled:
      return Tone::careful;
    case engine::StepState::failed:
    case engine::StepState::timed_out:
    case engine::StepState::refused:
      return Tone::bad;
  }
  RGX_CHECK(false);
}

std::string_view word_of(engine::StepState state) {
  return state == engine::StepState::succeeded ? "ok" : engine::to_string(state);
}

}  // namespace

PlainProgress::PlainProgress(Output& output, Clock& clock) : output_(output), clock_(clock) {
  // Signals are for the thread that runs the plan.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  RGX_CHECK(::pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  heartbeat_ = std::thread([this] { beat(); });
  RGX_CHECK(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
}

PlainProgress::~PlainProgress() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  heartbeat_.join();
}

void PlainProgress::run_started(const RunId& run, std::size_t steps) {
  steps_ = steps;
  output_.say("run " + run.text() + ": " + counted(static_cast<std::int64_t>(steps), "step"));
}

void PlainProgress::step_started(const engine::StepEvent& event) {
  const std::scoped_lock lock(mutex_);
  running_.emplace(event.step.text(), clock_.monotonic_ms());
}

void PlainProgress::step_finished(const engine::StepEvent& event) {
  {
    const std::scoped_lock lock(mutex_);
    running_.erase(event.step.text());
  }
  ++finished_;
  std::string text = "[" + std::to_string(finished_) + "/" + std::to_string(steps_) + "] " +
                     std::string(word_of(event.state)) + "  " + printable(event.step.text());
  if (!event.summary.empty()) {
    text += "  " + printable(event.summary);
  }
  if (event.state != engine::StepState::skipped) {
    text += "  " + duration_text(event.wall_ms);
  }
  output_.say(tone_of(event.state), text);
  if (event.detail.empty() || event.state == engine::StepState::succeeded) {
    return;
  }
  std::string_view detail = event.detail;
  while (detail.ends_with('\n')) {
    detail.remove_suffix(1);
  }
  for (const std::string_view line : split(detail, '\n')) {
    output_.say("    " + std::string(line));
  }
}

void PlainProgress::run_finished(const RunId& /*run*/) {
  const std::scoped_lock lock(mutex_);
  running_.clear();
}

void PlainProgress::beat() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kHeartbeat, [this] { return over_; })) {
    const std::int64_t now = clock_.monotonic_ms();
    for (const auto& [step, start] : running_) {
      output_.say("    still running: " + printable(step) + ", " + duration_text(now - start));
    }
  }
}

}  // namespace rgx::cli
