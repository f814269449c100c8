# What other projects build on: the verifier, as rgx::audit and rgx::base. It is a component of its
# own (`cmake --install build/release --component development`), which the Debian package of the
# program leaves out. Headers are installed from the source, not from the include views, whose
# entries are links.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(rgx_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rgx")
foreach(package IN ITEMS base audit)
  install(TARGETS rgx_${package} ARCHIVE COMPONENT development)
  get_target_property(view rgx_${package} HEADER_DIRS)
  get_target_property(headers rgx_${package} HEADER_SET)
  foreach(header IN LISTS headers)
    file(RELATIVE_PATH name "${view}" "${header}")
    get_filename_component(folder "${name}" DIRECTORY)
    install(FILES "${CMAKE_SOURCE_DIR}/${name}" COMPONENT development
      DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/rgx/${folder}")
  endforeach()
endforeach()

configure_package_config_file(cmake/rgx-config.cmake.in "${CMAKE_BINARY_DIR}/rgx-config.cmake"
  INSTALL_DESTINATION "${rgx_config_dir}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/rgx-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/rgx-config.cmake" "${CMAKE_BINARY_DIR}/rgx-config-version.cmake"
  COMPONENT development DESTINATION "${rgx_config_dir}")
