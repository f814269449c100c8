#include "engine/process_tree.h"

#include <fcntl.h>
#include <signal.h>  // kill is POSIX, not in <csignal>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Async-signal-safe: no allocation, no stdio, no locale.

namespace rgx::engine {

namespace {

constexpr std::size_t kListBytes = 16384;
constexpr std::size_t kStatBytes = 1024;         // a stat line's start, far beyond its second name
constexpr std::size_t kProcessesMax = 1U << 16;  // seen in one look; the next look sees the rest

struct Process {
  pid_t id = 0;
  pid_t parent = 0;
  bool below = false;
};

// Written by the forked child only, whose copy of the memory is its own.
std::array<Process, kProcessesMax> seen_processes;

/// The start of an entry as getdents64 lays it out; its name follows.
struct EntryHead {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
};
constexpr std::size_t kNameAt = offsetof(EntryHead, type) + sizeof(EntryHead::type);

pid_t parse_id(const char* text) noexcept {
  std::int64_t id = 0;
  if (*text == '\0') {
    return 0;
  }
  for (; *text >= '0' && *text <= '9'; ++text) {
    id = id * 10 + (*text - '0');
    if (id > 1 << 30) {
      return 0;
    }
  }
  return *text == '\0' ? static_cast<pid_t>(id) : 0;
}

/// Parent of a process: the second field after the last `)` of its stat line; 0 when it is gone.
pid_t parent_of(int proc, const char* name) noexcept {
  const int directory = openat(proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    return 0;
  }
  const int fd = openat(directory, "stat", O_RDONLY | O_CLOEXEC);
  close(directory);
  if (fd < 0) {
    return 0;
  }
  char text[kStatBytes];
  const ssize_t size = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (size <= 0) {
    return 0;
  }
  text[size] = '\0';
  ssize_t at = size - 1;
  while (at > 0 && text[at] != ')') {
    --at;
  }
  // `) S 123 `
  std::int64_t parent = 0;
  for (at += 4; at < size && text[at] >= '0' && text[at] <= '9'; ++at) {
    parent = parent * 10 + (text[at] - '0');
  }
  return static_cast<pid_t>(parent);
}

/// Fills `seen_processes`; how many, or -1 without /proc.
int look() noexcept {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) {
    return -1;
  }
  char list[kListBytes];
  std::size_t count = 0;
  for (;;) {
    const long size = syscall(SYS_getdents64, proc, list, sizeof(list));
    if (size <= 0) {
      break;
    }
    for (long at = 0; at < size;) {
      EntryHead head = {};
      std::memcpy(&head, list + at, kNameAt);
      const char* name = list + at + kNameAt;
      const pid_t id = parse_id(name);
      if (id > 0 && count < kProcessesMax) {
        seen_processes[count++] = {id, parent_of(proc, name), false};
      }
      at += head.size;
    }
  }
  close(proc);
  return static_cast<int>(count);
}

}  // namespace

int signal_children(int signal) noexcept {
  const int count = look();
  const pid_t self = getpid();
  int children = count < 0 ? -1 : 0;
  for (int i = 0; i < count; ++i) {
    const Process& process = seen_processes[static_cast<std::size_t>(i)];
    if (process.parent == self) {
      kill(process.id, signal);
      ++children;
    }
  }
  return children;
}

void signal_descendants(int signal) noexcept {
  const int count = look();
  const pid_t self = getpid();
  const auto is_below = [count, self](pid_t parent) noexcept {
    if (parent == self) {
      return true;
    }
    for (int i = 0; i < count; ++i) {
      const Process& process = seen_processes[static_cast<std::size_t>(i)];
      if (process.id == parent) {
        return process.below;
      }
    }
    return false;
  };
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < count; ++i) {
      Process& process = seen_processes[static_cast<std::size_t>(i)];
      if (!process.below && is_below(process.parent)) {
        process.below = true;
        more = true;
      }
    }
  }
  for (int i = 0; i < count; ++i) {
    const Process& process = seen_processes[static_cast<std::size_t>(i)];
    if (!process.below) {
      continue;
    }
    // A descriptor of the process, then a second look: an id that was given to another process in
    // between has another parent.
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, process.id, 0));
    if (fd < 0) {
      continue;
    }
    char name[16];
    std::size_t at = sizeof(name) - 1;
    name[at] = '\0';
    for (pid_t id = process.id; id > 0 && at > 0; id /= 10) {
      name[--at] = static_cast<char>('0' + id % 10);
    }
    const int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (proc >= 0) {
      if (parent_of(proc, name + at) == process.parent) {
        syscall(SYS_pidfd_send_signal, fd, signal, nullptr, 0);
      }
      close(proc);
    }
    close(fd);
  }
}

}  // namespace rgx::engine
