// HttpServer: the seam to the HTTP library. http_server.cpp is the one file that includes it; the rest of vizd sees
// Request and Response. What the library (cpp-httplib 0.11.4) lacks or gets wrong is put right here; each such line in
// http_server.cpp says what it is for.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/transport/counters.h"
#include "http/transport/message.h"

namespace vizd {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                    // 0 picks a free one
  std::vector<Header> headers;     // sent with every answer, also with those the library makes
  unsigned threads = 64;           // so many requests are answered at once
  std::size_t connections = 4096;  // open at once; beyond them one makes room (connections.h)
  // How long a client may take less of its answer than it must.
  std::chrono::milliseconds sending{30'000};
  // Whether a request shows that its client is let in; without it nobody's does.
  std::function<bool(const Request&)> knows = {};
  unsigned event_streams = 16;  // open at once; a further one is answered 503, for a stream holds a thread
};

class HttpServer {
 public:
  // Called on many threads at once. What it throws becomes an answer 500 that tells the client nothing.
  using Handler = std::function<Response(const Request&)>;

  // Binds and listens, but accepts no one yet. Errors: the port is taken, may not be used, or the host has no address.
  // counters live as long as the server.
  static Result<std::unique_ptr<HttpServer>> bind(const HttpServerOptions& options, Counters& counters,
                                                  Handler handler);
  ~HttpServer();  // stops

  int port() const;
  // Starts to answer, on threads of its own.
  void start();
  // Ends every connection and returns when the last handler did. Once; any thread but a handler's.
  void stop();

 private:
  class Listener;
  explicit HttpServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace vizd
