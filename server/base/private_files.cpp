#include "base/private_files.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFileMode = 0600, kFolderMode = 0700;

}  // namespace

int make_private_file(const std::string& path, int access) {
  const int fd = ::open(path.c_str(), access | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kFileMode);
  // The umask may have taken the user's own rights.
  if (fd >= 0) ::fchmod(fd, kFileMode);
  return fd;
}

bool make_private_folder(const std::string& path) {
  return ::mkdir(path.c_str(), kFolderMode) == 0 && ::chmod(path.c_str(), kFolderMode) == 0;
}

void make_missing_folders(const std::string& path) {
  fs::path made;
  for (const fs::path& part : fs::path(path).lexically_normal()) {
    made /= part;
    make_private_folder(made.string());
  }
}

Result<void> take_private_folder(const std::string& path) {
  make_missing_folders(path);
  struct stat info {};
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorKind::kForbidden, "cannot be used: " + why, path};
  };
  if (::stat(path.c_str(), &info) != 0) return refuse(std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) return refuse("it is not a folder");
  if (info.st_uid != ::geteuid()) return refuse("it belongs to another user; remove it, or choose another place");
  if ((info.st_mode & kWrittenByOthers) == 0) return {};
  if ((info.st_mode & S_ISVTX) != 0) return refuse("everybody may write there; choose a folder of your own");
  if (::chmod(path.c_str(), info.st_mode & 07777 & ~kWrittenByOthers) != 0) return refuse(std::strerror(errno));
  return {};
}

}  // namespace vizd
