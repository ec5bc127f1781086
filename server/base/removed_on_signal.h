// RemovedOnSignal: a file that goes when a signal ends the program (SIGHUP, SIGINT, SIGTERM), as no destructor runs
// then. SIGKILL leaves it. Only for the files that this process has just made itself. Any thread; a few at a time.
#pragma once

#include <string>

namespace vizd {

class RemovedOnSignal {
 public:
  // Signals that are ignored, or handled by somebody else, stay so.
  explicit RemovedOnSignal(std::string path);
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;
  // From here on the file stays.
  ~RemovedOnSignal();

 private:
  const std::string path_;
};

}  // namespace vizd
