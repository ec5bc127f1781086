// By a pipe that holds a byte.
#include "system/wake_up.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "system/descriptors.h"

namespace vizd {

WakeUp::WakeUp() {
  std::array<int, 2> ends{};
  if (!make_pipe(ends)) return;
  for (const int end : ends) ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
  fd_ = ends[0];
  writing_fd_ = ends[1];
}

WakeUp::~WakeUp() {
  for (const int end : {fd_, writing_fd_}) {
    if (end >= 0) ::close(end);
  }
}

bool WakeUp::wake() const {
  const char byte = 1;
  return ::write(writing_fd_, &byte, 1) > 0 || errno == EAGAIN;  // a full pipe is awake already
}

void WakeUp::rest() const {
  std::array<char, 4096> bytes;
  while (::read(fd_, bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace vizd
