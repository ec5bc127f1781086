// What stands at a store's address and wants to be a burden: it drips, or never ends its headers, its interim answers
// or its bytes. Each of its answers ends at a bound, and with whoever asked.
#include <fmt/format.h>

#include <deque>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "http/child_process.h"
#include "http/transport/waiting_room.h"
#include "store/client.h"
#include "store/fleet.h"
#include "store/pull.h"
#include "store/push.h"
#include "support/catch.h"
#include "support/strange_store.h"
#include "support/temporary_folder.h"

namespace vizd::hostile_store_test {
namespace {

using namespace std::chrono_literals;

const std::string kOk = "HTTP/1.1 200 OK\r\n";

struct Burden {
  const char* what;
  StrangeStore::Answer answer;
};

std::vector<Burden> endless_heads() {
  return {{"headers", {kOk, "X-More: and more\r\n"}},
          {"a header", {kOk + "X-More: ", std::string(1000, 'x')}},
          {"interim answers", {"", "HTTP/1.1 100 Continue\r\n\r\n"}},
          {"a first line", {"HTTP/1.1 200 ", std::string(1000, 'x')}},
          {"trailers", {kOk + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-More: and more\r\n"}},
          {"a chunk's line", {kOk + "Transfer-Encoding: chunked\r\n\r\n5;", std::string(1000, 'x')}}};
}

TEST_CASE("a store whose head never ends is left after 64 KiB of it") {
  for (const Burden& burden : endless_heads()) {
    INFO(burden.what);
    const StrangeStore strange(burden.answer);
    store::Client client(strange.address(), {});
    const auto answer = client.ask("SELECT 1");
    REQUIRE(!answer);
    CHECK(answer.error().kind == ErrorKind::kInternal);
    CHECK(answer.error().message.find("answers like no ClickHouse") != std::string::npos);
    CHECK(wait_until([&] { return strange.connected() == 0; }));
    CHECK(strange.sent_bytes() < 16u << 20);  // with what the system takes between the two
  }
}

TEST_CASE("a store whose answer never ends is left at the most that an answer may have") {
  for (const Burden& burden :
       {Burden{"to the connection's end", {kOk + "\r\n", std::string(1000, 'x')}},
        Burden{"in chunks", {kOk + "Transfer-Encoding: chunked\r\n\r\n", "3e8\r\n" + std::string(1000, 'x') + "\r\n"}},
        Burden{"in small chunks", {kOk + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n1\r\nx\r\n"}},
        Burden{"as it says", {kOk + "Content-Length: 99999999999\r\n\r\n", std::string(1000, 'x')}},
        Burden{"in one chunk", {kOk + "Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n", std::string(1000, 'x')}}}) {
    INFO(burden.what);
    const StrangeStore strange(burden.answer);
    store::Client client(strange.address(), {});
    const auto answer = client.ask("SELECT 1", {.answer_bytes = 1 << 20});
    REQUIRE(!answer);
    CHECK(answer.error().kind == ErrorKind::kTooLarge);
    CHECK(wait_until([&] { return strange.connected() == 0; }));
  }
}

TEST_CASE("a store that drips is left when its time is over, though a byte came all the while") {
  const StrangeStore strange({kOk + "\r\n", "x", 20ms});
  store::HttpConnection connection(strange.address());
  const auto answer = connection.post("/", "", "SELECT 1", {.time = 300ms, .most_bytes = 1 << 20});
  REQUIRE(!answer);
  CHECK(answer.error().kind == ErrorKind::kBusy);
  CHECK(wait_until([&] { return strange.connected() == 0; }));
}

TEST_CASE("what is asked of a store ends with whoever asked") {
  const StrangeStore strange({kOk + "\r\n", "x", 2000ms});
  std::stop_source left;
  const store::Store store = store::Store({strange.address()}, {}).for_as_long_as(left.get_token());
  std::thread asker([&] {
    const auto jobs = store::jobs(store);
    CHECK(!jobs);
    if (!jobs) CHECK(jobs.error().message.find("nobody waits") != std::string::npos);
  });
  CHECK(wait_until([&] { return strange.connected() == 1; }));
  left.request_stop();
  CHECK(wait_until([&] { return strange.connected() == 0; }));
  asker.join();
}

TEST_CASE("a rank is pulled in pieces that a store cannot make endless, nor larger than asked for") {
  const auto pieces = [](const std::string& rows) {
    return fmt::format(R"({{"meta":[{{"name":"what","type":"String"}},{{"name":"count","type":"UInt32"}}],"data":{}}})",
                       rows);
  };
  std::uint64_t taken_bytes = 0;
  const auto take = [&](std::string_view part) { taken_bytes += part.size(); };
  const StrangeStore many(pieces(R"([["done",1],["piece",4000000000]])"));
  const auto larger = store::pull(store::Store({many.address()}, {}), "job", 0, 2 << 20, take);
  REQUIRE(!larger);
  CHECK(larger.error().kind == ErrorKind::kTooLarge);
  CHECK(taken_bytes == 0);
}

TEST_CASE("a store that drips holds no more requests than may wait, none whose client has left, and keeps nobody out") {
  const StrangeStore strange({kOk + "\r\n", "x", 2000ms});
  const TemporaryFolder folder;
  ChildProcess vizd({"--port", "0", "--no-token", "--store", strange.url()},
                    {"XDG_STATE_HOME=" + folder.path(), "XDG_CACHE_HOME=" + folder.path(), "TMPDIR=" + folder.path()});
  REQUIRE(vizd.wait_for_line());
  const int port = std::stoi(vizd.standard_output.substr(vizd.standard_output.rfind(':') + 1));
  const auto ask = [&](const std::string& path) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", path, port);
  };
  {
    std::deque<RawClient> askers;
    for (unsigned i = 0; i < 70; ++i) {
      askers.emplace_back(port);
      REQUIRE(askers.back().send(ask("/api/v1/fleet/jobs")));
    }
    CHECK(wait_until([&] { return strange.connected() == WaitingRoom::kStorePlaces; }));
    RawClient other(port);
    REQUIRE(other.send(ask("/api/v1/session")));
    CHECK(other.read_to_end());
    CHECK(other.status() == 200);
    RawClient late(port);
    REQUIRE(late.send(ask("/api/v1/fleet/jobs")));
    CHECK(late.read_to_end());
    CHECK(late.status() == 503);
  }
  CHECK(wait_until([&] { return strange.connected() == 0; }));
  CHECK(strange.came() == WaitingRoom::kStorePlaces);
  vizd.send_signal(SIGTERM);
  CHECK(vizd.wait_for_end() == 0);
}

TEST_CASE("push and pull end with an error where the store never ends its head") {
  const StrangeStore strange({kOk, "X-More: and more\r\n"});
  const TemporaryFolder folder;
  const std::string capture = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"pull", "--store", strange.url(), "--job", "a", "-o", folder / "out.bin"},
        {"push", capture, "--store", strange.url(), "--job", "a", "--rank", "0"}}) {
    INFO(arguments[0]);
    ChildProcess vizd(arguments, {"XDG_STATE_HOME=" + folder.path(), "TMPDIR=" + folder.path()});
    CHECK(vizd.wait_for_end() == 1);
    CHECK(vizd.standard_error.find("endless headers") != std::string::npos);
  }
}

}  // namespace
}  // namespace vizd::hostile_store_test
