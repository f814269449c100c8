# What `cmake --install` and the Debian package hold: the program, its manual page, completions,
# documents, and the policies and templates as files to read. Pages and completions are printed by
# the program itself, so they cannot say anything else than it does.
include(GNUInstallDirs)

set(pages "${CMAKE_BINARY_DIR}/pages")
add_custom_command(
  OUTPUT "${pages}/rgx.1.gz" "${pages}/rgx.bash" "${pages}/_rgx" "${pages}/rgx.fish"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${pages}"
  COMMAND rgx man > "${pages}/rgx.1"
  COMMAND gzip -9nf "${pages}/rgx.1"
  COMMAND rgx completion bash > "${pages}/rgx.bash"
  COMMAND rgx completion zsh > "${pages}/_rgx"
  COMMAND rgx completion fish > "${pages}/rgx.fish"
  DEPENDS rgx
  COMMENT "Manual page and completions"
  VERBATIM)
add_custom_target(rgx_pages ALL
  DEPENDS "${pages}/rgx.1.gz" "${pages}/rgx.bash" "${pages}/_rgx" "${pages}/rgx.fish")

# Installing takes what was built; it does not build tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
install(TARGETS rgx RUNTIME)
install(FILES "${pages}/rgx.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${pages}/rgx.bash" RENAME rgx
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${pages}/_rgx" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${pages}/rgx.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md")
install(DIRECTORY policies/ DESTINATION "${CMAKE_INSTALL_DATADIR}/rgx/policies"
  FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY templates/catalog/ DESTINATION "${CMAKE_INSTALL_DATADIR}/rgx/templates"
  FILES_MATCHING PATTERN "*.yaml")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rgx)
set(CPACK_PACKAGE_CONTACT "rgx maintainers <maintainers@rgx.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)
# The program, not the component `development`.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};rgx;Unspecified;/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded while running, so that no tool finds it among the program's libraries.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgit2-1.5")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git")
include(CPack)
