#include "engine/git_library.h"

#include <dlfcn.h>

namespace rgx::engine {

namespace {

constexpr const char* kLibraryName = "libgit2.so." LIBGIT2_SOVERSION;

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));  // what dlsym is for
  return function != nullptr;
}

// A table of one line each.
// NOLINTNEXTLINE(readability-function-size)
bool find_all(void* library, GitLibrary& git) {
  return find(library, "git_libgit2_init", git.libgit2_init) &&
         find(library, "git_libgit2_opts", git.libgit2_opts) &&
         find(library, "git_error_last", git.error_last) &&
         find(library, "git_repository_open_ext", git.repository_open_ext) &&
         find(library, "git_repository_free", git.repository_free) &&
         find(library, "git_repository_is_bare", git.repository_is_bare) &&
         find(library, "git_repository_workdir", git.repository_workdir) &&
         find(library, "git_repository_state", git.repository_state) &&
         find(library, "git_repository_config_snapshot", git.repository_config_snapshot) &&
         find(library, "git_config_get_bool", git.config_get_bool) &&
         find(library, "git_config_free", git.config_free) &&
         find(library, "git_repository_index", git.repository_index) &&
         find(library, "git_index_read", git.index_read) &&
         find(library, "git_index_entrycount", git.index_entrycount) &&
         find(library, "git_index_get_byindex", git.index_get_byindex) &&
         find(library, "git_index_get_bypath", git.index_get_bypath) &&
         find(library, "git_index_free", git.index_free) &&
         find(library, "git_status_options_init", git.status_options_init) &&
         find(library, "git_status_list_new", git.status_list_new) &&
         find(library, "git_status_list_entrycount", git.status_list_entrycount) &&
         find(library, "git_status_byindex", git.status_byindex) &&
         find(library, "git_status_list_free", git.status_list_free) &&
         find(library, "git_reference_name_to_id", git.reference_name_to_id) &&
         find(library, "git_oid_tostr", git.oid_tostr) &&
         find(library, "git_revparse_single", git.revparse_single) &&
         find(library, "git_object_id", git.object_id) &&
         find(library, "git_object_peel", git.object_peel) &&
         find(library, "git_object_free", git.object_free) &&
         find(library, "git_commit_tree", git.commit_tree) &&
         find(library, "git_tree_free", git.tree_free) &&
         find(library, "git_tree_entry_bypath", git.tree_entry_bypath) &&
         find(library, "git_tree_entry_filemode", git.tree_entry_filemode) &&
         find(library, "git_tree_entry_id", git.tree_entry_id) &&
         find(library, "git_tree_entry_free", git.tree_entry_free) &&
         find(library, "git_repository_odb", git.repository_odb) &&
         find(library, "git_odb_read_header", git.odb_read_header) &&
         find(library, "git_odb_free", git.odb_free) &&
         find(library, "git_blob_lookup", git.blob_lookup) &&
         find(library, "git_blob_rawsize", git.blob_rawsize) &&
         find(library, "git_blob_rawcontent", git.blob_rawcontent) &&
         find(library, "git_blob_free", git.blob_free) &&
         find(library, "git_patch_from_buffers", git.patch_from_buffers) &&
         find(library, "git_repository_head_detached", git.repository_head_detached) &&
         find(library, "git_index_new", git.index_new) &&
         find(library, "git_index_read_tree", git.index_read_tree) &&
         find(library, "git_index_add", git.index_add) &&
         find(library, "git_index_add_bypath", git.index_add_bypath) &&
         find(library, "git_index_remove", git.index_remove) &&
         find(library, "git_index_remove_bypath", git.index_remove_bypath) &&
         find(library, "git_index_write", git.index_write) &&
         find(library, "git_index_write_tree_to", git.index_write_tree_to) &&
         find(library, "git_index_has_conflicts", git.index_has_conflicts) &&
         find(library, "git_blob_create_from_workdir", git.blob_create_from_workdir) &&
         find(library, "git_commit_create", git.commit_create) &&
         find(library, "git_commit_lookup", git.commit_lookup) &&
         find(library, "git_commit_free", git.commit_free) &&
         find(library, "git_commit_summary", git.commit_summary) &&
         find(library, "git_commit_parentcount", git.commit_parentcount) &&
         find(library, "git_commit_parent_id", git.commit_parent_id) &&
         find(library, "git_tree_lookup", git.tree_lookup) &&
         find(library, "git_signature_now", git.signature_now) &&
         find(library, "git_signature_free", git.signature_free) &&
         find(library, "git_config_get_string", git.config_get_string) &&
         find(library, "git_branch_create", git.branch_create) &&
         find(library, "git_reference_free", git.reference_free) &&
         find(library, "git_reference_is_valid_name", git.reference_is_valid_name) &&
         find(library, "git_diff_options_init", git.diff_options_init) &&
         find(library, "git_diff_tree_to_workdir_with_index",
              git.diff_tree_to_workdir_with_index) &&
         find(library, "git_diff_num_deltas", git.diff_num_deltas) &&
         find(library, "git_diff_get_delta", git.diff_get_delta) &&
         find(library, "git_diff_get_stats", git.diff_get_stats) &&
         find(library, "git_diff_stats_files_changed", git.diff_stats_files_changed) &&
         find(library, "git_diff_stats_insertions", git.diff_stats_insertions) &&
         find(library, "git_diff_stats_deletions", git.diff_stats_deletions) &&
         find(library, "git_diff_stats_free", git.diff_stats_free) &&
         find(library, "git_diff_to_buf", git.diff_to_buf) &&
         find(library, "git_diff_free", git.diff_free) &&
         find(library, "git_buf_dispose", git.buf_dispose) &&
         find(library, "git_patch_free", git.patch_free) &&
         find(library, "git_patch_line_stats", git.patch_line_stats) &&
         find(library, "git_attr_get", git.attr_get) &&
         find(library, "git_attr_value", git.attr_value) &&
         find(library, "git_repository_commondir", git.repository_commondir) &&
         find(library, "git_worktree_add_options_init", git.worktree_add_options_init) &&
         find(library, "git_worktree_add", git.worktree_add) &&
         find(library, "git_worktree_lock", git.worktree_lock) &&
         find(library, "git_worktree_free", git.worktree_free) &&
         find(library, "git_reference_lookup", git.reference_lookup) &&
         find(library, "git_reference_target", git.reference_target) &&
         find(library, "git_reference_delete", git.reference_delete) &&
         find(library, "git_branch_is_checked_out", git.branch_is_checked_out) &&
         find(library, "git_blob_create_from_buffer", git.blob_create_from_buffer) &&
         find(library, "git_commit_tree_id", git.commit_tree_id) &&
         find(library, "git_commit_message", git.commit_message);
}

