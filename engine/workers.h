#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

// A few threads that carry out effects. They share nothing with the run but the two queues in
// here: the owner of the run's state submits and collects. Private to the package.

namespace rgx::engine {

class Workers {
 public:
  explicit Workers(std::size_t count);
  /// Waits for what runs; jobs that have not started are dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(Workers&&) = delete;

  [[nodiscard]] std::size_t count() const { return threads_.size(); }
  /// Runs `job` on some thread; `tag` comes back from wait() when it has returned.
  void submit(std::size_t tag, std::function<void()> job);
  /// Tag of a job that has ended; nothing when none does within the time.
  [[nodiscard]] std::optional<std::size_t> wait(std::chrono::milliseconds pause);

 private:
  struct Job {
    std::size_t tag = 0;
    std::function<void()> work;
  };
  void serve();

  std::mutex mutex_;
  std::condition_variable submitted_;
  std::condition_variable ended_;
  std::deque<Job> jobs_;
  std::deque<std::size_t> results_;
  bool closing_ = false;
  std::vector<std::thread> threads_;  // last: they use what is above
};

}  // namespace rgx::engine
