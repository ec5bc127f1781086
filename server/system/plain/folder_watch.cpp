// Watches nothing: changes are seen at the timeouts of wait().
#include "system/folder_watch.h"

#include <poll.h>

namespace vizd {

FolderWatch::FolderWatch() = default;
FolderWatch::~FolderWatch() = default;

bool FolderWatch::add(const std::string&) { return false; }

void FolderWatch::wait(std::chrono::milliseconds timeout) {
  pollfd woken{wake_up_.fd(), POLLIN, 0};
  if (::poll(&woken, 1, static_cast<int>(timeout.count())) > 0) wake_up_.rest();
}

void FolderWatch::wake() { wake_up_.wake(); }

}  // namespace vizd
