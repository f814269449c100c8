#pragma once

#include <git2.h>

#include "base/result.h"

// libgit2, loaded when a repository is first opened: linking it would cost every call of rgx
// several milliseconds. Private to the package.

namespace rgx::engine {

/// The functions that are used, under their own names.
struct GitLibrary {
  decltype(&git_libgit2_init) libgit2_init;
  decltype(&git_libgit2_opts) libgit2_opts;
  decltype(&git_error_last) error_last;
  decltype(&git_repository_open_ext) repository_open_ext;
  decltype(&git_repository_free) repository_free;
  decltype(&git_repository_is_bare) repository_is_bare;
  decltype(&git_repository_workdir) repository_workdir;
  decltype(&git_repository_state) repository_state;
  decltype(&git_repository_config_snapshot) repository_config_snapshot;
  decltype(&git_config_get_bool) config_get_bool;
  decltype(&git_config_free) config_free;
  decltype(&git_repository_index) repository_index;
  decltype(&git_index_read) index_read;
  decltype(&git_index_entrycount) index_entrycount;
  decltype(&git_index_get_byindex) index_get_byindex;
  decltype(&git_index_get_bypath) index_get_bypath;
  decltype(&git_index_free) index_free;
  decltype(&git_status_options_init) status_options_init;
  decltype(&git_status_list_new) status_list_new;
  decltype(&git_status_list_entrycount) status_list_entrycount;
  decltype(&git_status_byindex) status_byindex;
  decltype(&git_status_list_free) status_list_free;
  decltype(&git_reference_name_to_id) reference_name_to_id;
  decltype(&git_oid_tostr) oid_tostr;
  decltype(&git_revparse_single) revparse_single;
  decltype(&git_object_id) object_id;
  decltype(&git_object_peel) object_peel;
  decltype(&git_object_free) object_free;
  decltype(&git_commit_tree) commit_tree;
  decltype(&git_tree_free) tree_free;
  decltype(&git_tree_entry_bypath) tree_entry_bypath;
  decltype(&git_tree_entry_filemode) tree_entry_filemode;
  decltype(&git_tree_entry_id) tree_entry_id;
  decltype(&git_tree_entry_free) tree_entry_free;
  decltype(&git_repository_odb) repository_odb;
  decltype(&git_odb_read_header) odb_read_header;
  decltype(&git_odb_free) odb_free;
  decltype(&git_blob_lookup) blob_lookup;
  decltype(&git_blob_rawsize) blob_rawsize;
  decltype(&git_blob_rawcontent) blob_rawcontent;
  decltype(&git_blob_free) blob_free;
  decltype(&git_patch_from_buffers) patch_from_buffers;
  decltype(&git_repository_head_detached) repository_head_detached;
  decltype(&git_index_new) index_new;
  decltype(&git_index_read_tree) index_read_tree;
  decltype(&git_index_add) index_add;
  decltype(&git_index_add_bypath) index_add_bypath;
  decltype(&git_index_remove) index_remove;
  decltype(&git_index_remove_bypath) index_remove_bypath;
  decltype(&git_index_write) index_write;
  decltype(&git_index_write_tree_to) index_write_tree_to;
  decltype(&git_index_has_conflicts) index_has_conflicts;
  decltype(&git_blob_create_from_workdir) blob_create_from_workdir;
  decltype(&git_commit_create) commit_create;
  decltype(&git_commit_lookup) commit_lookup;
  decltype(&git_commit_free) commit_free;
  decltype(&git_commit_summary) commit_summary;
  decltype(&git_commit_parentcount) commit_parentcount;
  decltype(&git_commit_parent_id) commit_parent_id;
  decltype(&git_tree_lookup) tree_lookup;
  decltype(&git_signature_now) signature_now;
  decltype(&git_signature_free) signature_free;
  decltype(&git_config_get_string) config_get_string;
  decltype(&git_branch_create) branch_create;
  decltype(&git_reference_free) reference_free;
  decltype(&git_reference_is_valid_name) reference_is_valid_name;
  decltype(&git_diff_options_init) diff_options_init;
  decltype(&git_diff_tree_to_workdir_with_index) diff_tree_to_workdir_with_index;
  decltype(&git_diff_num_deltas) diff_num_deltas;
  decltype(&git_diff_get_delta) diff_get_delta;
  decltype(&git_diff_get_stats) diff_get_stats;
  decltype(&git_diff_stats_files_changed) diff_stats_files_changed;
  decltype(&git_diff_stats_insertions) diff_stats_insertions;
  decltype(&git_diff_stats_deletions) diff_stats_deletions;
  decltype(&git_diff_stats_free) diff_stats_free;
  decltype(&git_diff_to_buf) diff_to_buf;
  decltype(&git_diff_free) diff_free;
  decltype(&git_buf_dispose) buf_dispose;
  decltype(&git_patch_free) patch_free;
  decltype(&git_patch_line_stats) patch_line_stats;
  decltype(&git_attr_get) attr_get;
  decltype(&git_attr_value) attr_value;
  decltype(&git_repository_commondir) repository_commondir;
  decltype(&git_worktree_add_options_init) worktree_add_options_init;
  decltype(&git_worktree_add) worktree_add;
  decltype(&git_worktree_lock) worktree_lock;
  decltype(&git_worktree_free) worktree_free;
  decltype(&git_reference_lookup) reference_lookup;
  decltype(&git_reference_target) reference_target;
  decltype(&git_reference_delete) reference_delete;
  decltype(&git_branch_is_checked_out) branch_is_checked_out;
  decltype(&git_blob_create_from_buffer) blob_create_from_buffer;
  decltype(&git_commit_tree_id) commit_tree_id;
  decltype(&git_commit_message) commit_message;
};

/// Loaded once, with every configuration but the repository's own out of reach
/// (repository.no_library).
[[nodiscard]] Result<const GitLibrary*> git_library();

}  // namespace rgx::engine
