// Many clients at once, most of them silent, slow or gone: whoever asks is answered, for only a request that has
// arrived is worth a thread. How fast is measured by tests/bench/crowd_bench.cpp.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "http/raw_client.h"
#include "http/transport/event_stream.h"
#include "http/transport/http_server.h"
#include "support/catch.h"

namespace vizd::crowd_test {

namespace {

const std::string kAsk = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

// Both ends of every connection are in this process.
void allow_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(8192, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

struct Served {
  explicit Served(HttpServer::Handler handler, HttpServerOptions options = {}) {
    allow_descriptors();
    auto bound = HttpServer::bind(options, counters, std::move(handler));
    REQUIRE(bound);
    server = std::move(*bound);
    server->start();
  }
  RawClient client() const { return RawClient(server->port()); }

  Counters counters;
  std::unique_ptr<HttpServer> server;
};

Response hello(const Request&) { return Response::text(200, "hello"); }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("1,000 clients that stay are all answered, with 200 silent and 200 slow ones among them") {
  const Served served(hello);
  std::deque<RawClient> silent, slow, clients;
  for (int i = 0; i < 200; ++i) {
    silent.emplace_back(served.server->port());
    slow.emplace_back(served.server->port());
    REQUIRE(slow.back().send("GET / HT"));
  }
  for (int i = 0; i < 1000; ++i) clients.emplace_back(served.server->port());
  for (std::size_t round = 1; round <= 3; ++round) {
    for (const RawClient& client : clients) REQUIRE(client.send(kAsk));
    for (const RawClient& client : slow) REQUIRE(client.send("x"));
    for (RawClient& client : clients) {
      if (count(client.text(), "hello") == round) continue;
      REQUIRE(wait_until([&] { return client.read_some(), count(client.text(), "hello") == round; }));
    }
  }
  // A client has its answer a moment before its connection is counted among the idle ones.
  CHECK(wait_until([&] { return served.counters.idle + served.counters.closing == 1200; }));
  CHECK(wait_until([&] { return served.counters.arriving == 200; }));
}

TEST_CASE("clients that do not read a large answer hold no thread") {
  const std::string large(32 << 20, 'x');
  const Served served(
      [&](const Request& request) { return request.path == "/large" ? Response::text(200, large) : hello(request); },
      {.headers = {}, .threads = 2});
  std::deque<RawClient> readers;
  for (int i = 0; i < 8; ++i) {
    readers.emplace_back(served.server->port());
    REQUIRE(readers.back().send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  }
  REQUIRE(wait_until([&] { return served.counters.sending == 8; }));
  RawClient client = served.client();
  REQUIRE(client.send(kAsk));
  CHECK(client.read_until("hello"));
  REQUIRE(readers.front().read_until("\r\n\r\n"));
  REQUIRE(wait_until([&] { return readers.front().read_some(), readers.front().text().size() > large.size(); }));
  CHECK(readers.front().body() == large);
}

TEST_CASE("where too many are connected, the one that has been idle longest makes room") {
  const Served served(hello, {.headers = {}, .connections = 10});
  std::deque<RawClient> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back(served.server->port());
    REQUIRE(clients.back().send(kAsk));
    REQUIRE(clients.back().read_until("hello"));
  }
  // The first one asks again, so that the second is the oldest.
  REQUIRE(clients.front().send(kAsk));
  REQUIRE(wait_until([&] { return clients.front().read_some(), count(clients.front().text(), "hello") == 2; }));
  RawClient next = served.client();
  REQUIRE(next.send(kAsk));
  CHECK(next.read_until("hello"));
  CHECK(clients[1].read_to_end());
  CHECK(wait_until([&] { return served.counters.closed_for_room == 1; }));
  REQUIRE(clients.front().send(kAsk));
  CHECK(wait_until([&] { return clients.front().read_some(), count(clients.front().text(), "hello") == 3; }));
}

TEST_CASE("strangers make room for whoever has the token, however slowly they read") {
  const std::string large(32 << 20, 'x');
  const Served served(
      [&](const Request& request) { return request.path == "/large" ? Response::text(200, large) : hello(request); },
      {.headers = {}, .connections = 20, .sending = std::chrono::minutes(10), .knows = [](const Request& request) {
         return request.header("Authorization") == "Bearer t";
       }});
  const std::string ask = "GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\r\n";
  RawClient known = served.client();
  REQUIRE(known.send(ask));
  REQUIRE(known.read_until("hello"));
  std::deque<RawClient> strangers;
  for (std::size_t i = 0; i < 60; ++i) {
    strangers.emplace_back(served.server->port());
    REQUIRE(strangers.back().send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    // The next one comes when this one is being sent its answer: a worker that is slow to begin is no matter here.
    REQUIRE(wait_until([&] {
      return served.counters.accepted == i + 2 && served.counters.sending == std::min<std::size_t>(i + 1, 19);
    }));
  }
  CHECK(wait_until([&] { return served.counters.closed_for_room == 41; }));
  // One that was there before them, one that comes now, and whoever asks whether the server is alive.
  REQUIRE(known.send(ask));
  CHECK(wait_until([&] { return known.read_some(), count(known.text(), "hello") == 2; }));
  RawClient next = served.client();
  REQUIRE(next.send(ask));
  CHECK(next.read_until("hello"));
  RawClient asks = served.client();
  REQUIRE(asks.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  CHECK(asks.read_until("ok"));
}

TEST_CASE("whoever reads steadily gets the whole of an answer, and who does not is cut off") {
  constexpr std::chrono::milliseconds kSending{150};
  const std::string large(12 << 20, 'x');
  const Served served([&](const Request&) { return Response::text(200, large); }, {.headers = {}, .sending = kSending});
  RawClient silent = served.client();
  REQUIRE(silent.send(kAsk));
  // What the systems hold between the two lets a server write again only after more than a megabyte.
  RawClient steady = served.client();
  REQUIRE(steady.send(kAsk));
  std::size_t taken = 0;
  REQUIRE(wait_until([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::size_t now = steady.take(64 << 10);
    taken += now;
    return now == 0 || taken > large.size();
  }));
  CHECK(taken > large.size());
  CHECK(wait_until([&] { return served.counters.timed_out == 1; }));
}

TEST_CASE("whoever asks whether the server is alive hears so while every thread is busy") {
  std::atomic<bool> go_on{false};
  const Served served(
      [&](const Request& request) {
        while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return hello(request);
      },
      {.headers = {}, .threads = 2});
  std::deque<RawClient> busy;
  for (int i = 0; i < 4; ++i) {
    busy.emplace_back(served.server->port());
    REQUIRE(busy.back().send(kAsk));
  }
  REQUIRE(wait_until([&] { return served.counters.answering == 4; }));
  RawClient asks = served.client();
  REQUIRE(asks.send("GET /healthz HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n" + kAsk));
  REQUIRE(asks.read_to_end());
  CHECK(asks.status() == 200);
  CHECK(asks.body() == "ok\n");
  RawClient head = served.client();
  REQUIRE(head.send("HEAD /healthz HTTP/1.1\r\n\r\n"));
  REQUIRE(head.read_to_end());
  CHECK(head.status() == 200);
  CHECK(head.body().empty());
  go_on = true;
  for (RawClient& client : busy) CHECK(client.read_until("hello"));
}

TEST_CASE("a handler hears that its client has left") {
  std::atomic<int> begun{0}, left{0};
  const Served served([&](const Request& request) {
    ++begun;
    if (wait_until([&] { return request.left.stop_requested(); })) ++left;
    return hello(request);
  });
  {
    RawClient client = served.client();
    REQUIRE(client.send(kAsk));
    REQUIRE(wait_until([&] { return begun == 1; }));
    CHECK(left == 0);
  }
  CHECK(wait_until([&] { return left == 1; }));
  CHECK(wait_until([&] { return served.counters.left_early == 1; }));

  RawClient client = served.client();
  REQUIRE(client.send(kAsk));
  REQUIRE(wait_until([&] { return begun == 2; }));
  served.server->stop();
  CHECK(left == 2);
}

TEST_CASE("who speaks TLS is told that this is http") {
  const Served served(hello);
  RawClient client = served.client();
  const char hello_of_tls[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
  REQUIRE(client.send(std::string_view(hello_of_tls, sizeof hello_of_tls - 1)));
  REQUIRE(client.read_to_end());
  CHECK(client.status() == 400);
  CHECK(client.body().find("http://") != std::string::npos);
}

TEST_CASE("a client that asks on and on without reading is asked no more until it reads") {
  std::atomic<int> answered{0};
  const std::string text(10'000, 'x');
  const Served served([&](const Request&) { return ++answered, Response::text(200, "hello" + text); },
                      {.headers = {}, .threads = 2});
  RawClient client = served.client();
  std::string many;
  for (int i = 0; i < 50'000; ++i) many += kAsk;
  std::thread sender([&] { client.send(many); });
  REQUIRE(wait_until([&] { return served.counters.sending == 1; }));
  RawClient other = served.client();
  REQUIRE(other.send(kAsk));
  CHECK(other.read_until("hello"));
  CHECK(answered < 50'000);
  served.server->stop();
  sender.join();
}

}  // namespace vizd::crowd_test
