#include "cli/keys.h"

#include <utility>

#include "base/text.h"
#include "cli/app.h"
#include "cli/files.h"
#include "cli/world.h"

namespace rgx::cli {
namespace {

Status require_key(const std::string& path, std::string_view what) {
  if (exists(path)) {
    return {};
  }
  return fail(ErrorKind::environment, "key.missing",
              "there is no " + std::string(what) + " at `" + printable(path) +
                  "`, and nothing runs without signed evidence",
              "`rgx init` makes one");
}

// A key that cannot be used is something the machine lacks, whatever is wrong with the file.
template <class Key>
Result<Key> as_environment(Result<Key> key) {
  if (!key) {
    key.error().kind = ErrorKind::environment;
  }
  return key;
}

bool is_within(const std::string& path, const std::string& root) {
  return path == root || root == "/" || path.starts_with(root + "/");
}

}  // namespace

Status check_keys_outside(const Paths& paths, const std::string& root) {
  // The folder may not be there yet, and a link may lead from outside into the workspace.
  for (const std::string& folder :
       {paths.config_dir, canonical_path(paths.config_dir), canonical_path(paths.root_key()),
        canonical_path(paths.requester_key())}) {
    if (is_within(folder, root)) {
      return fail(ErrorKind::environment, "key.in_workspace",
                  "the keys in `" + printable(paths.config_dir) + "` are inside the workspace `" +
                      printable(root) + "`, where steps could reach them",
                  "set XDG_CONFIG_HOME to a directory outside the workspace");
    }
  }
  return {};
}

Result<engine::RunIdentity> load_identity(const Paths& paths) {
  RGX_TRY_STATUS(require_key(paths.root_key(), "root key"));
  RGX_TRY_STATUS(require_key(paths.requester_key(), "requester key"));
  RGX_TRY(audit::RootKey root, as_environment(audit::load_root_key(paths.root_key())));
  RGX_TRY(audit::SigningKey requester,
          as_environment(audit::SigningKey::load(paths.requester_key())));
  return engine::RunIdentity{.root_key = std::move(root),
                             .requester = std::move(requester),
                             .environment = this_process(),
                             .rgx_version = std::string(version())};
}

Result<std::optional<audit::RootKey>> find_root_key(const std::optional<std::string>& key_file,
                                                    const Paths& paths) {
  const std::string path = key_file.value_or(paths.root_key());
  if (!key_file && !exists(path)) {
    return std::optional<audit::RootKey>();
  }
  RGX_TRY(audit::RootKey key, as_environment(audit::load_root_key(path)));
  return std::optional<audit::RootKey>(std::move(key));
}

}  // namespace rgx::cli
