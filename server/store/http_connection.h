// HttpConnection: one connection to a server that is asked, over HTTP/1.1, with TLS where its address says so.
// The server may be anything, so every
// exchange has a bound of bytes, of time and of headers, and ends once nobody waits for it. This is why no library does
// it: cpp-httplib's client takes endless headers and endless interim answers. One thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/address.h"
#include "store/tls_session.h"

namespace vizd::store {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

class HttpConnection {
 public:
  // The limit for all heads of an answer together, interim ones and trailers too.
  static constexpr std::size_t kMostHeadBytes = std::size_t{64} << 10;
  // Beyond its time an exchange goes on while at least so much of it comes or goes in a second.
  static constexpr std::size_t kLeastBytesPerSecond = std::size_t{8} << 10;

  struct Bounds {
    std::chrono::milliseconds time;  // for all of it, and a second more for each 8 KiB that came or went
    std::size_t most_bytes;          // of the answer's body
    std::stop_token left = {};       // requested: nobody waits for it
  };

  // ca_file: as TlsSession has it.
  explicit HttpConnection(StoreAddress address, std::string ca_file = "")
      : address_(std::move(address)), ca_file_(std::move(ca_file)) {}
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  ~HttpConnection() { close(); }

  // headers: lines that each end in CRLF. Errors: kBusy where the server cannot be reached, leaves, is too slow, or
  // nobody waits; kTooLarge where the body is too long; kInternal where the server speaks no HTTP.
  Result<HttpAnswer> post(std::string_view target, std::string_view headers, std::string_view body,
                          const Bounds& bounds);
  // The same without a body.
  Result<HttpAnswer> get(std::string_view target, std::string_view headers, const Bounds& bounds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Head;

  Result<HttpAnswer> exchange(std::string_view first_line, std::string_view headers, std::string_view body,
                              const Bounds& bounds);
  Result<void> connect();
  Result<void> begin_tls();
  // Waits until the connection is ready for events. Errors: the time is over, or nobody waits.
  Result<void> wait(short events);
  Result<void> send(std::string_view bytes);
  Result<void> send_plain(std::string_view bytes);
  // Takes what has come into in_, at least one byte; false where the server has left.
  Result<bool> receive();
  // The same into that; how many bytes came.
  Result<std::size_t> receive_plain(std::span<char> part);
  // Gives the exchange the time for so many bytes: of its own, as TLS may have endless ones beside them.
  void allow_time_for(std::size_t bytes);
  // The next line of a head, without its end.
  Result<std::string> read_line();
  Result<Head> read_head();
  Result<void> read_bytes(std::size_t size, std::string& body);
  Result<void> read_chunks(std::string& body);
  Result<void> read_to_end(std::string& body);
  Result<void> read_body(const Head& head, std::string& body);
  void close();

  Error error(ErrorKind kind, std::string_view message) const { return {kind, std::string(message), address_.text()}; }
  Error at_store(Error failed) const { return {failed.kind, std::move(failed.message), address_.text()}; }
  Error too_long() const;
  Error nobody_waits() const;

  const StoreAddress address_;
  const std::string ca_file_;
  int fd_ = -1;
  std::unique_ptr<TlsSession> tls_;  // none: plain HTTP
  std::string in_;                   // has come
  std::size_t taken_ = 0;            // of in_
  // State of the current exchange:
  Bounds bounds_{};
  Clock::time_point until_;
  std::size_t head_bytes_ = 0;
};

}  // namespace vizd::store
