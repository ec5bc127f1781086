#include "system/sockets.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

namespace vizd {
namespace {

int made_ready(int fd) {
  if (fd < 0) return fd;
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return fd;
}

}  // namespace

int make_socket(int family, int type, int protocol) { return made_ready(::socket(family, type, protocol)); }

int accept_socket(int listening_fd) { return made_ready(::accept(listening_fd, nullptr, nullptr)); }

std::size_t unconfirmed_bytes(int) { return 0; }

// Where something lies unread, what came after it is not seen.
bool has_left(int fd) {
  pollfd state{fd, POLLIN, 0};
  if (::poll(&state, 1, 0) == 0) return false;
  if ((state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return true;
  char next;
  return ::recv(fd, &next, 1, MSG_PEEK) == 0;
}

}  // namespace vizd
