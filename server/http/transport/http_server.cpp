#include "http/transport/http_server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "base/log.h"
#include "http/transport/connections.h"
#include "http/transport/event_stream.h"
#include "system/wake_up.h"

namespace vizd {
namespace {

constexpr int kBacklog = 512;

// The library reads and writes a connection through this. What its releases ask of a stream differs, Debian's (0.11)
// and the newest (0.53): this answers all of them, and leaves it to the library which of them override.
class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection& connection) : connection_(connection) {}

  bool is_readable() const { return true; }
  bool wait_readable() const { return true; }
  bool is_writable() const { return connection_.is_listening(); }
  bool wait_writable() const { return connection_.is_listening(); }
  bool is_peer_alive() const { return connection_.is_listening(); }
  ssize_t read(char* data, std::size_t size) { return connection_.read(data, size); }
  ssize_t write(const char* data, std::size_t size) { return connection_.write(data, size); }
  int socket() const { return connection_.fd(); }
  time_t duration() const { return 0; }
  // The library adds these to the request as headers that a client can forge: nothing here reads them.
  void get_remote_ip_and_port(std::string&, int&) const {}
  void get_local_ip_and_port(std::string&, int&) const {}

 private:
  Connection& connection_;
};

bool is_added_by_library(std::string_view name) {
  return name == "REMOTE_ADDR" || name == "REMOTE_PORT" || name == "LOCAL_ADDR" || name == "LOCAL_PORT";
}

// The library takes what follows the last '=' of an item for its value: in q=op=LOAD that would be LOAD.
std::vector<std::pair<std::string, std::string>> parse_query(std::string_view target) {
  std::vector<std::pair<std::string, std::string>> query;
  const auto decode = [](std::string_view text) {
#ifdef CPPHTTPLIB_VERSION_NUM  // newer than Debian's
    return httplib::decode_query_component(std::string(text), true);
#else
    return httplib::detail::decode_url(std::string(text), true);
#endif
  };
  for (auto mark = target.find('?'); mark != std::string_view::npos;) {
    const auto next = target.find('&', mark + 1);
    const std::string_view item = target.substr(mark + 1, next == std::string_view::npos ? next : next - mark - 1);
    const auto equals = item.find('=');
    if (!item.empty()) {
      query.emplace_back(decode(item.substr(0, equals)),
                         equals == std::string_view::npos ? "" : decode(item.substr(equals + 1)));
    }
    mark = next;
  }
  return query;
}

Request from_library(const httplib::Request& in, std::stop_token left) {
  Request request{
      .method = in.method, .path = in.path, .headers = {}, .query = parse_query(in.target), .left = std::move(left)};
  request.headers.reserve(in.headers.size());
  for (const auto& [name, value] : in.headers) {
    if (!is_added_by_library(name)) request.headers.push_back({name, value});
  }
  return request;
}

// A request that brings a body is refused by the guard; the unread body must not be taken for the next request. A
// client of HTTP/1.0 knows the end of a stream by the end of its connection.
bool ends_connection(const httplib::Request& request) {
  const auto [first, last] = request.headers.equal_range("Content-Length");
  return request.version == "HTTP/1.0" || (request.method != "GET" && request.method != "HEAD") ||
         request.has_header("Transfer-Encoding") ||
         std::any_of(first, last, [](const auto& header) { return header.second != "0"; });
}

// Reads the body as far as Content-Length says: a client that keeps its connection open sends nothing after it. Without
// one number there the body is empty; the guard has refused it.
std::function<std::ptrdiff_t(char*, std::size_t)> body_reader(Connection& connection, const httplib::Request& request) {
  const std::string length = request.get_header_value("Content-Length");
  std::uint64_t left_bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), left_bytes);
  return [&connection, left_bytes](char* data, std::size_t size) mutable -> std::ptrdiff_t {
    if (left_bytes == 0) return 0;
    const std::ptrdiff_t bytes = connection.read(data, std::min<std::uint64_t>(size, left_bytes));
    if (bytes > 0) left_bytes -= static_cast<std::uint64_t>(bytes);
    return bytes;
  };
}

// Counts one event stream for as long as the answer that holds it lives.
class StreamPlace {
 public:
  explicit StreamPlace(Counters::Count& open) : open_(open), number_(++open) {}
  StreamPlace(const StreamPlace&) = delete;
  StreamPlace& operator=(const StreamPlace&) = delete;
  ~StreamPlace() { --open_; }
  std::uint64_t number() const { return number_; }

 private:
  Counters::Count& open_;
  std::uint64_t number_;
};

