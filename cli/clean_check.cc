#include "cli/clean_check.h"

#include <string>

#include "base/text.h"
#include "engine/clean_files.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kFilesShown = 20;

}  // namespace

Result<bool> check_clean_files(const templates::Plan& plan, World& world, Output& output) {
  if (plan.workspace != "in_place") {
    return true;
  }
  RGX_TRY(const std::vector<std::string> written, engine::files_written(plan));
  RGX_TRY(const engine::CleanReport found,
          engine::check_clean(world.root(), written, world.workspace(), world.processes()));
  if (found.clean()) {
    return true;
  }
  for (std::size_t i = 0; i < found.files.size() && i < kFilesShown; ++i) {
    output.say("`" + printable(found.files[i].path) + "` " + found.files[i].why);
  }
  if (found.files.size() > kFilesShown) {
    output.say("and " + std::to_string(found.files.size() - kFilesShown) + " more");
  }
  if (!found.under_way.empty()) {
    output.say(make_error(ErrorKind::drift, "run.under_way",
                          "git is in the middle of " + found.under_way + "; nothing ran",
                          "finish it or abort it first"));
  } else {
    output.say(make_error(ErrorKind::drift, "run.unclean",
                          "files that the plan writes are not as in the last commit; nothing ran",
                          "commit them, or put them aside with `git stash`: a run changes only "
                          "what git can restore"));
  }
  return false;
}

}  // namespace rgx::cli
