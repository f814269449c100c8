#pragma once

#include "engine/run.h"

namespace rgx::cli {

/// Turns SIGINT, SIGTERM and SIGHUP (unless it is ignored) into an orderly end of a run while it
/// lives: the first SIGINT lets running steps end, SIGTERM, SIGHUP or a second SIGINT ends them, a
/// third signal ends rgx itself.
/// It says nothing itself: who paints the run sees the interruption and tells of it.
/// At most one lives at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  SignalWatch(SignalWatch&&) = delete;
  SignalWatch& operator=(SignalWatch&&) = delete;

  [[nodiscard]] const engine::Interruption& interruption() const { return interruption_; }
  /// The first signal that came, 0 for none.
  [[nodiscard]] int signal() const;

 private:
  engine::Interruption interruption_;
};

}  // namespace rgx::cli