void run_events(const std::function<void(EventStream&)>& events, Encoding encoding, httplib::DataSink& sink) {
  EventStream stream({.write = [&](std::string_view bytes) { return sink.write(bytes.data(), bytes.size()); },
                      .is_open = [&] { return sink.is_writable(); }},
                     encoding);
  // Beyond the library's own try block: what leaves here would end the program.
  try {
    events(stream);
    stream.finish();
  } catch (const std::exception& e) {
    log(LogLevel::kError, "an event stream ended: {}", e.what());
  }
  sink.done();
}

void set_events(const httplib::Request& in, Response& answer, Encoding encoding, std::shared_ptr<StreamPlace> place,
                httplib::Response& out) {
  if (encoding != Encoding::kIdentity) out.set_header("Content-Encoding", std::string(encoding_name(encoding)));
  auto provider = [events = std::move(answer.events), encoding, place = std::move(place)](std::size_t,
                                                                                          httplib::DataSink& sink) {
    run_events(events, encoding, sink);
    return true;
  };
  if (in.version == "HTTP/1.0") {
    out.set_content_provider(answer.content_type, std::move(provider));
  } else {
    out.set_chunked_content_provider(answer.content_type, std::move(provider));
  }
}

void set_body(const Response& answer, Encoding wanted, Connection& connection, httplib::Response& out) {
  const Encoding encoding = answer.body->best(wanted);
  const std::string_view bytes = answer.body->encoded(encoding);
  if (bytes.empty()) return;
  if (encoding != Encoding::kIdentity) out.set_header("Content-Encoding", std::string(encoding_name(encoding)));
  connection.hold(answer.body, bytes);
  // Never set_content(): it would compress again. Offset and length are clamped: the library asks for what it likes.
  out.set_content_provider(
      bytes.size(), answer.content_type,
      [body = answer.body, bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        const std::string_view part = offset < bytes.size() ? bytes.substr(offset, length) : "";
        return !part.empty() && sink.write(part.data(), part.size());
      });
}

Error bind_error(const HttpServerOptions& options, int cause) {
  const std::string where = fmt::format("{}:{}", options.host, options.port);
  if (cause == EADDRINUSE) {
    return {
        ErrorKind::kBusy,
        fmt::format("port {} is in use by another program; stop it, or choose a port with --port (0 picks a free one)",
                    options.port),
        where};
  }
  if (cause == EACCES)
    return {ErrorKind::kForbidden,
            fmt::format("this user may not listen on port {}; choose one above 1023", options.port), where};
  return {ErrorKind::kBadInput,
          fmt::format("cannot listen on {} ({}); name an address of this machine with --host", options.host,
                      std::strerror(cause)),
          where};
}

}  // namespace

class HttpServer::Listener final : public httplib::Server {
 public:
  Listener(const HttpServerOptions& options, Counters& counters, HttpServer::Handler handler)
      : options_(options), handler_(std::move(handler)), counters_(counters) {
    httplib::Headers headers;
    for (const Header& header : options_.headers) headers.emplace(header.name, header.value);
    set_default_headers(std::move(headers));
    // The library's own is SO_REUSEPORT, with which a second vizd on the port would start and take half the requests.
    set_socket_options([this](int fd) {
      const int yes = 1;
      ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      fd_ = fd;
    });
    // Everything is answered here: the library's routes, mount points and bodies are never reached.
    set_pre_routing_handler([this](const httplib::Request& in, httplib::Response& out) {
      answer(in, out);
      return HandlerResponse::Handled;
    });
    // Without this one it sends the exception's text to the client.
    set_exception_handler([](const httplib::Request& in, httplib::Response& out, std::exception_ptr cause) {
      try {
        std::rethrow_exception(std::move(cause));
      } catch (const std::exception& e) {
        log(LogLevel::kError, "{} {}: {}", in.method, in.path, e.what());
      } catch (...) {
        log(LogLevel::kError, "{} {}: an unknown exception", in.method, in.path);
      }
      out.status = 500;
    });
    set_expect_100_continue_handler(
        [](const httplib::Request&, httplib::Response& out) { return out.status = 417, 0; });
  }
  ~Listener() override { end(); }

  // The system's reason where it cannot be bound, else 0.
  int bind() {
    errno = 0;
    const int port = options_.port == 0                           ? bind_to_any_port(options_.host)
                     : bind_to_port(options_.host, options_.port) ? options_.port
                                                                  : -1;
    if (port < 0) return errno != 0 ? errno : EADDRNOTAVAIL;
    port_ = port;
    // The library's backlog of 5 is compiled in: raised by listening again.
    ::listen(fd_, kBacklog);
    ::fcntl(fd_, F_SETFL, O_NONBLOCK);
    return 0;
  }

  int port() const { return port_; }

  void start() {
    workers_.emplace(options_.threads);
    connections_.emplace(
        Connections::Options{
            .listen_fd = fd_, .stop_fd = stop_.fd(), .most = options_.connections, .sending = options_.sending},
        counters_,
        [this](Connection& connection) { workers_->enqueue([this, &connection] { exchange(connection); }); });
    connections_->start();
  }

