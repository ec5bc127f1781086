#include "base/own_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/private_files.h"
#include "system/files.h"
#include "system/random.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "vizd-folder";
constexpr const char* kContents = "contents";

std::string text_of_marker(const fs::path& folder) {
  return fmt::format("vizd created {} and removes it\n", folder.filename().string());
}

Error system_error(const std::string& path) {
  return {ErrorKind::kInternal, fmt::format("cannot be created: {}", std::strerror(errno)), path};
}

// The marker of a folder that a vizd of this user made, where its lock tells whether that process lives; none for any
// other.
std::optional<int> open_marker(const fs::path& folder) {
  struct stat of_folder {
  }, of_marker{};
  if (::lstat(folder.c_str(), &of_folder) != 0 || !S_ISDIR(of_folder.st_mode) || of_folder.st_uid != ::geteuid())
    return std::nullopt;
  const int fd = ::open((folder / kMarker).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  const std::string expected = text_of_marker(folder);
  std::string text(expected.size() + 1, '\0');
  const bool is_ours = ::fstat(fd, &of_marker) == 0 && S_ISREG(of_marker.st_mode) && of_marker.st_uid == ::geteuid() &&
                       ::read(fd, text.data(), text.size()) == static_cast<ssize_t>(expected.size()) &&
                       text.starts_with(expected);
  if (is_ours && has_locks_of_this_machine(fd)) return fd;
  ::close(fd);
  return std::nullopt;
}

// The locked marker of such a folder that no process uses any more.
std::optional<int> lock_left_behind(const fs::path& folder) {
  const auto marker = open_marker(folder);
  if (!marker) return std::nullopt;
  if (::flock(*marker, LOCK_EX | LOCK_NB) == 0) return marker;
  ::close(*marker);
  return std::nullopt;
}

// Shared, so that two that look at once do not take each other for the one that made it.
bool is_in_use(const fs::path& folder) {
  const auto marker = open_marker(folder);
  if (!marker) return false;
  const bool is_locked = ::flock(*marker, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(*marker);
  return is_locked;
}

// The marker goes last of what vizd made, so that what is left when this is cut short can still be removed. Whatever
// else came to lie beside it stays.
void remove_marked(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder / kContents, failed);
  if (failed) return;
  ::unlink((folder / kMarker).c_str());
  ::rmdir(folder.c_str());
}

std::vector<fs::path> list_marked(const fs::path& parent, std::string_view prefix) {
  std::error_code failed;
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().filename().string().starts_with(prefix)) folders.push_back(at->path());
  }
  return folders;
}

void remove_left_behind(const fs::path& parent, std::string_view prefix) {
  for (const fs::path& folder : list_marked(parent, prefix)) {
    const auto marker = lock_left_behind(folder);
    if (!marker) continue;
    remove_marked(folder);
    ::close(*marker);
  }
}

std::string random_digits() {
  std::array<unsigned char, 16> random{};
  if (!fill_with_random(random.data(), random.size())) return "";
  std::string digits;
  for (const unsigned byte : random) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace

Result<std::unique_ptr<OwnFolder>> OwnFolder::make(const std::string& parent, std::string_view prefix) {
  make_missing_folders(parent);
  remove_left_behind(parent, prefix);
  const std::string digits = random_digits();
  const std::string path = (fs::path(parent) / (std::string(prefix) + digits)).string();
  if (digits.empty() || !make_private_folder(path)) return system_error(path);
  const std::string marker = path + "/" + kMarker, text = text_of_marker(path);
  const int fd = make_private_file(marker, O_RDWR);
  // Made now, so that whatever fails is removed again.
  std::unique_ptr<OwnFolder> folder(new OwnFolder(path, fd));
  if (fd < 0 || !make_private_folder(folder->contents())) return system_error(path);
  // The name is written once the lock is held: nobody believes a marker without it. A folder whose marker cannot be
  // locked or written is as good for this process, and is nobody else's to remove.
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
    static_cast<void>(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  return folder;
}

std::vector<std::string> OwnFolder::in_use(const std::string& parent, std::string_view prefix) {
  std::vector<std::string> contents;
  for (const fs::path& folder : list_marked(parent, prefix)) {
    if (is_in_use(folder)) contents.push_back((folder / kContents).string());
  }
  return contents;
}

OwnFolder::~OwnFolder() {
  remove();
  if (marker_ >= 0) ::close(marker_);
}

std::string OwnFolder::contents() const { return path_ + "/" + kContents; }

void OwnFolder::remove() { remove_marked(path_); }

}  // namespace vizd
