#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <string>

#include "cli/progress_signals.h"
#include "cli/progress_sink.h"

namespace rgx::cli {
namespace {

constexpr int kPollStepMs = 100;
/// So much is written at once where a descriptor could not be opened anew: below PIPE_BUF, and
/// what a terminal takes whenever poll says that it takes something.
constexpr std::size_t kCautiousBytes = 256;

/// Keeps a write to a pipe without a reader from ending the process, whatever the program's own
/// answer to SIGPIPE is. The signal goes to the writing thread, so it is held back and taken here.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalHeld() {
    if (!was_pending_) {
      const timespec now{};
      while (::sigtimedwait(&pipe_, nullptr, &now) == -1 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

enum class Kind : std::uint8_t { own, socket, file, shared };

class DescriptorSink final : public ProgressSink {
 public:
  DescriptorSink(int descriptor, SinkUse use) : descriptor_(descriptor) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) {
      broken_ = true;
      return;
    }
    if (S_ISREG(status.st_mode)) {
      kind_ = Kind::file;
    } else if (S_ISSOCK(status.st_mode)) {
      kind_ = Kind::socket;
    } else {
      const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
      own_ = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
      kind_ = own_ >= 0 ? Kind::own : Kind::shared;
    }
    if (use == SinkUse::terminal) {
      guard_.emplace(target());
    }
  }
  ~DescriptorSink() override {
    guard_.reset();
    if (own_ >= 0) {
      ::close(own_);
    }
  }
  DescriptorSink(const DescriptorSink&) = delete;
  DescriptorSink& operator=(const DescriptorSink&) = delete;

  void write(std::string_view bytes) override {
    if (bytes.size() > kSinkBytesMax - std::min(kSinkBytesMax, waiting())) {
      full_ = true;
    }
    if (broken_ || full_) {
      return;
    }
    waiting_ += bytes;
    static_cast<void>(flush());
  }

  bool flush() override {
    if (broken_ || waiting() == 0) {
      return true;
    }
    const PipeSignalHeld held;
    if (guard_) {
      guard_->set_in_frame(true);
    }
    while (waiting() > 0) {
      const ssize_t written = write_some(std::string_view(waiting_).substr(done_));
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written < 0 && errno == EAGAIN) {
        break;
      }
      if (written < 0) {
        broken_ = true;  // the reader is gone: nobody is left to be told
        break;
      }
      done_ += static_cast<std::size_t>(written);
    }
    // Moved only when half of it is done, so that a long wait is not spent on moving.
    if (broken_ || done_ >= waiting_.size() / 2) {
      waiting_.erase(0, broken_ ? std::string::npos : done_);
      done_ = 0;
    }
    if (guard_ && waiting() == 0) {
      guard_->set_in_frame(false);
    }
    return waiting() == 0;
  }

  void drain(std::int64_t patience_ms) override {
    std::int64_t idle_ms = 0;
    while (!flush() && idle_ms < patience_ms) {
      const std::size_t before = waiting();
      pollfd entry{.fd = target(), .events = POLLOUT, .revents = 0};
      static_cast<void>(::poll(&entry, 1, kPollStepMs));
      static_cast<void>(flush());
      idle_ms = waiting() < before ? 0 : idle_ms + kPollStepMs;
    }
  }

  TerminalSize size() override {
    winsize window{};
    if (::ioctl(target(), TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0) {
      return {};
    }
    return {.rows = window.ws_row, .columns = window.ws_col};
  }

  bool take_continued() override { return guard_ && guard_->take_continued(); }

 private:
  [[nodiscard]] std::size_t waiting() const { return waiting_.size() - done_; }
  [[nodiscard]] int target() const { return own_ >= 0 ? own_ : descriptor_; }

  [[nodiscard]] ssize_t write_some(std::string_view bytes) const {
    switch (kind_) {
      case Kind::own:
      case Kind::file:
        return ::write(target(), bytes.data(), bytes.size());
      case Kind::socket:
        return ::send(target(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      case Kind::shared:
        break;
    }
    pollfd entry{.fd = target(), .events = POLLOUT, .revents = 0};
    if (::poll(&entry, 1, 0) <= 0 || (entry.revents & POLLOUT) == 0) {
      errno = (entry.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0 ? EPIPE : EAGAIN;
      return -1;
    }
    return ::write(target(), bytes.data(), std::min(bytes.size(), kCautiousBytes));
  }

  int descriptor_;
  int own_ = -1;
  Kind kind_ = Kind::shared;
  bool broken_ = false;
  bool full_ = false;
  std::string waiting_;
  std::size_t done_ = 0;  // bytes of it that are written
  std::optional<TerminalGuard> guard_;
};

}  // namespace

std::unique_ptr<ProgressSink> open_progress_sink(int descriptor, SinkUse use) {
  return std::make_unique<DescriptorSink>(descriptor, use);
}

}  // namespace rgx::cli
