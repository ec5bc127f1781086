// StopSignals: Ctrl-C and SIGTERM as something to wait for. Made in main before any thread: threads
// inherit what is blocked, so that the signals reach nobody but wait(). The end of the terminal counts too, unless
// whoever started the program has it ignored.
#pragma once

#include <chrono>
#include <csignal>

namespace vizd {

class StopSignals {
 public:
  StopSignals();
  // True once one came; false at the timeout.
  bool wait(std::chrono::milliseconds timeout) const;

 private:
  sigset_t set_;
};

}  // namespace vizd
