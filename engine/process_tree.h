#pragma once

#include <sys/types.h>

// The processes below a process, read from /proc with system calls only. Private to the package.

namespace rgx::engine {

/// Sends `signal` to every child of the calling process; how many there were, -1 without /proc.
/// Only the caller reaps its children, so their ids cannot have been given to others.
[[nodiscard]] int signal_children(int signal) noexcept;

/// Sends `signal` to every descendant of the calling process, as far as one look shows them.
void signal_descendants(int signal) noexcept;

}  // namespace rgx::engine
