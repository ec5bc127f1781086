// RawClient: a TCP connection to a test's server that sends exactly the bytes it is given, right or wrong. Every wait
// has a deadline and fails the test by returning what there is by then.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "support/wait_until.h"

namespace vizd {

class RawClient {
 public:
  explicit RawClient(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(fd_); }

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  void end_sending() const { ::shutdown(fd_, SHUT_WR); }

  // Reads until text() holds `wanted`, or the server closed, or the deadline passed.
  bool read_until(std::string_view wanted) {
    return read_while([&] { return text_.find(wanted) == std::string::npos; }), text_.find(wanted) != std::string::npos;
  }
  // Reads until the server closed; false at the deadline.
  bool read_to_end() {
    read_while([] { return true; });
    return ended_;
  }
  // Takes so many bytes at most, and drops them; 0 where the server closed, or at the deadline.
  std::size_t take(std::size_t most) {
    std::string bytes(most, '\0');
    pollfd readable{fd_, POLLIN, 0};
    if (::poll(&readable, 1, 10'000) <= 0) return 0;
    return static_cast<std::size_t>(std::max<ssize_t>(::recv(fd_, bytes.data(), most, 0), 0));
  }
  // Reads what is there, or comes within a moment.
  void read_some() {
    bool once = true;
    read_while([&] { return std::exchange(once, false); });
  }
  // All that was received.
  const std::string& text() const { return text_; }
  int status() const { return text_.starts_with("HTTP/1.1 ") ? std::stoi(text_.substr(9, 3)) : 0; }
  std::string body() const {
    const auto blank = text_.find("\r\n\r\n");
    return blank == std::string::npos ? "" : text_.substr(blank + 4);
  }

 private:
  void read_while(const std::function<bool()>& more) {
    const auto deadline = std::chrono::steady_clock::now() + kTestDeadline;
    while (!ended_ && more() && std::chrono::steady_clock::now() < deadline) {
      pollfd ready{fd_, POLLIN, 0};
      if (::poll(&ready, 1, 100) <= 0) continue;
      char buffer[65536];
      const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) {
        ended_ = true;
      } else {
        text_.append(buffer, static_cast<std::size_t>(n));
      }
    }
  }

  int fd_;
  bool connected_ = false;
  bool ended_ = false;
  std::string text_;
};

}  // namespace vizd
