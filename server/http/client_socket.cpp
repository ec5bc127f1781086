#include "http/client_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vizd {
namespace {

// How long a closing connection waits for the client to take its answer: closing with unread bytes in the receive
// buffer (a refused request's body) makes the kernel reset the connection and drop the answer.
constexpr std::chrono::milliseconds kLinger{300};
constexpr std::size_t kMostDrainedBytes = 256 * 1024;

}  // namespace

ClientSocket::ClientSocket(int fd, int stop_fd) : fd_(fd), stop_fd_(stop_fd) {}

ClientSocket::~ClientSocket() {
  ::shutdown(fd_, SHUT_WR);
  const auto deadline = Clock::now() + kLinger;
  std::size_t drained = 0;
  while (drained < kMostDrainedBytes && wait(POLLIN, deadline)) {
    const ssize_t n = ::recv(fd_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (n <= 0) break;
    drained += static_cast<std::size_t>(n);
  }
  ::close(fd_);
}

bool ClientSocket::wait(short events, Clock::time_point deadline) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    std::array<pollfd, 2> fds{pollfd{fd_, events, 0}, pollfd{stop_fd_, POLLIN, 0}};
    const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && fds[1].revents == 0;
  }
}

bool ClientSocket::wait_for_request(std::chrono::milliseconds timeout) {
  const auto now = Clock::now();
  head_bytes_left_ = kMaxHeadBytes;
  head_deadline_ = now + timeout + kHeadTimeout;
  head_ = StrictHead();
  return begin_ < end_ || wait(POLLIN, now + timeout);
}

ssize_t ClientSocket::read(char* data, std::size_t size) {
  if (head_bytes_left_ == 0) return -1;
  if (begin_ == end_) {
    if (!wait(POLLIN, head_deadline_)) return -1;
    const ssize_t n = ::recv(fd_, buffer_.data(), buffer_.size(), 0);
    if (n <= 0) return n;
    begin_ = 0;
    end_ = static_cast<std::size_t>(n);
  }
  const std::size_t taken = std::min({size, end_ - begin_, head_bytes_left_});
  for (std::size_t i = begin_; i < begin_ + taken; ++i) {
    if (!head_.accept(buffer_[i])) return -1;
  }
  std::memcpy(data, buffer_.data() + begin_, taken);
  begin_ += taken;
  head_bytes_left_ -= taken;
  return static_cast<ssize_t>(taken);
}

ssize_t ClientSocket::write(const char* data, std::size_t size) {
  while (true) {
    if (!wait(POLLOUT, Clock::now() + kWriteTimeout)) return -1;
    const ssize_t n = ::send(fd_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n >= 0 || (errno != EINTR && errno != EAGAIN)) return n;
  }
}

bool ClientSocket::is_listening() const {
  std::array<pollfd, 2> fds{pollfd{fd_, POLLRDHUP, 0}, pollfd{stop_fd_, POLLIN, 0}};
  return ::poll(fds.data(), fds.size(), 0) == 0;
}

}  // namespace vizd
