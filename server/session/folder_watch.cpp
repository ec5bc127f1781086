#include "session/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace vizd {
namespace {

// Ends of writing, not each write: a file that is still open for writing is seldom whole.
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB;

}  // namespace

FolderWatch::FolderWatch()
    : inotify_fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), wake_fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

FolderWatch::~FolderWatch() {
  if (inotify_fd_ >= 0) ::close(inotify_fd_);
  ::close(wake_fd_);
}

bool FolderWatch::add(const std::string& folder) {
  if (folders_.contains(folder)) return true;
  if (inotify_fd_ < 0 || ::inotify_add_watch(inotify_fd_, folder.c_str(), kEvents) < 0) return false;
  folders_.insert(folder);
  return true;
}

void FolderWatch::wait(std::chrono::milliseconds timeout) {
  std::array<pollfd, 2> fds{pollfd{inotify_fd_, POLLIN, 0}, pollfd{wake_fd_, POLLIN, 0}};  // poll skips a fd of -1
  if (::poll(fds.data(), fds.size(), static_cast<int>(timeout.count())) <= 0) return;
  std::array<char, 16384> events;
  while (inotify_fd_ >= 0 && ::read(inotify_fd_, events.data(), events.size()) > 0) {
  }
  std::uint64_t woken = 0;
  while (::read(wake_fd_, &woken, sizeof woken) > 0) {
  }
}

void FolderWatch::wake() {
  const std::uint64_t one = 1;
  // A full counter is awake already.
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
}

}  // namespace vizd
