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
  decltype(&git_patch_free) patch_free;
  decltype(&git_patch_line_stats) patch_line_stats;
};

/// Loaded once, with every configuration but the repository's own out of reach
/// (repository.no_library).
[[nodiscard]] Result<const GitLibrary*> git_library();

}  // namespace rgx::engine
