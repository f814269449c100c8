#include "cli/init_policy.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "cli/files.h"
#include "cli/output.h"
#include "policy/policy.h"
#include "policy/shipped.h"

namespace rgx::cli {
namespace {

// A policy that others could write would not be believed, whatever the umask.
constexpr std::uint32_t kPolicyMode = 0600;

Error unknown_policy(std::string_view name) {
  const auto names = policy::starting_policies();
  const auto near = nearest(name, names);
  const std::string list = join(std::vector<std::string>(names.begin(), names.end()), ", ");
  return make_error(ErrorKind::usage, "init.unknown_policy",
                    "there is no shipped policy `" + printable(name) + "` to start from",
                    near ? "did you mean `" + *near + "`?" : "there are " + list);
}

}  // namespace

Result<StartingPolicy> starting_policy(std::string_view name, const Paths& paths) {
  const auto names = policy::starting_policies();
  const auto file = policy::find_shipped_policy(name);
  if (!file || std::ranges::find(names, name) == names.end()) {
    return fail(unknown_policy(name));
  }
  if (exists(paths.user_policy())) {
    return fail(ErrorKind::usage, "file.exists",
                "you have a policy already: `" + printable(paths.user_policy()) + "`",
                "move it away first, or edit it: the shipped ones are files to read, too");
  }
  RGX_TRY(const policy::Policy loaded, policy::load_policy(file->bytes, file->name));
  return StartingPolicy{.text = file->bytes,
                        .summary = "policy `" + loaded.name + "`, " +
                                   counted(static_cast<std::int64_t>(loaded.rules.size()), "rule")};
}

Status write_starting_policy(const StartingPolicy& policy, const Paths& paths) {
  RGX_TRY_STATUS(make_folder(paths.config_dir));
  return write_file(paths.user_policy(), policy.text, kPolicyMode, IfExists::refuse);
}

}  // namespace rgx::cli
