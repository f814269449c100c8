#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
    if (bytes.size() > kSinkBytesMax - std::min(kSinkBytesMax, waiting_.size())) {
      full_ = true;
    }
    if (broken_ || full_) {
      return;
    }
    waiting_ += bytes;
    static_cast<void>(flush());
  }

  bool flush() override {
    if (broken_ || waiting_.empty()) {
      return true;
    }
    const PipeSignalHeld held;
    if (guard_) {
      guard_->set_in_frame(true);
    }
    std::size_t done = 0;
    while (done < waiting_.size()) {
      const ssize_t written = write_some(std::string_view(waiting_).substr(done));
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        break;
      }
      if (written < 0) {
        broken_ = true;  // the reader is gone: nobody is left to be told
        break;
      }
      done += static_cast<std::size_t>(written);
    }
    waiting_.erase(0, done);
    if (broken_) {
      waiting_.clear();
    }
    if (guard_ && waiting_.empty()) {
      guard_->set_in_frame(false);
    }
    return waiting_.empty();
  }

  void drain(std::int64_t patience_ms) override {
    std::int64_t idle_ms = 0;
    while (!flush() && idle_ms < patience_ms) {
      const std::size_t before = waiting_.size();
      pollfd entry{.fd = target(), .events = POLLOUT, .revents = 0};
      static_cast<void>(::poll(&entry, 1, kPollStepMs));
      static_cast<void>(flush());
      idle_ms = waiting_.size() < before ? 0 : idle_ms + kPollStepMs;
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
  std::optional<TerminalGuard> guard_;
};

}  // namespace

std::unique_ptr<ProgressSink> open_progress_sink(int descriptor, SinkUse use) {
  return std::make_unique<DescriptorSink>(descriptor, use);
}

}  // namespace rgx::cli
