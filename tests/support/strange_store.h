// StrangeStore: what stands at a store's address and is no ClickHouse. It answers every request with the same bytes, in
// HTTP or not, and may go on and on. A thread a connection; ended with the object.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <thread>

#include "store/address.h"

namespace vizd {

class StrangeStore {
 public:
  struct Answer {
    std::string first;
    std::string again = {};  // after it, for ever
    std::chrono::milliseconds pause{0};
  };

  // Answers as HTTP, with that body.
  explicit StrangeStore(const std::string& body)
      : StrangeStore(Answer{
            fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", body.size(), body)}) {}
  explicit StrangeStore(Answer answer) : answer_(std::move(answer)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size);
    ::listen(fd_, 128);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  StrangeStore(const StrangeStore&) = delete;
  StrangeStore& operator=(const StrangeStore&) = delete;
  ~StrangeStore() {
    ended_ = true;
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    for (std::thread& talk : talks_) talk.join();
    ::close(fd_);
  }

  store::StoreAddress address() const { return *store::parse_store_address(url()); }
  std::string url() const { return fmt::format("http://127.0.0.1:{}/fleet", port_); }
  // How many are connected, and how many ever were.
  unsigned connected() const { return connected_; }
  unsigned came() const { return came_; }
  // Bytes that were taken of its answers, about.
  std::uint64_t sent_bytes() const { return sent_bytes_; }

 private:
  void serve() {
    for (;;) {
      const int client = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) return;
      ++connected_;
      ++came_;
      talks_.emplace_back([this, client] {
        talk(client);
        ::close(client);
        --connected_;
      });
    }
  }

  void talk(int client) {
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    take_request(client);
    bool goes_on = send(client, answer_.first);
    while (!answer_.again.empty() && goes_on && !ended_) {
      pollfd left{client, POLLRDHUP, 0};
      goes_on = ::poll(&left, 1, static_cast<int>(answer_.pause.count())) == 0 && send(client, answer_.again);
    }
    ::shutdown(client, SHUT_WR);
    char rest[4096];
    while (!ended_ && ::recv(client, rest, sizeof rest, 0) > 0) continue;
  }

  bool send(int client, std::string_view bytes) {
    while (!bytes.empty() && !ended_) {
      const ssize_t n = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (n <= 0) continue;
      bytes.remove_prefix(static_cast<std::size_t>(n));
      sent_bytes_ += static_cast<std::uint64_t>(n);
    }
    return true;
  }

  // Its head and as much of its body as that says.
  void take_request(int client) const {
    constexpr std::string_view kLength = "Content-Length: ", kEnd = "\r\n\r\n";
    std::string request;
    char buffer[4096];
    while (!ended_) {
      const auto end = request.find(kEnd), length = request.find(kLength);
      const std::size_t body = length < end ? std::stoul(request.substr(length + kLength.size())) : 0;
      if (end != std::string::npos && request.size() >= end + kEnd.size() + body) return;
      const ssize_t n = ::recv(client, buffer, sizeof buffer, 0);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return;
      request.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    }
  }

  const Answer answer_;
  const int fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  std::atomic<bool> ended_{false};
  std::atomic<unsigned> connected_{0}, came_{0};
  std::atomic<std::uint64_t> sent_bytes_{0};
  std::deque<std::thread> talks_;  // the one below adds to it, and the destructor after that
  std::thread thread_;
};

}  // namespace vizd
