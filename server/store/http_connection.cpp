#include "store/http_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>

#include "base/ascii_case.h"
#include "system/sockets.h"

namespace vizd::store {
namespace {

constexpr std::chrono::seconds kConnectTime{5}, kHandshakeTime{10};
constexpr std::size_t kPartBytes = std::size_t{64} << 10;    // come at once
constexpr std::size_t kRecordBytes = std::size_t{16} << 10;  // go at once under TLS
constexpr std::size_t kMostChunkLineBytes = 32;              // so that small chunks cannot bring far more than the body
// How soon a wait hears that nobody waits for its answer.
constexpr std::chrono::milliseconds kLookInterval{50};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// The number that the whole text is.
std::optional<std::size_t> number_in(std::string_view text, int base) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A descriptor whose connection is being made, or negative.
int begin_connecting(const addrinfo& to) {
  const int fd = make_socket(to.ai_family, to.ai_socktype, to.ai_protocol);
  if (fd < 0) return fd;
  const int yes = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::connect(fd, to.ai_addr, to.ai_addrlen) == 0 || errno == EINPROGRESS) return fd;
  ::close(fd);
  return -1;
}

bool is_connected(int fd) {
  int cause = 0;
  socklen_t size = sizeof cause;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size) == 0 && cause == 0;
}

// Whether a connection between two exchanges is still there, with nothing to read: nothing may come on it.
bool is_quiet(int fd) {
  pollfd ready{fd, POLLIN, 0};
  return ::poll(&ready, 1, 0) == 0;
}

}  // namespace

struct HttpConnection::Head {
  int status = 0;
  std::optional<std::size_t> length;
  bool is_chunked = false;
  bool stays = false;  // the connection, for the next request
};

Error HttpConnection::too_long() const {
  return error(ErrorKind::kTooLarge,
               fmt::format("the answer is larger than {} MiB; ask for less", bounds_.most_bytes >> 20));
}

Error HttpConnection::nobody_waits() const {
  return error(ErrorKind::kBusy, "nobody waits for the store's answer any more");
}

void HttpConnection::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  tls_.reset();
  in_.clear();
  taken_ = 0;
}

Result<void> HttpConnection::connect() {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address_.host.c_str(), std::to_string(address_.port).c_str(), &hints, &found) == 0) {
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
    const Clock::time_point whole = until_;
    for (const addrinfo* to = found; to != nullptr; to = to->ai_next) {
      fd_ = begin_connecting(*to);
      until_ = std::min(whole, Clock::now() + kConnectTime);
      const bool is_there = fd_ >= 0 && wait(POLLOUT) && is_connected(fd_);
      until_ = whole;
      if (is_there) return address_.is_encrypted ? begin_tls() : Result<void>();
      close();
      if (bounds_.left.stop_requested()) return nobody_waits();
    }
  }
  return error(ErrorKind::kBusy, "nothing answers there; is the store running, and is this its HTTP port?");
}

Result<void> HttpConnection::begin_tls() {
  auto begun = TlsSession::begin(address_.host, ca_file_);
  if (!begun) return at_store(begun.error());
  tls_ = std::move(*begun);
  const Clock::time_point whole = until_;
  until_ = std::min(whole, Clock::now() + kHandshakeTime);
  for (;;) {
    const auto state = tls_->handshake();
    const auto sent = send_plain(tls_->outgoing());  // where the handshake failed, why
    if (!state) return at_store(state.error());      // though the store has left and no longer hears it
    if (!sent) return sent.error();
    if (*state == TlsSession::State::kDone) break;
    std::array<char, kPartBytes> part;
    const auto size = receive_plain(part);
    if (!size && bounds_.left.stop_requested()) return size.error();
    // A server of plain HTTP leaves, or waits for the end of a line, which a handshake may not have.
    if (!size || *size == 0)
      return error(ErrorKind::kBusy, "the store did not say who it is, or not in time; is this its https port?");
    tls_->take_incoming({part.data(), *size});
  }
  until_ = whole;
  return {};
}

