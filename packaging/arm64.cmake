# How CMake builds for aarch64 on another machine: by Debian's cross compiler, with the libraries that scripts/configure
# unpacked into build/arm64/root and made in build/arm64/libraries; what is to be run is run by qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
cmake_path(SET arm64 NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/arm64)
set(CMAKE_SYSROOT ${arm64}/root)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${arm64}/libraries ${arm64}/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR}
  ${arm64}/libraries/lib/pkgconfig:${arm64}/root/usr/lib/aarch64-linux-gnu/pkgconfig:${arm64}/root/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${arm64}/root)
