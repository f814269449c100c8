#include "engine/line_diff.h"

#include <memory>

#include "engine/git_library.h"
#include "engine/text_edit.h"

namespace rgx::engine {

Result<LineCounts> count_changed_lines(std::string_view before, std::string_view after) {
  LineCounts counts;
  if (is_binary(before) || is_binary(after)) {
    counts.binary = true;
    return counts;
  }
  RGX_TRY(const GitLibrary* git, git_library());
  git_patch* raw = nullptr;
  if (git->patch_from_buffers(&raw, before.data(), before.size(), nullptr, after.data(),
                              after.size(), nullptr, nullptr) != 0) {
    return fail(ErrorKind::environment, "repository.broken", "comparing two contents failed",
                "see `rgx doctor`");
  }
  const std::unique_ptr<git_patch, void (*)(git_patch*)> patch(raw, git->patch_free);
  std::size_t context = 0;
  std::size_t added = 0;
  std::size_t removed = 0;
  if (git->patch_line_stats(&context, &added, &removed, patch.get()) != 0) {
    return fail(ErrorKind::environment, "repository.broken", "comparing two contents failed",
                "see `rgx doctor`");
  }
  counts.added = static_cast<std::int64_t>(added);
  counts.removed = static_cast<std::int64_t>(removed);
  return counts;
}

}  // namespace rgx::engine