/// No system, user or programme configuration: what a repository says must not depend on who looks.
bool isolate(const GitLibrary& git) {
  for (const int level :
       {static_cast<int>(GIT_CONFIG_LEVEL_SYSTEM), static_cast<int>(GIT_CONFIG_LEVEL_XDG),
        static_cast<int>(GIT_CONFIG_LEVEL_GLOBAL),
        static_cast<int>(GIT_CONFIG_LEVEL_PROGRAMDATA)}) {
    if (git.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "") < 0) {
      return false;
    }
  }
  // What the ledger says of a commit is durable, so the commit is, too.
  return git.libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1) >= 0 &&
         git.libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1) >= 0;
}

Result<GitLibrary> load() {
  void* library = dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL);
  GitLibrary git{};
  if (library == nullptr || !find_all(library, git) || git.libgit2_init() < 0 || !isolate(git)) {
    return fail(ErrorKind::environment, "repository.no_library",
                std::string("the library `") + kLibraryName + "` cannot be loaded",
                "install the package `libgit2-" LIBGIT2_SOVERSION "`");
  }
  return git;
}

}  // namespace

Result<const GitLibrary*> git_library() {
  static const Result<GitLibrary> kLoaded = load();
  if (!kLoaded) {
    return fail(kLoaded.error());
  }
  return &*kLoaded;
}

}  // namespace rgx::engine
