#pragma once

#include <cstdint>
#include <memory>

#include "engine/tool.h"

// What a run keeps of its steps while they are under way. Private to the package.

namespace rgx::engine {

/// A step that has an intent and no outcome yet.
struct Active {
  policy::RunBudget reserved;
  policy::Decision decision;
  std::unique_ptr<Action> action;
};

/// What became of a step so far.
struct Attempts {
  std::int64_t made = 0;
  std::int64_t first_ms = 0;  ///< monotonic start of the first one
};

/// A step that did not succeed and is tried again.
struct Retrying {
  std::int64_t due_ms = 0;  ///< monotonic
  Outcome outcome;          ///< of the last attempt: it stands when there is no further one
};

}  // namespace rgx::engine
