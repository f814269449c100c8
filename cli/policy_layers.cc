#include "cli/policy_layers.h"

#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "base/yaml/reader.h"
#include "cli/files.h"
#include "cli/trust.h"
#include "policy/shipped.h"

namespace rgx::cli {
namespace {

constexpr std::string_view kDefaultPolicy = "default";
// A larger one is never in force, but the one of the base revision still may be.
constexpr std::size_t kWorkTreeBytesMax = std::size_t{16} << 20;

Status require_layer(const policy::Policy& loaded, policy::Layer wanted) {
  if (loaded.layer == wanted) {
    return {};
  }
  const std::string name(policy::to_string(wanted));
  return fail(ErrorKind::usage, "policy.wrong_layer",
              "this file says `layer: " + std::string(policy::to_string(loaded.layer)) +
                  "`, but it is read as the " + name + " layer",
              "write `layer: " + name + "`, or move the file to where it belongs",
              Place{.file = loaded.file, .line = 1});
}

Result<std::optional<policy::Policy>> load_owned(const std::string& file, Ownership ownership,
                                                 policy::Layer layer) {
  // A layer that somebody else could have taken away is not known to be absent.
  RGX_TRY_STATUS(check_folder(file.substr(0, file.rfind('/')), ownership));
  if (!exists(file)) {
    return std::optional<policy::Policy>();
  }
  RGX_TRY(const std::string text,
          read_file({.path = file, .bytes_max = yaml::kFileBytesMax, .ownership = ownership}));
  RGX_TRY(policy::Policy loaded, policy::load_policy(text, file));
  RGX_TRY_STATUS(require_layer(loaded, layer));
  return std::optional<policy::Policy>(std::move(loaded));
}

Result<policy::Policy> load_default() {
  const auto file = policy::find_shipped_policy(kDefaultPolicy);
  RGX_CHECK(file.has_value());
  return policy::load_policy(file->bytes, file->name);
}

// What the work tree holds; nothing when there is no such file. A policy that is there but cannot
// be read must not count as absent.
Result<std::optional<std::string>> read_work_tree(engine::Workspace& workspace) {
  const auto read = [&workspace]() -> Result<std::optional<std::string>> {
    RGX_TRY(const std::optional<engine::FileState> state, workspace.state(kRepositoryPolicy));
    if (!state) {
      return std::optional<std::string>();
    }
    return workspace.read(kRepositoryPolicy, kWorkTreeBytesMax);
  };
  auto text = read();
  if (!text && text.error().kind == ErrorKind::failed) {
    text.error().kind = ErrorKind::usage;  // an input that cannot be read, no step that failed
  }
  return text;
}

Result<std::optional<policy::Policy>> load_repository_layer(const LayerSources& sources,
                                                            const std::string& base_revision,
                                                            RepositoryView& repository,
                                                            engine::Workspace& workspace,
                                                            std::vector<std::string>& notices) {
  const std::string file(kRepositoryPolicy);
  RGX_TRY(std::optional<std::string> text, repository.read_at(base_revision, file));
  RGX_TRY(const std::optional<std::string> work_tree, read_work_tree(workspace));
  if (work_tree && work_tree != text) {
    RGX_TRY(const bool trusted, is_trusted(sources.trust_file, digest_bytes(*work_tree)));
    if (trusted) {
      text = work_tree;
    } else if (text) {
      notices.push_back("note: `" + file + "` differs from the base revision and is not trusted, " +
                        "so the version of the base revision is in force; `rgx policy trust " +
                        file + "` changes that");
    } else {
      notices.push_back("note: `" + file + "` is not committed and not trusted, so it is not in " +
                        "force; commit it, or read it and run `rgx policy trust " + file + "`");
    }
  }
  if (!text) {
    return std::optional<policy::Policy>();
  }
  if (text->size() > yaml::kFileBytesMax) {
    return fail(ErrorKind::environment, "file.too_large",
                "`" + file + "` has " + std::to_string(text->size()) + " bytes; the limit is " +
                    std::to_string(yaml::kFileBytesMax));
  }
  RGX_TRY(policy::Policy loaded, policy::load_policy(*text, file));
  RGX_TRY_STATUS(require_layer(loaded, policy::Layer::repository));
  return std::optional<policy::Policy>(std::move(loaded));
}

}  // namespace

Result<policy::Policy> load_policy_argument(const std::string& file) {
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  return policy::load_policy(text, file);
}

Result<LoadedLayers> load_layers(const LayerSources& sources, RepositoryView& repository,
                                 engine::Workspace& workspace) {
  std::vector<policy::Policy> layers;
  std::vector<std::string> notices;
  RGX_TRY(auto org, load_owned(sources.org_file, Ownership::root, policy::Layer::org));
  RGX_TRY(auto user, load_owned(sources.user_file, Ownership::root_or_user, policy::Layer::user));
  if (!org && !user) {
    RGX_TRY(org, load_default());
  }
  for (auto* layer : {&org, &user}) {
    if (*layer) {
      layers.push_back(std::move(**layer));
    }
  }
  RGX_TRY(const std::string base_revision,
          sources.base ? repository.commit_id(*sources.base) : repository.head());
  RGX_TRY(auto own, load_repository_layer(sources, base_revision, repository, workspace, notices));
  if (own) {
    layers.push_back(std::move(*own));
  }
  if (sources.run_file) {
    RGX_TRY(policy::Policy run, load_policy_argument(*sources.run_file));
    RGX_TRY_STATUS(require_layer(run, policy::Layer::run));
    layers.push_back(std::move(run));
  }
  RGX_TRY(policy::PolicySet stacked, policy::PolicySet::stack(std::move(layers)));
  return LoadedLayers{
      .policy = std::move(stacked), .base_revision = base_revision, .notices = std::move(notices)};
}

}  // namespace rgx::cli
