// Connection: one accepted connection and the bytes that wait in it, either way. It belongs to the ConnectionPool,
// which lends it to one worker at a time for the exchange of a request. Only a whole head is worth a worker, and an
// answer that its client takes its time to read is none: so the pool's thread receives heads and sends the rest of
// answers, both without waiting. Limits that the HTTP library lacks are held here: of a head's bytes, of its form
// (strict_head.h), of a worker's waits. Those also end when stop_fd becomes readable, so that the server stops at once.
// Owns the descriptor.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "http/transport/strict_head.h"

namespace vizd {

class Connection {
 public:
  static constexpr std::size_t kMaxHeadBytes = 64 * 1024;
  // For the waits of a worker: for a part of a body, or for a client to take a part of an event stream.
  static constexpr std::chrono::seconds kReadTimeout{10};
  static constexpr std::chrono::seconds kWriteTimeout{30};

  Connection(int fd, int stop_fd) : fd_(fd), stop_fd_(stop_fd) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  int fd() const { return fd_; }

  // How much has arrived: nothing yet, a part of a head, a head (whole, or one that will be refused), or the end.
  enum class Arrived { kNothing, kPart, kHead, kEnd };
  // For the pool. Takes what is there, without waiting.
  Arrived receive();
  // The head that has arrived, the blank line included.
  std::string_view head() const { return std::string_view(in_).substr(0, head_bytes_); }
  // Sends what is left of the answer as far as the client takes it. False once it is broken.
  bool send_rest();
  bool has_rest() const { return !out_.empty() || !body_.empty(); }
  // So many bytes of the answer the client's system has not taken yet.
  std::size_t bytes_to_take() const;
  // Forgets the request that was answered. What of the next one came together with it has arrived already.
  Arrived next_request();
  // Says that nothing more will be sent. What still arrives is dropped by drain(), until the client has closed too:
  // closing earlier would make the kernel reset the connection, and the client lose the answer.
  void end_sending();
  // False once there is no more to wait for.
  bool drain();
  // Whether a request that came on it showed the token.
  bool is_known() const { return is_known_; }
  // Told when the client has left while its request is being answered.
  std::stop_source& left() { return left_; }

  // For the worker. As POSIX read: the head, then what follows it; -1 at a limit or when the server stops.
  ssize_t read(char* data, std::size_t size);
  // Takes all of it to be sent, or -1. Waits for the client only in a stream of events.
  ssize_t write(const char* data, std::size_t size);
  // Bytes that write() need not copy, for as long as their owner is held.
  void hold(std::shared_ptr<const void> owner, std::string_view bytes);
  void set_known() { is_known_ = true; }
  // From here on what is written goes out at once, and the writer waits for the client.
  void begin_stream() { is_stream_ = true; }
  // False once the client closed its side: it does not wait for an event any more.
  bool is_listening() const;

 private:
  using Clock = std::chrono::steady_clock;
  // True where fd_ is ready for events (or broken), false at the deadline or when the server stops.
  bool wait(short events, Clock::time_point deadline) const;
  Arrived scan();
  ssize_t write_to_stream(const char* data, std::size_t size);

  const int fd_;
  const int stop_fd_;
  std::string in_;
  StrictHead head_;
  std::size_t head_bytes_ = 0;  // of in_ that head_ has accepted
  std::size_t read_ = 0;        // of in_ by the worker
  std::string out_;             // to be sent, and after it:
  std::string_view body_;
  std::shared_ptr<const void> body_owner_;
  std::string_view held_;
  bool is_stream_ = false;
  bool is_known_ = false;
  std::size_t drained_ = 0;
  std::stop_source left_;
};

}  // namespace vizd
