#include "http/transport/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "system/sockets.h"

namespace vizd {
namespace {

constexpr std::size_t kReceiveBytes = 16 * 1024;
constexpr std::size_t kMostDrainedBytes = 256 * 1024;

}  // namespace

Connection::~Connection() { ::close(fd_); }

Connection::Arrived Connection::receive() {
  const std::size_t before = in_.size();
  in_.resize(before + kReceiveBytes);
  const ssize_t n = ::recv(fd_, in_.data() + before, kReceiveBytes, MSG_DONTWAIT);
  const bool is_ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
  in_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  if (in_.size() < kReceiveBytes / 4) in_.shrink_to_fit();  // a thousand of them lie idle
  return is_ended ? Arrived::kEnd : scan();
}

Connection::Arrived Connection::scan() {
  while (head_bytes_ < in_.size() && head_bytes_ < kMaxHeadBytes && !head_.ended()) {
    if (!head_.accept(in_[head_bytes_])) return Arrived::kHead;
    ++head_bytes_;
  }
  if (head_.ended() || head_bytes_ == kMaxHeadBytes) return Arrived::kHead;
  return in_.empty() ? Arrived::kNothing : Arrived::kPart;
}

Connection::Arrived Connection::next_request() {
  in_.erase(0, read_);
  read_ = 0;
  head_ = StrictHead();
  head_bytes_ = 0;
  is_stream_ = false;
  return scan();
}

bool Connection::send_rest() {
  while (has_rest()) {
    // The kernel does not write to what it is told to send.
    std::array<iovec, 2> parts{iovec{out_.data(), out_.size()}, iovec{const_cast<char*>(body_.data()), body_.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t n = ::sendmsg(fd_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    const auto sent = static_cast<std::size_t>(n);
    const std::size_t of_out = std::min(sent, out_.size());
    out_.erase(0, of_out);
    body_.remove_prefix(sent - of_out);
  }
  body_owner_.reset();
  out_.shrink_to_fit();
  return true;
}

std::size_t Connection::bytes_to_take() const { return out_.size() + body_.size() + unconfirmed_bytes(fd_); }

void Connection::end_sending() { ::shutdown(fd_, SHUT_WR); }

bool Connection::drain() {
  std::array<char, 8192> dropped;
  while (drained_ < kMostDrainedBytes) {
    const ssize_t n = ::recv(fd_, dropped.data(), dropped.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 && errno == EAGAIN;
    drained_ += static_cast<std::size_t>(n);
  }
  return false;
}

bool Connection::wait(short events, Clock::time_point deadline) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    std::array<pollfd, 2> fds{pollfd{fd_, events, 0}, pollfd{stop_fd_, POLLIN, 0}};
    const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && fds[1].revents == 0;
  }
}

ssize_t Connection::read(char* data, std::size_t size) {
  const std::size_t end = head_.ended() ? in_.size() : head_bytes_;
  if (read_ < end) {
    const std::size_t taken = std::min(size, end - read_);
    std::memcpy(data, in_.data() + read_, taken);
    read_ += taken;
    return static_cast<ssize_t>(taken);
  }
  if (!head_.ended()) return -1;
  while (wait(POLLIN, Clock::now() + kReadTimeout)) {
    const ssize_t n = ::recv(fd_, data, size, MSG_DONTWAIT);
    if (n >= 0 || (errno != EINTR && errno != EAGAIN)) return n;
  }
  return -1;
}

ssize_t Connection::write(const char* data, std::size_t size) {
  if (is_stream_) return write_to_stream(data, size);
  if (body_owner_ && data == held_.data() && size == held_.size() && body_.empty()) {
    body_ = held_;
  } else {
    out_.append(data, size);
  }
  return static_cast<ssize_t>(size);
}

ssize_t Connection::write_to_stream(const char* data, std::size_t size) {
  std::size_t sent = 0;
  while (sent < size) {
    if (!wait(POLLOUT, Clock::now() + kWriteTimeout)) return -1;
    const ssize_t n = ::send(fd_, data + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EINTR && errno != EAGAIN) return n;
    sent += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  return static_cast<ssize_t>(size);
}

void Connection::hold(std::shared_ptr<const void> owner, std::string_view bytes) {
  body_owner_ = std::move(owner);
  held_ = bytes;
}

bool Connection::is_listening() const {
  pollfd stop{stop_fd_, POLLIN, 0};
  return !has_left(fd_) && ::poll(&stop, 1, 0) == 0;
}

}  // namespace vizd
