#include "engine/scheduler.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/check.h"

namespace rgx::engine {

namespace {

using Edges = std::vector<std::vector<std::size_t>>;

/// For each step the steps that need it.
Edges dependents_of(const templates::Plan& plan) {
  // Sorted names and a binary search: a hash map would cost a node for each step.
  std::vector<std::size_t> by_id(plan.steps.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  const auto id_of = [&plan](std::size_t step) -> const StepId& { return plan.steps[step].id; };
  std::ranges::sort(by_id, {}, id_of);
  Edges dependents(plan.steps.size());
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (const StepId& need : plan.steps[step].needs) {
      const auto found = std::ranges::lower_bound(by_id, need, {}, id_of);
      RGX_CHECK(found != by_id.end());
      RGX_CHECK(id_of(*found) == need);
      dependents[*found].push_back(step);
    }
  }
  return dependents;
}

/// Length of the longest chain of dependents below each step.
std::vector<std::size_t> ranks_of(const Edges& dependents) {
  std::vector<std::size_t> needs(dependents.size(), 0);
  for (const auto& below : dependents) {
    for (const std::size_t step : below) {
      ++needs[step];
    }
  }
  std::vector<std::size_t> order;
  order.reserve(dependents.size());
  for (std::size_t step = 0; step < needs.size(); ++step) {
    if (needs[step] == 0) {
      order.push_back(step);
    }
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::size_t below : dependents[order[at]]) {
      if (--needs[below] == 0) {
        order.push_back(below);
      }
    }
  }
  RGX_CHECK(order.size() == dependents.size());  // no cycle
  std::vector<std::size_t> ranks(dependents.size(), 0);
  for (auto step = order.rbegin(); step != order.rend(); ++step) {
    for (const std::size_t below : dependents[*step]) {
      ranks[*step] = std::max(ranks[*step], ranks[below] + 1);
    }
  }
  return ranks;
}

}  // namespace

Scheduler::Scheduler(const templates::Plan& plan)
    : dependents_(dependents_of(plan)),
      waiting_(plan.steps.size(), 0),
      order_(plan.steps.size(), 0),
      progress_(plan.steps.size(), Progress::waiting),
      open_(plan.steps.size()) {
  const std::vector<std::size_t> ranks = ranks_of(dependents_);
  std::vector<std::size_t> sorted(plan.steps.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  // The id is there so that equal ranks start in the same order on every machine.
  std::ranges::sort(sorted, [&](std::size_t a, std::size_t b) {
    return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : plan.steps[a].id < plan.steps[b].id;
  });
  for (std::size_t at = 0; at < sorted.size(); ++at) {
    order_[sorted[at]] = at;
  }
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    waiting_[step] = plan.steps[step].needs.size();
    if (waiting_[step] == 0) {
      make_ready(step);
    }
  }
}

void Scheduler::make_ready(std::size_t step) {
  progress_[step] = Progress::ready;
  ready_.push_back(step);
  std::ranges::push_heap(ready_, std::greater<>(), [this](std::size_t s) { return order_[s]; });
}

void Scheduler::settle(std::size_t step) {
  RGX_CHECK(progress_[step] != Progress::settled);
  progress_[step] = Progress::settled;
  --open_;
}

std::optional<std::size_t> Scheduler::next() {
  if (ready_.empty()) {
    return std::nullopt;
  }
  std::ranges::pop_heap(ready_, std::greater<>(), [this](std::size_t s) { return order_[s]; });
  const std::size_t step = ready_.back();
  ready_.pop_back();
  progress_[step] = Progress::taken;
  return step;
}

void Scheduler::put_back(std::size_t step) {
  RGX_CHECK(progress_[step] == Progress::taken);
  make_ready(step);
}

void Scheduler::succeeded(std::size_t step) {
  RGX_CHECK(progress_[step] == Progress::taken);
  settle(step);
  for (const std::size_t below : dependents_[step]) {
    // A dependent of a failed step is settled already.
    if (--waiting_[below] == 0 && progress_[below] == Progress::waiting) {
      make_ready(below);
    }
  }
}

std::vector<std::size_t> Scheduler::failed(std::size_t step) {
  RGX_CHECK(progress_[step] == Progress::taken);
  settle(step);
  std::vector<std::size_t> skipped;
  std::vector<std::size_t> pending = {step};
  while (!pending.empty()) {
    const std::size_t at = pending.back();
    pending.pop_back();
    for (const std::size_t below : dependents_[at]) {
      if (progress_[below] != Progress::settled) {
        settle(below);
        skipped.push_back(below);
        pending.push_back(below);
      }
    }
  }
  std::ranges::sort(skipped);
  return skipped;
}

bool Scheduler::finished() const {
  return open_ == 0;
}

std::vector<std::size_t> Scheduler::not_started() const {
  std::vector<std::size_t> steps;
  for (std::size_t step = 0; step < progress_.size(); ++step) {
    if (progress_[step] == Progress::waiting || progress_[step] == Progress::ready) {
      steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace rgx::engine
