#include "cli/progress_signals.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include "base/check.h"
#include "cli/progress_frame.h"

namespace rgx::cli {
namespace {

constexpr std::array<int, 9> kEndings = {SIGHUP,  SIGINT, SIGQUIT, SIGTERM, SIGABRT,
                                         SIGSEGV, SIGBUS, SIGFPE,  SIGILL};

constexpr int kOnce = static_cast<int>(SA_RESETHAND) | SA_NODEFER;

// A handler has no argument to reach these by, so they are the one global state of the program.
std::atomic<int> guarded_descriptor{-1};
std::atomic<bool> is_in_frame{false};
std::atomic<bool> was_continued{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

std::array<bool, kEndings.size()> handled_endings{};
bool handles_continue = false;

extern "C" void rgx_end_frame(int signal) {
  const int saved = errno;
  const int descriptor = guarded_descriptor.load();
  if (descriptor >= 0 && is_in_frame.load()) {
    // The descriptor does not block, and a terminal that takes nothing cannot be helped.
    const ssize_t written = ::write(descriptor, kTerminalRestore.data(), kTerminalRestore.size());
    static_cast<void>(written);
  }
  errno = saved;
  // SA_RESETHAND has put the default back: the process ends by this signal.
  ::raise(signal);
}

extern "C" void rgx_note_continue(int /*signal*/) {
  was_continued.store(true);
}

using Handler = void (*)(int);

bool handle(int signal, Handler handler, int flags) {
  struct sigaction current{};
  if (::sigaction(signal, nullptr, &current) != 0 || (current.sa_flags & SA_SIGINFO) != 0 ||
      current.sa_handler != SIG_DFL) {
    return false;
  }
  struct sigaction wanted{};
  wanted.sa_handler = handler;
  wanted.sa_flags = flags;
  ::sigemptyset(&wanted.sa_mask);
  return ::sigaction(signal, &wanted, nullptr) == 0;
}

void leave(int signal, Handler handler) {
  struct sigaction current{};
  if (::sigaction(signal, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) == 0 &&
      current.sa_handler == handler) {
    struct sigaction before{};
    before.sa_handler = SIG_DFL;
    ::sigemptyset(&before.sa_mask);
    ::sigaction(signal, &before, nullptr);
  }
}

}  // namespace

TerminalGuard::TerminalGuard(int descriptor) {
  RGX_CHECK(guarded_descriptor.load() == -1);
  guarded_descriptor.store(descriptor);
  for (std::size_t i = 0; i < kEndings.size(); ++i) {
    handled_endings.at(i) = handle(kEndings.at(i), rgx_end_frame, kOnce);
  }
  handles_continue = handle(SIGCONT, rgx_note_continue, SA_RESTART);
}

TerminalGuard::~TerminalGuard() {
  for (std::size_t i = 0; i < kEndings.size(); ++i) {
    if (handled_endings.at(i)) {
      leave(kEndings.at(i), rgx_end_frame);
    }
  }
  if (handles_continue) {
    leave(SIGCONT, rgx_note_continue);
  }
  is_in_frame.store(false);
  guarded_descriptor.store(-1);
}

void TerminalGuard::set_in_frame(bool in_frame) {
  is_in_frame.store(in_frame);
}

bool TerminalGuard::take_continued() {
  return was_continued.exchange(false);
}

}  // namespace rgx::cli
