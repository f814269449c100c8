#include "cli/progress_view.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace rgx::cli {
namespace {

constexpr std::string_view kOtherGroup = "other";
/// A group of fewer steps says less than the steps themselves.
constexpr std::size_t kGroupStepsMin = 2;

/// What the instances of one template step have in common: `edit[*]` of `edit[src/a.c]`.
std::string stem_of(const PlannedStep& step) {
  const std::size_t bracket = step.id.find('[');
  if (bracket != std::string::npos && bracket > 0) {
    return step.id.substr(0, bracket) + "[*]";
  }
  return step.phase;
}

bool is_trouble(StepEnd end) {
  return end == StepEnd::failed || end == StepEnd::timed_out || end == StepEnd::refused;
}

}  // namespace

std::size_t Tally::total() const {
  return succeeded + failed + refused + skipped + cancelled + unfinished + running + asking +
         waiting;
}

std::size_t& Tally::of(const StepView& step) {
  switch (step.stage) {
    case StepStage::waiting:
      return waiting;
    case StepStage::asking:
      return asking;
    case StepStage::running:
      return running;
    case StepStage::ended:
      break;
  }
  switch (step.end) {
    case StepEnd::succeeded:
      return succeeded;
    case StepEnd::failed:
    case StepEnd::timed_out:
      return failed;
    case StepEnd::refused:
      return refused;
    case StepEnd::skipped:
      return skipped;
    case StepEnd::cancelled:
      return cancelled;
    case StepEnd::unfinished:
      return unfinished;
  }
  RGX_CHECK(false);
}

std::vector<ProgressEvent> RunView::apply(ProgressEvent event) {
  // A stream is read with its clock going forward, whatever a record says.
  event.at_ms = std::max(event.at_ms, last_ms_);
  std::vector<ProgressEvent> effects;
  if (finished_) {
    return effects;
  }
  if (std::holds_alternative<RunFinished>(event.body)) {
    for (const StepView& step : steps_) {
      if (step.stage != StepStage::ended) {
        effects.push_back(
            {.at_ms = event.at_ms,
             .record = {},
             .body = StepFinished{
                 .step = step.plan.id, .end = StepEnd::unfinished, .summary = {}, .detail = {}}});
      }
    }
    for (const ProgressEvent& end : effects) {
      RGX_CHECK(take(end));
    }
  }
  if (take(event)) {
    last_ms_ = event.at_ms;
    effects.push_back(std::move(event));
  }
  return effects;
}

ProgressEvent RunView::aborted() const {
  return {.at_ms = last_ms_, .record = {}, .body = RunFinished{}};
}

bool RunView::take(const ProgressEvent& event) {
  return std::visit([this, &event](const auto& body) { return take(event.at_ms, body); },
                    event.body);
}

bool RunView::take(std::int64_t at_ms, const RunAnnounced& body) {
  if (is_announced()) {
    return false;
  }
  announced_ms_ = at_ms;
  std::map<std::string_view, std::size_t> phase_index;
  run_ = {.run = body.run,
          .plan = body.plan,
          .admission = body.admission,
          .steps = {},
          .done_before = body.done_before};
  for (const PlannedStep& planned : body.steps) {
    if (!index_.emplace(planned.id, steps_.size()).second) {
      continue;
    }
    StepView& step = steps_.emplace_back();
    step.plan = planned;
    step.since_ms = at_ms;
    const auto [phase, is_new] = phase_index.emplace(planned.phase, phases_.size());
    step.phase = phase->second;
    if (is_new) {
      phases_.push_back(planned.phase);
      open_in_phase_.push_back(0);
    }
    ++open_in_phase_[step.phase];
  }
  dependents_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const std::string& need : steps_[i].plan.needs) {
      if (const auto found = index_.find(need); found != index_.end()) {
        dependents_[found->second].push_back(i);
      }
    }
  }
  tally_.waiting = steps_.size();
  make_groups();
  return true;
}

void RunView::make_groups() {
  std::map<std::string, std::size_t, std::less<>> sizes;
  for (const StepView& step : steps_) {
    ++sizes[stem_of(step.plan)];
  }
  std::map<std::string, std::size_t, std::less<>> places;
  for (StepView& step : steps_) {
    std::string name = stem_of(step.plan);
    if (name.empty() || sizes[name] < kGroupStepsMin) {
      name = kOtherGroup;
    }
    const auto [place, is_new] = places.emplace(name, groups_.size());
    if (is_new) {
      groups_.push_back({.name = name, .tally = {}});
    }
    step.group = place->second;
    ++groups_[step.group].tally.waiting;
  }
}

StepView* RunView::open_step(std::string_view id) {
  const auto found = find(id);
  if (!found || steps_[*found].stage == StepStage::ended) {
    return nullptr;
  }
  return &steps_[*found];
}

