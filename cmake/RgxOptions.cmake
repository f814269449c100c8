# Compiler settings of the project: standard, warnings, hardening, sanitizers, ccache.
# Flags live in INTERFACE targets; whether a warning is an error is the preset's decision, so that
# a newer compiler never breaks a distributor.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "kind of build" FORCE)
endif()

set(RGX_SANITIZE "" CACHE STRING "sanitizers of this build, as -fsanitize= takes them")
option(RGX_HARDENING "compile and link with the hardening flags of a release" OFF)
option(RGX_BENCH "build the bench programs" OFF)
set(RGX_SHARED_DIR "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH
  "folder with published test vectors; tests that need it skip without it")
set(RGX_TEST_PACKAGES "" CACHE STRING
  "packages whose unit tests are built; empty builds every test of the project")

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# ---- ccache -------------------------------------------------------------------------------------
# Paths below the source folder are hashed as relative ones, so that two build folders (and two
# clones) share their entries.
find_program(RGX_CCACHE ccache)
if(RGX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    "${RGX_CCACHE}")
endif()

# ---- warnings -----------------------------------------------------------------------------------
add_library(rgx_warnings INTERFACE)
target_compile_options(rgx_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wnull-dereference -Wformat=2
  -Wimplicit-fallthrough -Wdate-time -Werror=switch -Werror=return-type)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rgx_warnings INTERFACE
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op
    # With optimisation g++ 12 sees uninitialized parts in every moved std::variant, and null
    # pointers and overlaps inside std::string. Debug builds, clang and the sanitizers look for
    # the real ones.
    "$<$<NOT:$<CONFIG:Debug>>:-Wno-maybe-uninitialized;-Wno-null-dereference;-Wno-restrict>")
else()
  # clang reports std::get_temporary_buffer, which std::stable_sort of libstdc++ 12 uses; g++
  # reports deprecated names that are ours.
  target_compile_options(rgx_warnings INTERFACE -Wno-deprecated-declarations)
endif()

# ---- hardening, reproducible paths, sanitizers --------------------------------------------------
add_library(rgx_hardening INTERFACE)
target_compile_definitions(rgx_hardening INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(rgx_hardening INTERFACE LINKER:--as-needed)
if(RGX_HARDENING)
  target_compile_options(rgx_hardening INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
    -fcf-protection)
  target_link_options(rgx_hardening INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()

# No absolute path of the building machine in a binary. The relative forms are what ccache passes.
file(RELATIVE_PATH rgx_source_from_binary "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
add_library(rgx_paths INTERFACE)
target_compile_options(rgx_paths INTERFACE
  "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/="
  "-ffile-prefix-map=${rgx_source_from_binary}="
  "-ffile-prefix-map=${CMAKE_BINARY_DIR}/="
  "-ffile-prefix-map=${CMAKE_BINARY_DIR}=.")

if(RGX_SANITIZE)
  add_compile_options("-fsanitize=${RGX_SANITIZE}" -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${RGX_SANITIZE}" -fno-sanitize-recover=all)
endif()

function(rgx_print_summary)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(launcher "${RGX_CCACHE}")
  else()
    set(launcher "none")
  endif()
  message(STATUS "rgx ${PROJECT_VERSION}: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, "
    "${CMAKE_BUILD_TYPE}, sanitizers: ${RGX_SANITIZE}, hardening: ${RGX_HARDENING}, "
    "ccache: ${launcher}")
endfunction()
