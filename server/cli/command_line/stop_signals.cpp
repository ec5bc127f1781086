#include "cli/command_line/stop_signals.h"

#include <ctime>

namespace vizd {

StopSignals::StopSignals() {
  sigemptyset(&set_);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&set_, signal);
  // nohup has it ignored, so that the program outlives its terminal.
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&set_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
}

bool StopSignals::wait(std::chrono::milliseconds timeout) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const timespec limit{seconds.count(), std::chrono::nanoseconds(timeout - seconds).count()};
  return sigtimedwait(&set_, nullptr, &limit) > 0;
}

}  // namespace vizd
