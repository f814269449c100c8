#include "cli/signal_watch.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/check.h"

namespace rgx::cli {
namespace {

// What the handler works on; lock-free, so that it may. INVARIANT: null while no watch lives.
std::atomic<engine::Interruption*> current = nullptr;
std::atomic<int> count = 0;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<engine::Interruption*>::is_always_lock_free);
static_assert(engine::CancelFlag::is_always_lock_free);

constexpr std::array<int, 3> kWatched = {SIGINT, SIGTERM, SIGHUP};

// `nohup` and the like mean what they say.
bool is_ignored(int signal) {
  struct sigaction before = {};
  return signal == SIGHUP && ::sigaction(signal, nullptr, &before) == 0 &&
         before.sa_handler == SIG_IGN;
}

extern "C" void rgx_on_signal(int signal) {
  const int saved_errno = errno;
  engine::Interruption* interruption = current.load();
  if (interruption != nullptr) {
    const int before = count.fetch_add(1);
    int none = 0;
    first_signal.compare_exchange_strong(none, signal);
    if (before >= 2) {
      std::signal(signal, SIG_DFL);
      ::raise(signal);
    }
    interruption->finish.store(true);
    if (before == 1 || signal != SIGINT) {
      interruption->stop.store(true);
    }
  }
  errno = saved_errno;
}

}  // namespace

SignalWatch::SignalWatch() {
  RGX_CHECK(current.load() == nullptr);
  count.store(0);
  first_signal.store(0);
  current.store(&interruption_);
  struct sigaction action = {};
  action.sa_handler = rgx_on_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : kWatched) {
    RGX_CHECK(is_ignored(signal) || ::sigaction(signal, &action, nullptr) == 0);
  }
}

SignalWatch::~SignalWatch() {
  for (const int signal : kWatched) {
    if (!is_ignored(signal)) {
      static_cast<void>(std::signal(signal, SIG_DFL));
    }
  }
  current.store(nullptr);
}

int SignalWatch::signal() const {
  return first_signal.load();
}

}  // namespace rgx::cli
