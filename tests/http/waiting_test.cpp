// Requests that wait for what is not there yet: so many at once, none whose client has left, and the next is told to
// come again. The others are answered meanwhile.
#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "http/raw_client.h"
#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::waiting_test {
namespace {

constexpr unsigned kBeyond = 10;

// Asks from many threads at once, and joins them.
class Askers {
 public:
  Askers(const ServedCapture& served, const std::string& url, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      threads_.emplace_back([this, &served, url] {
        const int status = served.status(url);
        ++(status == 200 ? answered : status == 503 ? told : others);
      });
    }
  }
  ~Askers() { join(); }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  std::atomic<unsigned> answered{0}, told{0}, others{0};

 private:
  std::vector<std::thread> threads_;
};

// A trace that takes a while to read.
void write_slow_trace(const std::string& path) {
  std::ofstream out(path);
  out << "{\"traceEvents\":[";
  for (int i = 0; i < 1'000'000; ++i)
    out << (i == 0 ? "" : ",") << R"({"ph":"X","pid":1,"tid":)" << i % 100 << R"(,"ts":)" << i
        << R"(,"dur":1,"name":"n"})";
  out << "]}";
}

TEST_CASE("so many wait for a capture that is being read, and the next is told to come again") {
  const TemporaryFolder folder;
  const std::string path = folder / "slow.json";
  write_slow_trace(path);
  const ServedCapture served(path);
  Askers askers(served, "/api/v1/facts", WaitingRoom::kPlaces + kBeyond);
  // Clients beyond the limit hear so at once, while it is still being read.
  CHECK(wait_until([&] { return askers.told == kBeyond; }));
  CHECK(askers.answered == 0);
  CHECK(served.status("/api/v1/session") == 200);
  askers.join();
  CHECK(askers.answered == WaitingRoom::kPlaces);
}

// Keeps all threads of a store at work.
struct BusyThreads {
  BusyThreads(Derived& store, unsigned threads, const std::shared_ptr<const LoadedCapture>& capture) {
    const auto make = [this](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const Body>> {
      ++working;
      wait_until([this] { return go_on.load(); });
      return std::make_shared<const Body>("made");
    };
    for (unsigned i = 0; i < threads; ++i)
      tickets.push_back(store.get<Body>(capture, std::to_string(i), Make<Body>(make)));
  }
  ~BusyThreads() {
    go_on = true;
    for (const auto& ticket : tickets) ticket.wait_for(kTestDeadline);
  }
  std::atomic<unsigned> working{0};
  std::atomic<bool> go_on{false};
  std::vector<Derived::Ticket<Body>> tickets;
};

TEST_CASE("the lanes of a beginning come though the room of those who wait is full") {
  const TemporaryFolder folder;
  const std::string path = folder / "slow.json";
  write_slow_trace(path);
  ServedCapture other, served(path);
  const Services services = served.services();
  const Router routes = make_routes(services);
  std::vector<WaitingRoom::Place> places;
  for (unsigned i = 0; i < WaitingRoom::kPlaces; ++i) {
    auto place = services.waiting->enter();
    REQUIRE(place);
    places.push_back(std::move(*place));
  }
  // Until then no lanes can be made, so that they are seen to be announced.
  BusyThreads busy(services.analyses, kAnalyses.threads, other.loaded());
  REQUIRE(wait_until([&] { return busy.working == kAnalyses.threads; }));
  bool is_opening = true;
  const auto ask = [&] {
    const Response response = routes.route({.method = "GET", .path = "/api/v1/lanes", .headers = {}, .query = {}});
    auto answer = nlohmann::json::parse(response.body->bytes());
    is_opening = answer["status"] == "opening";
    return answer;
  };
  bool was_told_soon = false, has_lanes = false;
  REQUIRE(wait_until([&] {
    was_told_soon = ask().value("lanes_soon", false);
    return was_told_soon || !is_opening;
  }));
  CHECK(was_told_soon);
  busy.go_on = true;
  REQUIRE(wait_until([&] {
    const bool any = !ask()["lanes"].empty();
    has_lanes = is_opening && any;
    return has_lanes || !is_opening;
  }));
  CHECK(has_lanes);
}

TEST_CASE("so many wait for an answer that is being made, and the next is told to come again") {
  ServedCapture served;
  BusyThreads busy(served.services().answers, kAnswers.threads, served.loaded());
  REQUIRE(wait_until([&] { return busy.working == kAnswers.threads; }));
  Askers askers(served, "/api/v1/facts", WaitingRoom::kPlaces + kBeyond);
  CHECK(wait_until([&] { return askers.told == kBeyond; }));
  CHECK(askers.answered == 0);
  CHECK(served.status("/api/v1/session") == 200);
  busy.go_on = true;
  askers.join();
  CHECK(askers.answered == WaitingRoom::kPlaces);
}

TEST_CASE("a request whose client has left waits no more for the answer that is being made") {
  ServedCapture served;
  BusyThreads busy(served.services().answers, kAnswers.threads, served.loaded());
  REQUIRE(wait_until([&] { return busy.working == kAnswers.threads; }));
  const Router routes = make_routes(served.services());
  std::stop_source left;
  std::atomic<bool> returned{false};
  std::thread asker([&] {
    Request request{.method = "GET", .path = "/api/v1/facts", .headers = {}, .query = {}};
    request.left = left.get_token();
    CHECK(routes.route(request).status == 503);
    returned = true;
  });
  left.request_stop();
  CHECK(wait_until([&] { return returned.load(); }));
  asker.join();
}

}  // namespace
}  // namespace vizd::waiting_test
