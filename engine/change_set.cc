#include "engine/change_set.h"

namespace rgx::engine {

void ChangeSet::add(const std::vector<Change>& changed) {
  for (const Change& change : changed) {
    const auto [found, is_new] = files_.try_emplace(change.path, change);
    if (is_new) {
      continue;
    }
    Change& merged = found->second;
    merged.after = change.after;
    if (change.after_mode) {
      merged.after_mode = change.after_mode;
    }
    const bool same_mode =
        !merged.before_mode || !merged.after_mode || merged.before_mode == merged.after_mode;
    if (merged.before == merged.after && same_mode) {
      files_.erase(found);
    }
  }
}

}  // namespace rgx::engine
