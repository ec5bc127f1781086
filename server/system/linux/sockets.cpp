#include "system/sockets.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>

namespace vizd {

int make_socket(int family, int type, int protocol) {
  return ::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

int accept_socket(int listening_fd) { return ::accept4(listening_fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); }

std::size_t unconfirmed_bytes(int fd) {
  int count = 0;
  return ::ioctl(fd, SIOCOUTQ, &count) == 0 ? static_cast<std::size_t>(std::max(count, 0)) : 0;
}

bool has_left(int fd) {
  pollfd state{fd, POLLRDHUP, 0};
  return ::poll(&state, 1, 0) != 0;
}

}  // namespace vizd