void RunView::enter(StepView& step, StepStage stage, StepEnd end, std::int64_t at_ms) {
  const auto index = static_cast<std::size_t>(&step - steps_.data());
  StepGroup& group = groups_[step.group];
  --tally_.of(step);
  --group.tally.of(step);
  running_.erase(index);
  asking_.erase(index);
  step.stage = stage;
  step.end = end;
  step.since_ms = at_ms;
  ++tally_.of(step);
  ++group.tally.of(step);
  if (stage == StepStage::running) {
    step.output_ms = at_ms;
    running_.insert(index);
  } else if (stage == StepStage::asking) {
    asking_.insert(index);
  } else if (stage == StepStage::ended) {
    --open_in_phase_[step.phase];
    if (end == StepEnd::succeeded) {
      last_succeeded_ = index;
    } else if (is_trouble(end)) {
      troubles_.push_back(index);
    }
  }
  while (waiting_from_ < steps_.size() && steps_[waiting_from_].stage != StepStage::waiting) {
    ++waiting_from_;
  }
}

bool RunView::take(std::int64_t at_ms, const StepStarted& body) {
  StepView* step = open_step(body.step);
  if (step == nullptr || step->stage == StepStage::running) {
    return false;
  }
  step->asks = {};
  enter(*step, StepStage::running, StepEnd::unfinished, at_ms);
  return true;
}

bool RunView::take(std::int64_t at_ms, const StepOutput& body) {
  StepView* step = open_step(body.step);
  if (step == nullptr || step->stage != StepStage::running || body.bytes < 0) {
    return false;
  }
  step->output_ms = at_ms;
  step->output_bytes += body.bytes;
  return true;
}

bool RunView::take(std::int64_t at_ms, const StepWaiting& body) {
  StepView* step = open_step(body.step);
  if (step == nullptr || step->stage == StepStage::asking) {
    return false;
  }
  step->asks = body;
  enter(*step, StepStage::asking, StepEnd::unfinished, at_ms);
  return true;
}

bool RunView::take(std::int64_t at_ms, const StepFinished& body) {
  StepView* step = open_step(body.step);
  if (step == nullptr) {
    return false;
  }
  step->summary = body.summary;
  step->detail = body.detail;
  step->wall_ms = body.wall_ms;
  enter(*step, StepStage::ended, body.end, at_ms);
  return true;
}

bool RunView::take(std::int64_t /*at_ms*/, const BudgetChanged& body) {
  meters_ = body.meters;
  return true;
}

bool RunView::take(std::int64_t /*at_ms*/, const RunInterrupted& body) {
  const bool is_news = interruption_ != body.how;
  interruption_ = body.how;
  return is_news;
}

bool RunView::take(std::int64_t /*at_ms*/, const RunFinished& body) {
  finished_ = body;
  return true;
}

std::optional<std::size_t> RunView::find(std::string_view step) const {
  const auto found = index_.find(step);
  if (found == index_.end()) {
    return std::nullopt;
  }
  return found->second;
}

const StepView& RunView::step(std::string_view id) const {
  const auto found = index_.find(id);
  RGX_CHECK(found != index_.end());
  return steps_[found->second];
}

std::vector<std::size_t> RunView::waiting(std::size_t count_max) const {
  std::vector<std::size_t> found;
  for (std::size_t i = waiting_from_; i < steps_.size() && found.size() < count_max; ++i) {
    if (steps_[i].stage == StepStage::waiting) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> RunView::longest_silent() const {
  std::vector<std::size_t> found(running_.begin(), running_.end());
  std::stable_sort(found.begin(), found.end(), [this](std::size_t left, std::size_t right) {
    return steps_[left].output_ms < steps_[right].output_ms;
  });
  return found;
}

std::size_t RunView::phase() const {
  for (std::size_t i = 0; i < open_in_phase_.size(); ++i) {
    if (open_in_phase_[i] > 0) {
      return i;
    }
  }
  return open_in_phase_.empty() ? 0 : open_in_phase_.size() - 1;
}

std::size_t RunView::skipped_because_of(std::size_t step) const {
  std::vector<bool> seen(steps_.size(), false);
  std::vector<std::size_t> front = {step};
  std::size_t skipped = 0;
  while (!front.empty()) {
    const std::size_t at = front.back();
    front.pop_back();
    for (const std::size_t next : dependents_[at]) {
      const StepView& dependent = steps_[next];
      if (seen[next] || dependent.stage != StepStage::ended || dependent.end != StepEnd::skipped) {
        continue;
      }
      seen[next] = true;
      ++skipped;
      front.push_back(next);
    }
  }
  return skipped;
}

}  // namespace rgx::cli
