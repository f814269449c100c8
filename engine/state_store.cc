#include "engine/state_store.h"

#include "base/text.h"

namespace rgx::engine {

Status check_index_is_there(StateStore& state) {
  RGX_TRY(const bool exists, state.has_index());
  if (exists) {
    return {};
  }
  RGX_TRY(const std::vector<RunId> runs, state.runs());
  if (runs.empty()) {
    return {};
  }
  return fail(ErrorKind::evidence, "run.index_gone",
              "the index of this repository is gone, though it has runs, such as " +
                  printable(runs.front().text()),
              "restore the state directory from a copy, or move it away as a whole");
}

}  // namespace rgx::engine
