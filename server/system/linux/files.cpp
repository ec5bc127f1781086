#include "system/files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "system/descriptors.h"

namespace vizd {

int open_unnamed(const std::string& folder, mode_t mode) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // Where /proc is not mounted none could get a name.
  if (fd < 0 || ::access(path_of_descriptor(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
  return -1;
}

int name_file(int fd, const std::string& path) {
  const std::string from = path_of_descriptor(fd);
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int rename_to_new(const std::string& from, const std::string& to) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
}

bool has_locks_of_this_machine(int fd) {
  constexpr std::uint64_t kXfs = 0x58465342, kZfs = 0x2FC12FC1;
  constexpr std::array<std::uint64_t, 7> kLocal{
      EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC, F2FS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, kXfs, kZfs};
  struct statfs info {};
  return ::fstatfs(fd, &info) == 0 &&
         std::ranges::find(kLocal, static_cast<std::uint64_t>(info.f_type) & 0xFFFFFFFF) != kLocal.end();
}

}  // namespace vizd
