#include "engine/observer.h"

namespace rgx::engine {

std::string_view to_string(StepState state) {
  switch (state) {
    case StepState::succeeded:
      return "succeeded";
    case StepState::failed:
      return "failed";
    case StepState::timed_out:
      return "timed_out";
    case StepState::cancelled:
      return "cancelled";
    case StepState::refused:
      return "refused";
    case StepState::skipped:
      return "skipped";
  }
  return "failed";
}

}  // namespace rgx::engine