  void end() {
    if (stopping_.exchange(true)) return;
    if (!stop_.wake()) log(LogLevel::kError, "cannot wake the connections");
    if (connections_) connections_->stop();
    if (workers_) workers_->shutdown();
    connections_.reset();
    if (const int fd = svr_sock_.exchange(INVALID_SOCKET); fd != INVALID_SOCKET) ::close(fd);
  }

 private:
  // Has the library read the request that arrived and write the answer, in place of its own loop: that gives a thread
  // to each connection, sets no limit on a request's head, and forgets what came together with the last request.
  void exchange(Connection& connection) {
    bool goes_on = false;
    const httplib::Request* exchanged = nullptr;
    try {
      ConnectionStream stream(connection);
      bool closed = false;
      bool last = stopping_;
      const bool sent = process(stream, last, closed, [&](httplib::Request& request) {
        exchanged = &request;
        request.ranges.clear();  // the library reads beyond a provider's bytes for them
        last = last || ends_connection(request);
        const std::lock_guard lock(mutex_);
        exchanges_[exchanged] = &connection;
      });
      // The library has not read to its end a request that it answers by itself (a line too long, a broken head): the
      // rest would be taken for the next request, without the guard's look at where this one came from.
      goes_on = sent && !closed && !last && exchanged != nullptr;
      if (exchanged == nullptr) ++counters_.answers[4];
    } catch (const std::exception& e) {
      log(LogLevel::kError, "a connection ended: {}", e.what());
    }
    if (exchanged != nullptr) {
      const std::lock_guard lock(mutex_);
      exchanges_.erase(exchanged);
    }
    connections_->give_back(connection, goes_on);
  }

  bool process(ConnectionStream& stream, bool last, bool& closed,
               const std::function<void(httplib::Request&)>& on_request) {
#ifdef CPPHTTPLIB_VERSION_NUM  // newer than Debian's
    return process_request(stream, "", 0, "", 0, last, closed, on_request);
#else
    return process_request(stream, last, closed, on_request);
#endif
  }

  // The library's handler does not say which connection a request came on.
  Connection& connection_of(const httplib::Request& request) {
    const std::lock_guard lock(mutex_);
    return *exchanges_.at(&request);
  }

  void answer(const httplib::Request& in, httplib::Response& out) {
    Connection& connection = connection_of(in);
    Request request = from_library(in, connection.left().get_token());
    if (request.method == "POST") {
      request.read_body = body_reader(connection, in);
    }
    // The connection is then among the last to make room for others.
    if (options_.knows && options_.knows(request)) connection.set_known();
    Response answer = handler_(request);
    std::shared_ptr<StreamPlace> place;
    if (answer.events && request.method != "HEAD") {
      place = std::make_shared<StreamPlace>(counters_.event_streams);
      if (place->number() > options_.event_streams) {
        answer =
            error_response({ErrorKind::kBusy, "too many event streams are open; close a tab, or try again", in.path});
      }
    }
    out.status = answer.status;
    ++counters_.answers[static_cast<std::size_t>(std::clamp(answer.status / 100, 0, 5))];
    for (const Header& header : answer.headers) out.set_header(header.name, header.value);
    if (request.method == "HEAD") out.set_header("Accept-Ranges", "none");  // the library would say "bytes"
    if (ends_connection(in)) out.set_header("Connection", "close");
    const Encoding wanted = choose_encoding(request.header("Accept-Encoding"));
    if (answer.events) {
      connection.begin_stream();
      // Jupyter's proxy, which sends this header, drops the Content-Encoding of a stream and hands on its bytes as they
      // are.
      const bool is_proxied = !request.header("X-ProxyContextPath").empty();
      set_events(in, answer, is_proxied ? Encoding::kIdentity : wanted, std::move(place), out);
    } else if (answer.body) {
      set_body(answer, wanted, connection, out);
    }
    log(LogLevel::kDebug, "{} {} {}", out.status, request.method, request.path);
  }

  const HttpServerOptions options_;
  const HttpServer::Handler handler_;
  Counters& counters_;
  const WakeUp stop_;
  int fd_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::unordered_map<const httplib::Request*, Connection*> exchanges_;  // guarded by mutex_
  std::optional<httplib::ThreadPool> workers_;
  std::optional<Connections> connections_;
};

Result<std::unique_ptr<HttpServer>> HttpServer::bind(const HttpServerOptions& options, Counters& counters,
                                                     Handler handler) {
  auto listener = std::make_unique<Listener>(options, counters, std::move(handler));
  if (const int cause = listener->bind(); cause != 0) return bind_error(options, cause);
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(listener)));
}

HttpServer::HttpServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return listener_->port(); }
void HttpServer::start() { listener_->start(); }
void HttpServer::stop() { listener_->end(); }

}  // namespace vizd
