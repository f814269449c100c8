# Third-party libraries, all from Debian 12 packages, each under one name: rgx_third_party::<name>.
# Their headers are SYSTEM, so that their warnings are not ours. Which package may use which
# library is said in RgxLayers.cmake.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(simdjson 3.0 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt 9.1 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(range-v3 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(CURL 7.88 REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(libutf8proc REQUIRED IMPORTED_TARGET libutf8proc)

# rgx_third_party(<name> <target>...): gives imported targets the project's name for them.
function(rgx_third_party name)
  add_library(rgx_third_party_${name} INTERFACE)
  target_link_libraries(rgx_third_party_${name} INTERFACE ${ARGN})
  add_library(rgx_third_party::${name} ALIAS rgx_third_party_${name})
endfunction()

rgx_third_party(expected tl::expected)
rgx_third_party(openssl OpenSSL::Crypto)
rgx_third_party(simdjson simdjson::simdjson)
rgx_third_party(fmt fmt::fmt)
rgx_third_party(yaml_cpp yaml-cpp)
rgx_third_party(re2 PkgConfig::re2)
rgx_third_party(range_v3 range-v3::range-v3)
rgx_third_party(git2 PkgConfig::libgit2)
rgx_third_party(seccomp PkgConfig::libseccomp)
rgx_third_party(curl CURL::libcurl)
rgx_third_party(utf8proc PkgConfig::libutf8proc)
rgx_third_party(cli11 CLI11::CLI11)
rgx_third_party(spdlog spdlog::spdlog)

# simdjson is used without its throwing interface; spdlog through its library and the external fmt,
# which costs a tenth of the header-only form in compile time.
target_compile_definitions(rgx_third_party_simdjson INTERFACE SIMDJSON_EXCEPTIONS=0)
target_compile_definitions(rgx_third_party_spdlog INTERFACE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest 1.12 REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
