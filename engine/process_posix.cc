#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // pthread_sigmask is POSIX, not in <csignal>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <memory>

#include "base/check.h"
#include "base/text.h"
#include "engine/posix_io.h"
#include "engine/posix_world.h"
#include "engine/process_warden.h"

// Child processes through a warden (process_warden.h): this side prepares, drains and waits.

namespace rgx::engine {

namespace {

constexpr std::int64_t kCancelPollMs = 50;  // how soon a cancellation is seen
constexpr std::int64_t kProgramBytesMax = std::int64_t{1} << 31;
constexpr std::size_t kPipeReadBytes = 64U << 10;

std::int64_t now_ms() {
  struct timespec now = {};
  RGX_CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

tl::unexpected<Error> not_started(const std::string& program, std::string_view what, int error) {
  return fail(ErrorKind::environment, "process.not_started",
              "`" + printable(program) + "` could not be started (" + std::string(what) +
                  "): " + system_message(error),
              "check that the program and its working directory exist and may be used");
}

std::string_view stage_name(WardenMessage::Stage stage) {
  switch (stage) {
    case WardenMessage::Stage::none:
      return "start";
    case WardenMessage::Stage::fork:
      return "fork";
    case WardenMessage::Stage::session:
      return "session";
    case WardenMessage::Stage::directory:
      return "working directory";
    case WardenMessage::Stage::limits:
      return "limits";
    case WardenMessage::Stage::sandbox:
      return "sandbox";
    case WardenMessage::Stage::exec:
      return "exec";
  }
  return "start";
}

struct Program {
  FileDescriptor fd;
  bool script = false;
};

/// The file itself is opened first; what is checked on the descriptor is what is executed. A `#!`
/// script is the exception: its interpreter opens it by name again, so it is executed by path.
Result<Program> open_program(const ProcessSpec& spec) {
  Program program;
  program.fd = FileDescriptor(open(spec.program.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!program.fd.open() || fstat(program.fd.get(), &status) != 0) {
    return not_started(spec.program, "program", errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return not_started(spec.program, "program", EACCES);
  }
  char head[2] = {};
  program.script = pread(program.fd.get(), head, 2, 0) == 2 && head[0] == '#' && head[1] == '!';
  if (!spec.program_digest) {
    return program;
  }
  const ReadDigest read = digest_file(program.fd.get(), kProgramBytesMax);
  if (read.error != 0) {
    return not_started(spec.program, "program", read.error);
  }
  if (read.digest != *spec.program_digest) {
    return fail(ErrorKind::drift, "process.program_changed",
                "program `" + printable(spec.program) + "` is not the one that was admitted",
                "compile the plan again");
  }
  return program;
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Result<Pipe> make_pipe(const std::string& program) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return not_started(program, "pipe", errno);
  }
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// Commands to the warden. A socket, since a write to a broken pipe would raise SIGPIPE.
Result<Pipe> make_control(const std::string& program) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return not_started(program, "socket", errno);
  }
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// One stream of the program. The last bytes are kept: a failure is told at the end.
class Drain {
 public:
  Drain(FileDescriptor fd, const ProcessSpec& spec)
      : fd_(std::move(fd)),
        bytes_max_(spec.output_bytes_max),
        on_output_(spec.on_output) {
    fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }

  [[nodiscard]] int fd() const { return fd_.get(); }  ///< -1 after the end

  /// Reads what is there; closes at the end of the stream.
  void read_ready() {
    std::array<char, kPipeReadBytes> buffer;
    while (fd_.open()) {
      const ssize_t size = read(fd_.get(), buffer.data(), buffer.size());
      if (size > 0) {
        keep(std::string_view(buffer.data(), static_cast<std::size_t>(size)));
        if (static_cast<std::size_t>(size) < buffer.size()) {
          return;
        }
        continue;
      }
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
      }
      fd_.reset();
    }
  }

  [[nodiscard]] ProcessOutput finish() {
    read_ready();  // what an escaped holder of the pipe may write later is not waited for
    fd_.reset();
    trim();
    return std::move(output_);
  }

 private:
  void keep(std::string_view bytes) {
    output_.bytes_total += static_cast<std::int64_t>(bytes.size());
    if (on_output_) {
      on_output_(static_cast<std::int64_t>(bytes.size()));
    }
    output_.bytes.append(bytes);
    if (output_.bytes.size() > 2 * bytes_max_ + kPipeReadBytes) {
      trim();
    }
  }
  void trim() {
    if (output_.bytes.size() > bytes_max_) {
      output_.bytes.erase(0, output_.bytes.size() - bytes_max_);
    }
  }

  FileDescriptor fd_;
  std::size_t bytes_max_;
  std::function<void(std::int64_t)> on_output_;
  ProcessOutput output_;
};

/// Strings and pointers that live across the fork.
class ArgumentBlock {
 public:
  explicit ArgumentBlock(std::vector<std::string> strings) : strings_(std::move(strings)) {
    pointers_.reserve(strings_.size() + 1);
    for (std::string& text : strings_) {
      pointers_.push_back(text.data());
    }
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

/// The running tree, seen from rgx.
class Watcher {
 public:
  Watcher(const ProcessSpec& spec, const CancelFlag& cancel, Drain out, Drain err,
          FileDescriptor status, FileDescriptor control)
      : spec_(spec),
        cancel_(cancel),
        out_(std::move(out)),
        err_(std::move(err)),
        status_(std::move(status)),
        control_(std::move(control)) {}

  /// Returns when the whole tree is gone.
  Result<ProcessOutcome> wait() {
    const std::int64_t start = now_ms();
    deadline_ = start + spec_.timeout_ms;
    while (!ended_) {
      step();
    }
    ProcessOutcome outcome;
    outcome.wall_ms = now_ms() - start;
    outcome.out = out_.finish();
    outcome.err = err_.finish();
    outcome.leftovers = leftovers_;
    if (not_started_) {
      if (not_started_->stage == WardenMessage::Stage::sandbox) {
        return fail(ErrorKind::environment, "process.sandbox",
                    "the sandbox could not be entered: " + system_message(not_started_->value),
                    "check that the granted paths exist and can be read by you");
      }
      return not_started(spec_.program, stage_name(not_started_->stage), not_started_->value);
    }
    if (!exit_status_) {
      return fail(ErrorKind::environment, "process.lost",
                  "the process that watches `" + printable(spec_.program) + "` was ended",
                  "see whether the machine ran out of memory, and run again");
    }
    const int status = *exit_status_;
    outcome.end = WIFEXITED(status) ? ProcessOutcome::End::exited : ProcessOutcome::End::signalled;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (asked_) {
      outcome.end = *asked_;
    }
    return outcome;
  }

 private:
  void step() {
    const std::int64_t now = now_ms();
    if (!asked_ && !exit_status_) {
      if (cancel_.load()) {
        ask(ProcessOutcome::End::cancelled, now);
      } else if (now >= deadline_) {
        ask(ProcessOutcome::End::timed_out, now);
      }
    } else if (asked_ && !killed_ && now >= kill_at_) {
      killed_ = true;
      command(kWardenKill);
    }
    struct pollfd waits[] = {
        {status_.get(), POLLIN, 0}, {out_.fd(), POLLIN, 0}, {err_.fd(), POLLIN, 0}};
    const std::int64_t next = asked_ ? (killed_ ? now + kCancelPollMs : kill_at_) : deadline_;
    const std::int64_t pause = std::clamp<std::int64_t>(next - now, 0, kCancelPollMs);
    if (poll(waits, 3, static_cast<int>(pause)) <= 0) {
      return;
    }
    if (waits[1].revents != 0) {
      out_.read_ready();
    }
    if (waits[2].revents != 0) {
      err_.read_ready();
    }
    if (waits[0].revents != 0) {
      read_status();
    }
  }

  void ask(ProcessOutcome::End why, std::int64_t now) {
    asked_ = why;
    kill_at_ = now + spec_.grace_ms;
    command(kWardenTerminate);
  }

  void command(char what) {
    // A warden that is gone already needs none.
    static_cast<void>(send(control_.get(), &what, 1, MSG_NOSIGNAL));
  }

  void read_status() {
    WardenMessage message;
    const ssize_t size = read(status_.get(), &message, sizeof(message));
    if (size < 0 && errno == EINTR) {
      return;
    }
    if (size != static_cast<ssize_t>(sizeof(message))) {
      ended_ = true;
      return;
    }
    switch (message.kind) {
      case WardenMessage::Kind::not_started:
        not_started_ = message;
        break;
      case WardenMessage::Kind::exited:
        exit_status_ = message.value;
        break;
      case WardenMessage::Kind::ended:
        leftovers_ = message.value;
        break;
    }
  }

  const ProcessSpec& spec_;
  const CancelFlag& cancel_;
  Drain out_;
  Drain err_;
  FileDescriptor status_;
  FileDescriptor control_;
  std::int64_t deadline_ = 0;
  std::int64_t kill_at_ = 0;
  std::optional<ProcessOutcome::End> asked_;
  std::optional<int> exit_status_;
  std::optional<WardenMessage> not_started_;
  std::int64_t leftovers_ = 0;
  bool killed_ = false;
  bool ended_ = false;
};

/// Forks with every signal blocked, so that no handler of rgx runs in the child.
pid_t fork_warden(const WardenSetup& setup) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    run_warden(setup);
  }
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

class PosixProcessRunner final : public ProcessRunner {
 public:
  explicit PosixProcessRunner(Sandbox& sandbox) : sandbox_(sandbox) {
    // Descriptors 0 to 2 are taken from now on, so that no pipe of a child gets one of them.
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= 2) {
      fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    }
    null_ = FileDescriptor(fd);
  }

  Result<ProcessOutcome> run(const ProcessSpec& spec, const CancelFlag& cancel) override {
    RGX_CHECK(spec.program.starts_with('/'));
    RGX_CHECK(spec.cwd.starts_with('/'));
    RGX_CHECK(!spec.argv.empty());
    RGX_CHECK(spec.timeout_ms > 0);
    if (!null_.open()) {
      return not_started(spec.program, "/dev/null", ENOENT);
    }
    RGX_TRY(const Program program, open_program(spec));
    RGX_TRY(const std::unique_ptr<PreparedSandbox> sandbox, sandbox_.prepare(spec.sandbox));
    RGX_TRY(Pipe out, make_pipe(spec.program));
    RGX_TRY(Pipe err, make_pipe(spec.program));
    RGX_TRY(Pipe status, make_pipe(spec.program));
    RGX_TRY(Pipe control, make_control(spec.program));
    const ArgumentBlock argv(spec.argv);
    std::vector<std::string> variables;
    for (const auto& [name, value] : spec.env) {
      std::string variable = name;
      variable.append("=").append(value);
      variables.push_back(std::move(variable));
    }
    const ArgumentBlock envp(std::move(variables));
    WardenSetup setup;
    setup.program_fd = program.fd.get();
    setup.script_path = program.script ? spec.program.c_str() : nullptr;
    setup.argv = argv.data();
    setup.envp = envp.data();
    setup.cwd = spec.cwd.c_str();
    setup.stdin_fd = null_.get();
    setup.stdout_fd = out.write.get();
    setup.stderr_fd = err.write.get();
    setup.status_fd = status.write.get();
    setup.control_fd = control.read.get();
    setup.sandbox = sandbox.get();
    const pid_t warden = fork_warden(setup);
    if (warden < 0) {
      return not_started(spec.program, "fork", errno);
    }
    out.write.reset();
    err.write.reset();
    status.write.reset();
    control.read.reset();
    Watcher watcher(spec, cancel, Drain(std::move(out.read), spec),
                    Drain(std::move(err.read), spec), std::move(status.read),
                    std::move(control.write));
    auto outcome = watcher.wait();
    int ignored = 0;
    while (waitpid(warden, &ignored, 0) < 0 && errno == EINTR) {
    }
    if (outcome) {
      outcome->sandbox = sandbox->strength();
    }
    return outcome;
  }

 private:
  Sandbox& sandbox_;
  FileDescriptor null_;
};

}  // namespace

std::unique_ptr<ProcessRunner> real_process_runner(Sandbox& sandbox) {
  return std::make_unique<PosixProcessRunner>(sandbox);
}

}  // namespace rgx::engine