Result<void> HttpConnection::wait(short events) {
  for (;;) {
    if (bounds_.left.stop_requested()) return nobody_waits();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
    if (left.count() <= 0)
      return error(ErrorKind::kBusy, "the store was silent, or too slow, for too long before it had answered");
    pollfd ready{fd_, events, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::min(left, kLookInterval).count()));
    if (count > 0) return {};
  }
}

void HttpConnection::allow_time_for(std::size_t bytes) {
  until_ += std::chrono::microseconds(1'000'000 * bytes / kLeastBytesPerSecond);
}

Result<void> HttpConnection::send(std::string_view bytes) {
  if (!tls_) return send_plain(bytes);
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kRecordBytes);
    if (const auto written = tls_->write(part); !written) return at_store(written.error());
    VIZD_TRY(send_plain(tls_->outgoing()));
    bytes.remove_prefix(part.size());
    allow_time_for(part.size());
  }
  return {};
}

Result<void> HttpConnection::send_plain(std::string_view bytes) {
  while (!bytes.empty()) {
    VIZD_TRY(wait(POLLOUT));
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return error(ErrorKind::kBusy, "the store left before it had taken all");
    bytes.remove_prefix(static_cast<std::size_t>(n));
    if (!tls_) allow_time_for(static_cast<std::size_t>(n));
  }
  return {};
}

Result<bool> HttpConnection::receive() {
  in_.erase(0, taken_);
  taken_ = 0;
  std::array<char, kPartBytes> part;
  for (;;) {
    if (tls_) {
      const std::size_t before = in_.size();
      const auto state = tls_->read(in_);
      if (!state) return at_store(state.error());
      allow_time_for(in_.size() - before);
      VIZD_TRY(send_plain(tls_->outgoing()));
      if (*state != TlsSession::State::kWaits) return *state == TlsSession::State::kDone;
    }
    const auto size = receive_plain(part);
    if (!size) return size.error();
    const std::string_view came(part.data(), *size);
    if (!tls_) {
      in_ += came;
      return !came.empty();
    }
    // Without a word of its end: whoever stands between could have cut it.
    if (came.empty()) return error(ErrorKind::kBusy, "the store left before it had answered");
    tls_->take_incoming(came);
  }
}

