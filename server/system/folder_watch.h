// FolderWatch: sleeps until something happens in one of the watched folders. It only says "look again": what changed is
// found out by looking at the files, so that a lost event, a rename over a file or a folder that cannot be watched
// costs time at most. wake() may be called by any thread, the rest by one.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "system/wake_up.h"

namespace vizd {

class FolderWatch {
 public:
  FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  // Watches a folder from now on. False where it cannot be: then only the timeouts of wait() see its changes.
  bool add(const std::string& folder);
  // Returns after an event, after wake(), or at the timeout.
  void wait(std::chrono::milliseconds timeout);
  void wake();

 private:
  [[maybe_unused]] int watching_fd_ = -1;  // where the system watches
  WakeUp wake_up_;
  std::set<std::string> folders_;
};

}  // namespace vizd
