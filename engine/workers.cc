#include "engine/workers.h"

#include <utility>

namespace rgx::engine {

Workers::Workers(std::size_t count) {
  threads_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    threads_.emplace_back([this] { serve(); });
  }
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    jobs_.clear();
  }
  submitted_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void Workers::submit(std::size_t tag, std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back({tag, std::move(job)});
  }
  submitted_.notify_one();
}

std::optional<std::size_t> Workers::wait(std::chrono::milliseconds pause) {
  std::unique_lock lock(mutex_);
  if (!ended_.wait_for(lock, pause, [this] { return !results_.empty(); })) {
    return std::nullopt;
  }
  const std::size_t tag = results_.front();
  results_.pop_front();
  return tag;
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    submitted_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    if (jobs_.empty()) {
      return;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job.work();
    job.work = nullptr;  // what it holds ends on this thread, before anybody hears of it
    lock.lock();
    results_.push_back(job.tag);
    ended_.notify_one();
  }
}

}  // namespace rgx::engine
