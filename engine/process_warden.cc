#include "engine/process_warden.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>  // sigset_t functions are POSIX, not in <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "engine/process_tree.h"

// Async-signal-safe throughout: this runs between fork and exec of a program with threads.

namespace rgx::engine {

namespace {

constexpr int kFirstOwnDescriptor = 3;
constexpr int kReapPauseMs = 5;  // between two looks for processes that are being ended
constexpr unsigned kNoLimit = ~0U;

void tell(int fd, WardenMessage::Kind kind, WardenMessage::Stage stage, int value) {
  const WardenMessage message{kind, stage, value};
  // Below PIPE_BUF a write to a pipe is whole or nothing.
  while (write(fd, &message, sizeof(message)) < 0 && errno == EINTR) {
  }
}

int close_all(unsigned first, unsigned last, unsigned flags) {
  return first > last ? 0 : static_cast<int>(syscall(SYS_close_range, first, last, flags));
}

/// A program of root keeps root's files and nothing else that root may do: no devices, mounts,
/// other users' files or processes. Where the rest cannot be given up (a container without
/// SETPCAP), what the program could do is bounded by what rgx itself can do there.
int drop_capabilities() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  prctl(PR_SET_SECUREBITS,
        SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
            SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
            SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
        0, 0, 0);
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/// In the program's process, up to its exec.
[[noreturn]] void start_program(const WardenSetup& setup) {
  using Stage = WardenMessage::Stage;
  const auto give_up = [&setup](Stage stage, int error) {
    tell(setup.status_fd, WardenMessage::Kind::not_started, stage, error);
    _exit(127);
  };
  if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    give_up(Stage::session, errno);
  }
  // What rgx ignores or blocks is its own business.
  struct sigaction normal = {};
  normal.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    sigaction(signal, &normal, nullptr);
  }
  umask(022);
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) {
    give_up(Stage::limits, errno);
  }
  if (chdir(setup.cwd) != 0) {
    give_up(Stage::directory, errno);
  }
  if (dup2(setup.stdin_fd, 0) < 0 || dup2(setup.stdout_fd, 1) < 0 || dup2(setup.stderr_fd, 2) < 0) {
    give_up(Stage::session, errno);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    give_up(Stage::sandbox, errno);
  }
  if (const int error = setup.sandbox->enter(); error != 0) {
    give_up(Stage::sandbox, error);
  }
  if (const int error = drop_capabilities(); error != 0) {
    give_up(Stage::limits, error);
  }
  // The descriptors that are still needed go with the exec.
  if (close_all(kFirstOwnDescriptor, kNoLimit, CLOSE_RANGE_CLOEXEC) != 0) {
    give_up(Stage::session, errno);
  }
  sigset_t open_mask;
  sigemptyset(&open_mask);
  pthread_sigmask(SIG_SETMASK, &open_mask, nullptr);
  if (setup.script_path != nullptr) {
    execve(setup.script_path, setup.argv, setup.envp);
  } else {
    syscall(SYS_execveat, setup.program_fd, "", setup.argv, setup.envp, AT_EMPTY_PATH);
  }
  give_up(Stage::exec, errno);
  _exit(127);
}

/// Closes everything but two descriptors.
void keep_only(int a, int b) {
  const auto low = static_cast<unsigned>(a < b ? a : b);
  const auto high = static_cast<unsigned>(a < b ? b : a);
  if (low > 0) {
    close_all(0, low - 1, 0);
  }
  close_all(low + 1, high - 1, 0);
  close_all(high + 1, kNoLimit, 0);
}

struct Watch {
  pid_t program = -1;
  bool running = true;
  bool terminating = false;  ///< asked to end; the rest of the tree has its grace, too
  bool killing = false;
  int ended = 0;  ///< processes that outlived the program and were ended
};

/// Reaps what has ended; false when no child is left.
bool reap(Watch& watch, int status_fd, bool count) {
  for (;;) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid == 0) {
      return true;
    }
    if (pid < 0) {
      if (errno == EINTR) {
        continue;
      }
      return false;
    }
    if (pid == watch.program) {
      watch.running = false;
      tell(status_fd, WardenMessage::Kind::exited, WardenMessage::Stage::none, status);
    } else if (count) {
      ++watch.ended;
    }
  }
}

void obey(Watch& watch, int control_fd) {
  char command = kWardenKill;
  const ssize_t size = read(control_fd, &command, 1);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (size == 1 && command == kWardenTerminate) {
    watch.terminating = true;
    signal_descendants(SIGTERM);
    signal_descendants(SIGCONT);
    return;
  }
  watch.killing = true;  // asked to, or rgx is gone
}

}  // namespace

void run_warden(const WardenSetup& setup) {
  // Ignored, as some starters leave it, it would take the program's exit status away.
  struct sigaction normal = {};
  normal.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &normal, nullptr);
  if (setsid() < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    tell(setup.status_fd, WardenMessage::Kind::not_started, WardenMessage::Stage::session, errno);
    _exit(1);
  }
  Watch watch;
  watch.program = fork();
  if (watch.program == 0) {
    start_program(setup);
  }
  if (watch.program < 0) {
    tell(setup.status_fd, WardenMessage::Kind::not_started, WardenMessage::Stage::fork, errno);
    _exit(1);
  }
  keep_only(setup.status_fd, setup.control_fd);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  const int signals = signalfd(-1, &child_signal, SFD_NONBLOCK | SFD_CLOEXEC);
  bool control_open = true;
  while (reap(watch, setup.status_fd, !watch.running)) {
    const bool ending = watch.killing || (!watch.running && !watch.terminating);
    if (ending && signal_children(SIGKILL) < 0) {
      kill(-watch.program, SIGKILL);  // no /proc: at least its process group
    }
    struct pollfd waits[] = {{signals, POLLIN, 0},
                             {control_open ? setup.control_fd : -1, POLLIN, 0}};
    // Without a signal descriptor the children are looked for by time.
    poll(waits, 2, ending || signals < 0 ? kReapPauseMs : -1);
    if ((waits[0].revents & POLLIN) != 0) {
      struct signalfd_siginfo drained[8];
      static_cast<void>(!read(signals, drained, sizeof(drained)));
    }
    if (waits[1].revents != 0) {
      obey(watch, setup.control_fd);
      control_open = !watch.killing;
    }
  }
  tell(setup.status_fd, WardenMessage::Kind::ended, WardenMessage::Stage::none, watch.ended);
  _exit(0);
}

}  // namespace rgx::engine
