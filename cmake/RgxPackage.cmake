# rgx_package(NAME <name> DIR <folder>
#             [DEPENDS <package>...] [THIRD_PARTY <library>...]
#             [HEADERS <file>...] [PRIVATE_HEADERS <file>...] [SOURCES <file>...])
#
# Makes the library rgx_<name> (alias rgx::<name>) from files named relative to <folder>.
# Without SOURCES it is an INTERFACE library, so that a package may start as headers only.
#
# Headers are reached through an *include view*: build/view/<name>/<folder>/x.h is a link to
# <folder>/x.h, and a target gets the views of itself and of the packages that it names, nothing
# else. So `#include "engine/run.h"` in policy ends with "No such file", and a header that is not
# listed does not exist for anybody. PRIVATE_HEADERS are seen by the package and its own tests only.
include(RgxLayers)

# Links <files> of the current source folder into the view <view>/<dir>.
function(rgx_make_view view dir files out_variable)
  file(REMOVE_RECURSE "${view}")
  file(MAKE_DIRECTORY "${view}/${dir}")
  set(links "")
  foreach(file IN LISTS files)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      message(FATAL_ERROR "${dir}/CMakeLists.txt names `${file}`, which does not exist")
    endif()
    get_filename_component(folder "${view}/${dir}/${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${file}" "${view}/${dir}/${file}" SYMBOLIC)
    list(APPEND links "${view}/${dir}/${file}")
  endforeach()
  set(${out_variable} "${links}" PARENT_SCOPE)
endfunction()

# Stops the configuration when <given> holds something that the layer table does not allow.
function(rgx_check_layer name what allowed given)
  foreach(item IN LISTS given)
    if(NOT item IN_LIST allowed)
      message(FATAL_ERROR "package `${name}` may not use the ${what} `${item}`: "
        "the layer table (cmake/RgxLayers.cmake) allows `${allowed}`")
    endif()
  endforeach()
endfunction()

function(rgx_package)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DIR"
    "DEPENDS;THIRD_PARTY;HEADERS;PRIVATE_HEADERS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_DIR)
    message(FATAL_ERROR "rgx_package: NAME and DIR are needed; not known: "
      "`${arg_UNPARSED_ARGUMENTS}`")
  endif()
  if(NOT DEFINED RGX_LAYER_${arg_NAME})
    message(FATAL_ERROR "package `${arg_NAME}` is not in the layer table (cmake/RgxLayers.cmake)")
  endif()
  rgx_check_layer(${arg_NAME} "package" "${RGX_LAYER_${arg_NAME}}" "${arg_DEPENDS}")
  rgx_check_layer(${arg_NAME} "library" "${RGX_THIRD_PARTY_${arg_NAME}}" "${arg_THIRD_PARTY}")
  # Views are inherited, so what a package sees must be what it names.
  foreach(package IN LISTS arg_DEPENDS)
    foreach(inherited IN LISTS RGX_DEPENDS_${package})
      if(NOT inherited IN_LIST arg_DEPENDS)
        message(FATAL_ERROR "package `${arg_NAME}` names `${package}` but not `${inherited}`, "
          "which that one needs")
      endif()
    endforeach()
  endforeach()
  set(RGX_DEPENDS_${arg_NAME} "${arg_DEPENDS}" CACHE INTERNAL "packages that ${arg_NAME} names")

  set(target rgx_${arg_NAME})
  set(view "${CMAKE_BINARY_DIR}/view/${arg_NAME}")
  set(private_view "${CMAKE_BINARY_DIR}/view/${arg_NAME}.private")
  rgx_make_view("${view}" "${arg_DIR}" "${arg_HEADERS}" public_links)
  rgx_make_view("${private_view}" "${arg_DIR}" "${arg_PRIVATE_HEADERS}" private_links)

  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES} ${private_links})
    set(scope PUBLIC)
    target_include_directories(${target} PRIVATE "${private_view}")
    target_link_libraries(${target} PRIVATE rgx_warnings rgx_hardening)
    list(TRANSFORM arg_THIRD_PARTY PREPEND rgx_third_party::)
    target_link_libraries(${target} PRIVATE ${arg_THIRD_PARTY})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(rgx::${arg_NAME} ALIAS ${target})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS "${view}" FILES ${public_links})
  set_target_properties(${target} PROPERTIES RGX_PRIVATE_VIEW "${private_view}")
  target_link_libraries(${target} ${scope} rgx_paths)
  if(arg_NAME STREQUAL "base")
    target_link_libraries(${target} ${scope} rgx_third_party::expected)
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND rgx_)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
  target_compile_options(${target} ${scope} "-ffile-prefix-map=${view}/="
    "-ffile-prefix-map=view/${arg_NAME}/=")
endfunction()

# rgx_program(NAME <name> MAIN <file> LINK <target>...): an executable in the build folder's root.
function(rgx_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;MAIN" "LINK")
  add_executable(${arg_NAME} "${arg_MAIN}")
  set_target_properties(${arg_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}" OUTPUT_NAME "${arg_NAME}")
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK} rgx_warnings rgx_hardening rgx_paths)
  set_property(TARGET ${arg_NAME} PROPERTY POSITION_INDEPENDENT_CODE ON)
endfunction()
