# rgx_embed(<target> NAME <name> DIR <folder> NAMESPACE <namespace> [BASE <dir>] FILES <file>...)
#
# Compiles files into <target>. The sources of the target then include
# "<folder>/embedded_<name>.h", which declares in <namespace>
#     std::span<const rgx::EmbeddedFile> embedded_<name>();
# sorted by name; a name is the file's path relative to BASE (default: the current source folder).

# All generated files, for tools that read sources without building (clang-tidy).
add_custom_target(rgx_generated)

function(rgx_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;DIR;NAMESPACE;BASE" "FILES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_DIR OR NOT arg_NAMESPACE OR NOT arg_FILES)
    message(FATAL_ERROR "rgx_embed(${target}): NAME, DIR, NAMESPACE and FILES are needed; "
      "not known: `${arg_UNPARSED_ARGUMENTS}`")
  endif()
  if(NOT arg_BASE)
    set(arg_BASE "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  list(SORT arg_FILES COMPARE STRING)
  set(paths "")
  foreach(file IN LISTS arg_FILES)
    if(NOT EXISTS "${arg_BASE}/${file}")
      message(FATAL_ERROR "rgx_embed(${target}): `${arg_BASE}/${file}` does not exist")
    endif()
    list(APPEND paths "${arg_BASE}/${file}")
  endforeach()

  set(root "${CMAKE_BINARY_DIR}/embed/${target}")
  set(header "${root}/${arg_DIR}/embedded_${arg_NAME}.h")
  set(source "${root}/${arg_DIR}/embedded_${arg_NAME}.cc")
  set(script "${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake")
  add_custom_command(
    OUTPUT "${header}" "${source}"
    COMMAND "${CMAKE_COMMAND}" -D "NAME=${arg_NAME}" -D "DIR=${arg_DIR}"
      -D "NAMESPACE=${arg_NAMESPACE}" -D "BASE=${arg_BASE}" -D "FILES=${arg_FILES}"
      -D "HEADER=${header}" -D "SOURCE=${source}" -P "${script}"
    DEPENDS ${paths} "${script}"
    COMMENT "Embedding ${arg_NAME} into ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}" "${header}")
  target_include_directories(${target} PRIVATE "${root}")
  add_custom_target(${target}_embedded_${arg_NAME} DEPENDS "${header}" "${source}")
  add_dependencies(rgx_generated ${target}_embedded_${arg_NAME})
endfunction()
