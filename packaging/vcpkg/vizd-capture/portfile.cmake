# vcpkg install vizd-capture --overlay-ports=packaging/vcpkg: the headers of this checkout.
get_filename_component(vizd "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
file(INSTALL "${vizd}/include/vizd" DESTINATION "${CURRENT_PACKAGES_DIR}/include" FILES_MATCHING PATTERN "*.h")
vcpkg_install_copyright(FILE_LIST "${vizd}/LICENSE")