Result<std::size_t> HttpConnection::receive_plain(std::span<char> part) {
  for (;;) {
    VIZD_TRY(wait(POLLIN));
    const ssize_t n = ::recv(fd_, part.data(), part.size(), MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return std::size_t{0};
    if (!tls_) allow_time_for(static_cast<std::size_t>(n));
    return static_cast<std::size_t>(n);
  }
}

Result<std::string> HttpConnection::read_line() {
  std::size_t looked = 0;
  for (;;) {
    const std::string_view rest = std::string_view(in_).substr(taken_);
    const auto end = rest.find('\n', looked);
    const std::size_t size = end == std::string_view::npos ? rest.size() : end + 1;
    if (head_bytes_ + size > kMostHeadBytes)
      return error(ErrorKind::kInternal, "answers like no ClickHouse: with endless headers");
    if (end != std::string_view::npos) {
      std::string line(rest.substr(0, end));
      if (line.ends_with('\r')) line.pop_back();
      taken_ += size;
      head_bytes_ += size;
      return line;
    }
    looked = rest.size();
    const auto more = receive();
    if (!more) return more.error();
    if (!*more) return error(ErrorKind::kBusy, "the store left before it had answered");
  }
}

// Reads the head of the answer itself, after any interim ones.
Result<HttpConnection::Head> HttpConnection::read_head() {
  for (;;) {
    auto line = read_line();
    if (!line) return line.error();
    Head head;
    const auto status = number_in(std::string_view(*line).substr(std::min<std::size_t>(9, line->size()), 3), 10);
    if (!line->starts_with("HTTP/1.") || line->size() < 12 || !status)
      return error(ErrorKind::kInternal, "answers like no ClickHouse: not in HTTP");
    head.status = static_cast<int>(*status);
    head.stays = line->starts_with("HTTP/1.1");
    for (line = read_line(); line && !line->empty(); line = read_line()) {
      const auto colon = line->find(':');
      if (colon == std::string::npos) continue;
      const auto name = std::string_view(*line).substr(0, colon);
      const auto value = trimmed(std::string_view(*line).substr(colon + 1));
      if (equal_in_any_case(name, "Content-Length")) head.length = number_in(value, 10);
      if (equal_in_any_case(name, "Transfer-Encoding")) head.is_chunked = equal_in_any_case(value, "chunked");
      if (equal_in_any_case(name, "Connection") && equal_in_any_case(value, "close")) head.stays = false;
    }
    if (!line) return line.error();
    if (head.status >= 200) return head;
  }
}

Result<void> HttpConnection::read_bytes(std::size_t size, std::string& body) {
  while (size > 0) {
    const std::size_t some = std::min(size, in_.size() - taken_);
    body.append(in_, taken_, some);
    taken_ += some;
    size -= some;
    if (size == 0) break;
    const auto more = receive();
    if (!more) return more.error();
    if (!*more) return error(ErrorKind::kBusy, "the store's answer did not come whole");
  }
  return {};
}

Result<void> HttpConnection::read_chunks(std::string& body) {
  for (;;) {
    head_bytes_ = 0;  // that is of heads, and of the trailers below
    const auto line = read_line();
    if (!line) return line.error();
    const auto size = number_in(trimmed(std::string_view(*line).substr(0, line->find(';'))), 16);
    if (!size || line->size() > kMostChunkLineBytes)
      return error(ErrorKind::kInternal, "answers like no ClickHouse: in chunks without a size");
    if (*size > bounds_.most_bytes - body.size()) return too_long();
    if (*size == 0) break;
    VIZD_TRY(read_bytes(*size, body));
    const auto end = read_line();
    if (!end) return end.error();
  }
  for (;;) {
    const auto trailer = read_line();
    if (!trailer) return trailer.error();
    if (trailer->empty()) return {};
  }
}

Result<void> HttpConnection::read_to_end(std::string& body) {
  for (;;) {
    body.append(in_, taken_);
    taken_ = in_.size();
    if (body.size() > bounds_.most_bytes) return too_long();
    const auto more = receive();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

Result<void> HttpConnection::read_body(const Head& head, std::string& body) {
  if (head.status == 204 || head.status == 304) return {};
  if (head.is_chunked) return read_chunks(body);
  if (!head.length) return read_to_end(body);
  if (*head.length > bounds_.most_bytes) return too_long();
  return read_bytes(*head.length, body);
}

Result<HttpAnswer> HttpConnection::post(std::string_view target, std::string_view headers, std::string_view body,
                                        const Bounds& bounds) {
  return exchange(fmt::format("POST {} HTTP/1.1\r\nContent-Length: {}", target, body.size()), headers, body, bounds);
}

Result<HttpAnswer> HttpConnection::get(std::string_view target, std::string_view headers, const Bounds& bounds) {
  return exchange(fmt::format("GET {} HTTP/1.1", target), headers, "", bounds);
}

Result<HttpAnswer> HttpConnection::exchange(std::string_view first_line, std::string_view headers,
                                            std::string_view body, const Bounds& bounds) {
  bounds_ = bounds;
  until_ = Clock::now() + bounds.time;
  head_bytes_ = 0;
  if (fd_ >= 0 && (taken_ < in_.size() || !is_quiet(fd_))) close();
  if (fd_ < 0) {
    const auto connected = connect();
    if (!connected) {
      close();
      return connected.error();
    }
  }
  const std::string head =
      fmt::format("{}\r\nHost: {}:{}\r\n{}\r\n", first_line,
                  address_.host.find(':') == std::string::npos ? address_.host : fmt::format("[{}]", address_.host),
                  address_.port, headers);
  HttpAnswer answer;
  const auto answered_whole = [&]() -> Result<bool> {
    VIZD_TRY(send(head));
    VIZD_TRY(send(body));
    const auto answered = read_head();
    if (!answered) return answered.error();
    answer.status = answered->status;
    VIZD_TRY(read_body(*answered, answer.body));
    return answered->stays && (answered->is_chunked || answered->length);
  };
  const auto stays = answered_whole();
  // What is left of an exchange that failed would be taken for the next one's answer.
  if (!stays || !*stays) close();
  if (!stays) return stays.error();
  return answer;
}

}  // namespace vizd::store
