#include "engine/git_need.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "engine/git_work.h"

namespace rgx::engine {

namespace {

struct Sign {
  std::string_view word;
  std::string_view means;
};

// Looked for in the text of configurations, since libgit2 follows includes (also to a pipe) and
// leaves these alone. A word too many costs a process a call and nothing else.
constexpr std::array kConfigSigns = {
    Sign{"[include", "its configuration includes other files"},
    Sign{"worktreeconfig", "it has a configuration for each work tree"},
    Sign{"promisor", "it is a partial clone"},
    Sign{"partialclone", "it is a partial clone"},
};

// What libgit2 says when it cannot go on.
constexpr std::array kMessageSigns = {
    Sign{"extensions.objectformat", "its objects are not named by SHA-1"},
    Sign{"extensions.refstorage", "its references are not kept as files"},
    Sign{"extension: 'link'", "its index is split"},
    Sign{"extension: 'sdir'", "its index is sparse"},
    Sign{"unsupported extension", "it has an extension that libgit2 does not know"},
    Sign{"mandatory extension", "its index has an extension that libgit2 does not know"},
    Sign{"unsupported repository version", "its format is newer than libgit2"},
    Sign{"incorrect header version", "its index is newer than libgit2"},
};

template <std::size_t kCount>
std::string find_sign(const std::array<Sign, kCount>& signs, std::string_view text) {
  for (const Sign& sign : signs) {
    if (text.find(sign.word) != std::string_view::npos) {
      return std::string(sign.means);
    }
  }
  return {};
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

std::string last_message(const GitLibrary& git) {
  const git_error* error = git.error_last();
  return error != nullptr && error->message != nullptr ? error->message : "";
}

/// Files that the configuration names are opened by libgit2 as they are.
Status check_named_file(const GitLibrary& git, git_config* config, const char* name) {
  const char* value = nullptr;
  struct stat status = {};
  if (git.config_get_string(&value, config, name) == 0 && value != nullptr &&
      stat(value, &status) == 0 && !S_ISREG(status.st_mode)) {
    return fail(ErrorKind::environment, "repository.broken",
                "`" + printable(value) + "`, which `" + name + "` names, is not a regular file",
                "correct the configuration of the repository");
  }
  return {};
}

Result<std::string> look_at_settings(const GitLibrary& git, git_repository* repository) {
  git_config* raw = nullptr;
  if (git.repository_config_snapshot(&raw, repository) != 0) {
    return std::string();  // told when it is opened for good
  }
  const GitHandle<git_config> config(raw, git.config_free);
  RGX_TRY_STATUS(check_named_file(git, config.get(), "core.excludesfile"));
  RGX_TRY_STATUS(check_named_file(git, config.get(), "core.attributesfile"));
  int sparse = 0;
  const bool is_sparse =
      git.config_get_bool(&sparse, config.get(), "core.sparsecheckout") == 0 && sparse != 0;
  return std::string(is_sparse ? "it is a sparse checkout" : "");
}

/// libgit2 does not know this attribute: it would take the bytes as they are.
bool names_an_encoding(const std::string& file) {
  const auto text = read_git_file(file);
  return text && text->find("working-tree-encoding") != std::string::npos;
}

std::string look_at_index(const GitLibrary& git, git_repository* repository,
                          const std::string& root) {
  git_index* raw = nullptr;
  if (git.repository_index(&raw, repository) != 0) {
    return find_sign(kMessageSigns, last_message(git));
  }
  const GitHandle<git_index> index(raw, git.index_free);
  if (git.index_read(index.get(), 1) != 0) {
    return find_sign(kMessageSigns, last_message(git));
  }
  const std::size_t count = git.index_entrycount(index.get());
  for (std::size_t i = 0; i < count; ++i) {
    const git_index_entry* entry = git.index_get_byindex(index.get(), i);
    const std::string_view path = entry->path;
    if ((entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0) {
      return "it is a sparse checkout";
    }
    const bool has_rules = path == ".gitattributes" || path.ends_with("/.gitattributes");
    if (has_rules && names_an_encoding(root + "/" + std::string(path))) {
      return "files of it have a `working-tree-encoding`";
    }
  }
  return {};
}

}  // namespace

Result<std::string> why_system_git(const GitLibrary& git, const GitPlaces& places) {
  for (const std::string& file :
       {places.common_dir + "/config", places.git_dir + "/config.worktree"}) {
    const std::string text = lower_case(read_git_file(file).value_or(""));
    if (std::string sign = find_sign(kConfigSigns, text); !sign.empty()) {
      return sign;
    }
  }
  git_repository* raw = nullptr;
  if (git.repository_open_ext(&raw, places.root.c_str(),
                              static_cast<unsigned int>(GIT_REPOSITORY_OPEN_NO_SEARCH),
                              nullptr) != 0) {
    return find_sign(kMessageSigns, last_message(git));
  }
  const GitHandle<git_repository> repository(raw, git.repository_free);
  RGX_TRY(std::string setting, look_at_settings(git, repository.get()));
  if (!setting.empty()) {
    return setting;
  }
  for (const std::string& file :
       {places.root + "/.gitattributes", places.common_dir + "/info/attributes"}) {
    if (names_an_encoding(file)) {
      return std::string("files of it have a `working-tree-encoding`");
    }
  }
  return look_at_index(git, repository.get(), places.root);
}

}  // namespace rgx::engine
