// The seam on a real socket: what the library alone would get wrong, such as ranges beyond a body's end, or a second
// server on the same port.
#include "http/transport/http_server.h"

#include <zstd.h>

#include <atomic>
#include <memory>
#include <vector>

#include "http/raw_client.h"
#include "http/transport/event_stream.h"
#include "http/transport/guard.h"
#include "support/catch.h"

namespace vizd::http_server_test {

namespace {

const std::string kHost = "Host: localhost\r\n";

std::unique_ptr<HttpServer> start(HttpServer::Handler handler) {
  static Counters counters;
  const auto headers = security_headers();
  const HttpServerOptions options{.headers = {headers.begin(), headers.end()}};
  auto server = HttpServer::bind(options, counters, [handler = std::move(handler)](const Request& request) {
    if (auto refusal = refuse(request, {}, Secrecy::kPublic)) return *refusal;
    return handler(request);
  });
  REQUIRE(server);
  (*server)->start();
  return std::move(*server);
}

Response hello(const Request&) { return Response::text(200, "hello"); }

}  // namespace

TEST_CASE("a parameter's value goes on to the next '&', whatever it holds") {
  const auto server = start([](const Request& request) {
    std::string text;
    for (const auto& [name, value] : request.query) text += name + "|" + value + ";";
    return Response::text(200, text);
  });
  RawClient client(server->port());
  REQUIRE(client.send("GET /?q=op=LOAD+a%3Db%26c&x&=y&&from=0 HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n"));
  REQUIRE(client.read_to_end());
  CHECK(client.body() == "q|op=LOAD a=b&c;x|;|y;from|0;");
}

TEST_CASE("many requests on one connection, also when they arrive together") {
  const auto server = start(hello);
  RawClient client(server->port());
  const std::string request = "GET / HTTP/1.1\r\n" + kHost + "\r\n";
  REQUIRE(client.send(request + request + "GET / HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n"));
  REQUIRE(client.read_to_end());
  std::size_t answers = 0;
  for (auto at = client.text().find("hello"); at != std::string::npos; at = client.text().find("hello", at + 1))
    ++answers;
  CHECK(answers == 3);
}

TEST_CASE("a client that ends sending still gets its answer, with the security headers") {
  const auto server = start(hello);
  RawClient client(server->port());
  REQUIRE(client.send("GET / HTTP/1.0\r\n" + kHost + "\r\n"));
  client.end_sending();
  REQUIRE(client.read_to_end());
  CHECK(client.status() == 200);
  CHECK(client.body() == "hello");
  for (const Header& header : security_headers())
    CHECK(client.text().find(header.name + ": " + header.value + "\r\n") != std::string::npos);
}

TEST_CASE("a body is read as far as its length, whatever the client sends after it") {
  static Counters counters;
  const auto server = HttpServer::bind({}, counters, [](const Request& request) {
    std::string body(64, '\0');
    std::size_t size = 0;
    for (std::ptrdiff_t more = 1; more > 0; size += static_cast<std::size_t>(std::max<std::ptrdiff_t>(more, 0)))
      more = request.read_body(body.data() + size, body.size() - size);
    return Response::text(200, body.substr(0, size));
  });
  REQUIRE(server);
  (*server)->start();
  RawClient client((*server)->port());
  REQUIRE(client.send("POST / HTTP/1.1\r\n" + kHost + "Content-Length: 5\r\n\r\nfirstsecond"));
  REQUIRE(client.read_to_end());
  CHECK(client.body() == "first");
}

TEST_CASE("a refused body ends the connection and is never taken for a request") {
  std::atomic<int> handled{0};
  const auto server = start([&](const Request&) { return ++handled, Response::text(200, "hello"); });
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\n" + kHost + "\r\n";
  const std::string length = "Content-Length: " + std::to_string(smuggled.size()) + "\r\n\r\n";
  struct Row {
    std::string head;
    int status;
  };
  const Row rows[] = {
      {"POST / HTTP/1.1\r\n" + kHost + length, 405},
      {"GET / HTTP/1.1\r\n" + kHost + length, 400},
      {"POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n10\r\n", 405},
      {"GET / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n10\r\n", 400},
      {"HEAD / HTTP/1.1\r\n" + kHost + length, 400},
  };
  for (const Row& row : rows) {
    RawClient client(server->port());
    REQUIRE(client.send(row.head + smuggled));
    REQUIRE(client.read_to_end());
    CHECK(client.status() == row.status);
    CHECK(client.text().find("HTTP/1.1", 5) == std::string::npos);
  }
  CHECK(handled == 0);
}

TEST_CASE("what follows a request that never reached the handler is never taken for a request") {
  std::atomic<int> handled{0};
  const auto server = start([&](const Request&) { return ++handled, Response::text(200, "hello"); });
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\n" + kHost + "\r\n";
  const std::string foreign = "Host: evil.example\r\nContent-Length: " + std::to_string(smuggled.size()) + "\r\n\r\n";
  for (const std::string& line :
       {"POST /" + std::string(9000, 'a') + " HTTP/1.1\r\n", std::string("POST / HTTP/7.7\r\n"),
        std::string("BREW / HTTP/1.1\r\n"), std::string("POST /\r\n")}) {
    INFO(line.substr(0, 40));
    RawClient client(server->port());
    REQUIRE(client.send(line + foreign + smuggled));
    REQUIRE(client.read_to_end());
    CHECK(client.text().find("HTTP/1.1", 5) == std::string::npos);
  }
  CHECK(handled == 0);
}

TEST_CASE("a head that two readers may take differently ends the connection") {
  std::atomic<int> handled{0};
  const auto server = start([&](const Request&) { return ++handled, Response::text(200, "hello"); });
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n";
  const std::string length = std::to_string(smuggled.size());
  for (const std::string& line : {std::string("Transfer-Encoding : chunked\r\n"), "Content-Length : " + length + "\r\n",
                                  "Content-Length\t: " + length + "\r\n", "X: y\r\n Content-Length: " + length + "\r\n",
                                  std::string("X: y\r\n folded\r\n"), "Content-Length: " + length + "\n",
                                  "X: y\rContent-Length: " + length + "\r\n", std::string("no colon\r\n"),
                                  std::string(": no name\r\n"), std::string("X: a\0b\r\n", 9)}) {
    INFO(line);
    RawClient client(server->port());
    REQUIRE(client.send("GET / HTTP/1.1\r\n" + kHost + line + "\r\n" + smuggled));
    REQUIRE(client.read_to_end());
    CHECK(client.status() == 400);
    CHECK(client.text().find("HTTP/1.1", 5) == std::string::npos);
  }
  CHECK(handled == 0);
}

TEST_CASE("hosts and ranges are refused on the wire as in the table") {
  const auto server = start([](const Request&) { return Response::text(200, std::string(1 << 20, 'x')); });
  struct Row {
    std::string headers;
    int status;
  };
  const Row rows[] = {
      {"", 400},
      {kHost + kHost, 400},
      {"Host: evil.example\r\n", 421},
      {kHost + "Origin: http://evil.example\r\n", 403},
      {kHost + "Sec-Fetch-Site: cross-site\r\n", 403},
      {kHost + "Range: bytes=0-9999999\r\n", 416},
      {kHost + "Range: bytes=99999999-\r\n", 416},
      {kHost + "Range: nonsense\r\n", 416},
  };
  for (const Row& row : rows) {
    RawClient client(server->port());
    REQUIRE(client.send("GET / HTTP/1.1\r\n" + row.headers + "Connection: close\r\n\r\n"));
    REQUIRE(client.read_to_end());
    INFO(row.headers);
    CHECK(client.status() == row.status);
    CHECK(client.text().size() < 2000);
  }
}

TEST_CASE("a request's head has a limit, in one line and in all") {
  const auto server = start(hello);
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "A" + std::to_string(i) + ": b\r\n";
  for (const std::string& head : {"A: " + std::string(1 << 20, 'a') + "\r\n", many, std::string(1 << 20, 'a')}) {
    RawClient client(server->port());
    client.send("GET / HTTP/1.1\r\n" + kHost + head + "\r\n");
    REQUIRE(client.read_to_end());
    CHECK(client.status() != 200);
  }
  RawClient client(server->port());
  REQUIRE(client.send("GET / HTTP/1.1\r\n" + kHost + "\r\n"));
  CHECK(client.read_until("hello"));
}

TEST_CASE("a second server on the port is refused, by name of the port") {
  const auto server = start(hello);
  Counters counters;
  const auto second = HttpServer::bind({.port = server->port(), .headers = {}}, counters, hello);
  REQUIRE_FALSE(second);
  CHECK(second.error().message.find(std::to_string(server->port())) != std::string::npos);
}

TEST_CASE("what a handler throws tells the client nothing") {
  const auto server = start([](const Request&) -> Response { throw std::runtime_error("/secret/path"); });
  RawClient client(server->port());
  REQUIRE(client.send("GET / HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n"));
  REQUIRE(client.read_to_end());
  CHECK(client.status() == 500);
  CHECK(client.text().find("secret") == std::string::npos);
}

TEST_CASE("HEAD has the headers of GET and no body") {
  const auto server = start(hello);
  RawClient client(server->port());
  REQUIRE(client.send("HEAD / HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n"));
  REQUIRE(client.read_to_end());
  CHECK(client.status() == 200);
  CHECK(client.text().find("Content-Length: 5\r\n") != std::string::npos);
  CHECK(client.body().empty());
}

TEST_CASE("answers are compressed as the client asks") {
  const std::string text = std::string(100'000, 'a') + "end";
  const auto server = start([&](const Request&) { return Response::text(200, text); });
  const auto ask = [&](const std::string& header) {
    auto client = std::make_unique<RawClient>(server->port());
    REQUIRE(client->send("GET / HTTP/1.1\r\n" + kHost + header + "Connection: close\r\n\r\n"));
    REQUIRE(client->read_to_end());
    return client;
  };
  CHECK(ask("")->body() == text);
  CHECK(ask("Accept-Encoding: br\r\n")->body() == text);
  CHECK(ask("Accept-Encoding: zstd;q=0\r\n")->body() == text);
  CHECK(ask("Accept-Encoding: gzip, br\r\n")->text().find("Content-Encoding: gzip\r\n") != std::string::npos);
  const auto zstd = ask("Accept-Encoding: gzip, deflate, br, zstd\r\n");
  CHECK(zstd->text().find("Content-Encoding: zstd\r\n") != std::string::npos);
  std::string unpacked(text.size() + 1, '\0');
  const std::string packed = zstd->body();
  const std::size_t size = ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size());
  REQUIRE_FALSE(ZSTD_isError(size));
  unpacked.resize(size);
  CHECK(unpacked == text);
}

TEST_CASE("a seventeenth event stream is asked to come again, and plain requests still pass") {
  std::atomic<int> open{0};
  const auto server = start([&](const Request& request) {
    if (request.path == "/plain") return hello(request);
    return Response::event_stream([&](EventStream& stream) {
      ++open;
      stream.send("hello", "{}");
      while (stream.is_open()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --open;
    });
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 16; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->port()));
    REQUIRE(clients.back()->send("GET /events HTTP/1.1\r\n" + kHost + "\r\n"));
    REQUIRE(clients.back()->read_until("event: hello\ndata: {}\n\n"));
  }
  const auto ask = [&](const std::string& path) {
    RawClient client(server->port());
    REQUIRE(client.send("GET " + path + " HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n"));
    REQUIRE(client.read_until("\r\n\r\n"));
    return client.text();
  };
  CHECK(ask("/events").starts_with("HTTP/1.1 503"));
  CHECK(ask("/events").find("Retry-After: ") != std::string::npos);
  CHECK(ask("/plain").starts_with("HTTP/1.1 200"));

  SECTION("a place that a client leaves is free again") {
    clients.pop_back();
    REQUIRE(wait_until([&] { return open == 15; }));
    CHECK(wait_until([&] { return ask("/events").starts_with("HTTP/1.1 200"); }));
  }
  SECTION("the server stops with all of them open") {
    server->stop();
    CHECK(open == 0);
    for (const auto& client : clients) CHECK(client->read_to_end());
  }
}

TEST_CASE("a client of HTTP/1.0 gets events as they are, and the end of the connection for their end") {
  const auto server = start(
      [](const Request&) { return Response::event_stream([](EventStream& stream) { stream.send("hello", "{}"); }); });
  RawClient client(server->port());
  REQUIRE(client.send("GET / HTTP/1.0\r\n" + kHost + "Connection: Keep-Alive\r\n\r\n"));
  REQUIRE(client.read_to_end());
  CHECK(client.body() == "event: hello\ndata: {}\n\n");
}

TEST_CASE("events reach the client one by one, also compressed") {
  std::atomic<bool> go_on{false};
  const auto server = start([&](const Request&) {
    return Response::event_stream([&](EventStream& stream) {
      stream.send("first", "1");
      while (!go_on && stream.is_open()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stream.send("", "2");
    });
  });
  RawClient client(server->port());
  REQUIRE(client.send("GET / HTTP/1.1\r\n" + kHost + "Accept-Encoding: zstd\r\nConnection: close\r\n\r\n"));
  // The first event as a zstd frame's first block must be whole before the second is made.
  const auto unpacked = [&] {
    std::string packed;
    std::string rest = client.body();
    while (true) {
      const auto line = rest.find("\r\n");
      if (line == std::string::npos) break;
      const std::size_t size = std::stoul(rest.substr(0, line), nullptr, 16);
      packed += rest.substr(line + 2, size);
      if (size == 0 || rest.size() < line + 4 + size) break;
      rest.erase(0, line + 4 + size);
    }
    ZSTD_DCtx* context = ZSTD_createDCtx();
    std::string out(4096, '\0');
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    ZSTD_decompressStream(context, &output, &input);
    ZSTD_freeDCtx(context);
    out.resize(output.pos);
    return out;
  };
  REQUIRE(client.read_until("\r\n\r\n"));
  CHECK(wait_until([&] {
    client.read_some();
    return unpacked() == "event: first\ndata: 1\n\n";
  }));
  go_on = true;
  REQUIRE(client.read_to_end());
  CHECK(unpacked() == "event: first\ndata: 1\n\ndata: 2\n\n");
}

}  // namespace vizd::http_server_test
