#include "system/wake_up.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace vizd {

WakeUp::WakeUp() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)), writing_fd_(fd_) {}

WakeUp::~WakeUp() {
  if (fd_ >= 0) ::close(fd_);
}

bool WakeUp::wake() const {
  const std::uint64_t one = 1;
  return ::write(writing_fd_, &one, sizeof one) > 0 || errno == EAGAIN;  // a full counter is awake already
}

void WakeUp::rest() const {
  std::uint64_t times = 0;
  while (::read(fd_, &times, sizeof times) > 0) {
  }
}

}  // namespace vizd
