// ClientSocket: one accepted connection, with the limits that the HTTP library lacks: a request's head may not exceed
// kMaxHeadBytes nor take longer than kHeadTimeout, it must be strict (strict_head.h), and a client that does not read
// is given up after kWriteTimeout. Every wait also ends when stop_fd becomes readable, so that the server stops at
// once. Owns the descriptor. One thread at a time.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>

#include "http/strict_head.h"

namespace vizd {

class ClientSocket {
 public:
  static constexpr std::size_t kMaxHeadBytes = 64 * 1024;
  static constexpr std::chrono::seconds kHeadTimeout{10};
  static constexpr std::chrono::seconds kWriteTimeout{30};

  ClientSocket(int fd, int stop_fd);
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;
  // Closes after what was written has had a chance to arrive.
  ~ClientSocket();

  // Waits for the first byte of a next request, and grants it its bytes and its time. False: there is none.
  bool wait_for_request(std::chrono::milliseconds timeout);
  // As POSIX read and write, in parts; -1 where a limit is reached or the server stops.
  ssize_t read(char* data, std::size_t size);
  ssize_t write(const char* data, std::size_t size);
  // False once the client closed its side: it does not wait for an event any more.
  bool is_listening() const;
  int fd() const { return fd_; }

 private:
  using Clock = std::chrono::steady_clock;
  // True where fd_ is ready for events (or broken), false at the deadline or when the server stops.
  bool wait(short events, Clock::time_point deadline) const;

  int fd_;
  int stop_fd_;
  std::array<char, 8192> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t head_bytes_left_ = 0;
  Clock::time_point head_deadline_{};
  StrictHead head_;
};

}  // namespace vizd
