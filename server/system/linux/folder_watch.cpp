#include "system/folder_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace vizd {
namespace {

// Ends of writing, not each write: a file that is still open for writing is seldom whole.
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB;

}  // namespace

FolderWatch::FolderWatch() : watching_fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

FolderWatch::~FolderWatch() {
  if (watching_fd_ >= 0) ::close(watching_fd_);
}

bool FolderWatch::add(const std::string& folder) {
  if (folders_.contains(folder)) return true;
  if (watching_fd_ < 0 || ::inotify_add_watch(watching_fd_, folder.c_str(), kEvents) < 0) return false;
  folders_.insert(folder);
  return true;
}

void FolderWatch::wait(std::chrono::milliseconds timeout) {
  std::array<pollfd, 2> fds{pollfd{watching_fd_, POLLIN, 0}, pollfd{wake_up_.fd(), POLLIN, 0}};  // poll skips a -1
  if (::poll(fds.data(), fds.size(), static_cast<int>(timeout.count())) <= 0) return;
  std::array<char, 16384> events;
  while (watching_fd_ >= 0 && ::read(watching_fd_, events.data(), events.size()) > 0) {
  }
  wake_up_.rest();
}

void FolderWatch::wake() { wake_up_.wake(); }

}  // namespace vizd
