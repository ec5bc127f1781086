// Passes are made once for all who wait, given up when nobody does, and kept while memory allows.
#include "session/pass_cache.h"

#include <atomic>
#include <semaphore>

#include "support/catch.h"

using namespace vizd;

namespace {

constexpr std::chrono::seconds kDeadline{20};

// A pass of about that size.
PassCache::Value value(std::size_t bytes) {
  auto pass = std::make_shared<ReplayedPass>();
  pass->layouts.emplace_back().x_px.reserve(bytes / sizeof(float));
  return pass;
}

}  // namespace

TEST_CASE("two who wait for one pass share its making") {
  PassCache cache({});
  std::atomic<int> made{0};
  std::binary_semaphore go{0};
  const auto make = [&](const PassProgress& progress, std::stop_token) -> Result<PassCache::Value> {
    ++made;
    progress({3, 4, "replaying"});
    go.acquire();
    return value(10);
  };
  const auto first = cache.get({1, 7}, make);
  const auto second = cache.get({1, 7}, make);
  CHECK_FALSE(first.wait_for(std::chrono::milliseconds(0)));
  CHECK(first.result().error().kind == ErrorKind::kBusy);
  go.release();
  REQUIRE(first.wait_for(kDeadline));
  REQUIRE(second.wait_for(kDeadline));
  CHECK(second.progress().done == 3);
  CHECK(*first.result() == *second.result());
  CHECK(cache.get({1, 7}, make).result());
  CHECK(made == 1);
}

TEST_CASE("a making that nobody waits for is given up, and begun anew when asked again") {
  PassCache cache({});
  std::atomic<int> made{0};
  std::binary_semaphore begun{0};
  std::binary_semaphore given_up{0};
  const auto make = [&](const PassProgress&, std::stop_token stop) -> Result<PassCache::Value> {
    if (++made > 1) return value(10);
    std::binary_semaphore stopped{0};
    const std::stop_callback on_stop(stop, [&] { stopped.release(); });
    begun.release();
    stopped.acquire();
    given_up.release();
    return Error{ErrorKind::kBusy, "was given up", ""};
  };
  {
    const auto ticket = cache.get({1, 7}, make);
    begun.acquire();
  }
  CHECK(given_up.try_acquire_for(kDeadline));
  const auto again = cache.get({1, 7}, make);
  REQUIRE(again.wait_for(kDeadline));
  CHECK(again.result());
}

TEST_CASE("an error is told, and the next who asks may have better luck") {
  PassCache cache({});
  std::atomic<int> made{0};
  const auto make = [&](const PassProgress&, std::stop_token) -> Result<PassCache::Value> {
    if (++made == 1) throw std::runtime_error("bad luck");
    return value(10);
  };
  const auto ticket = cache.get({1, 7}, make);
  REQUIRE(ticket.wait_for(kDeadline));
  CHECK(ticket.result().error().message.find("bad luck") != std::string::npos);
  const auto again = cache.get({1, 7}, make);
  REQUIRE(again.wait_for(kDeadline));
  CHECK(again.result());
}

TEST_CASE("the passes asked for last are kept, as far as memory goes") {
  PassCache cache({.threads = 1, .most_bytes = 250'000});
  std::atomic<int> made{0};
  const auto ask = [&](std::uint32_t pass) {
    const auto ticket = cache.get({1, pass}, [&](const PassProgress&, std::stop_token) -> Result<PassCache::Value> {
      ++made;
      return value(100'000);
    });
    REQUIRE(ticket.wait_for(kDeadline));
  };
  ask(1);
  ask(2);
  ask(1);
  CHECK(made == 2);
  ask(3);  // 2 goes
  ask(1);
  CHECK(made == 3);
  ask(2);
  CHECK(made == 4);
}

TEST_CASE("ending gives up what is being made and all who wait") {
  PassCache cache({});
  std::binary_semaphore begun{0};
  const auto ticket = cache.get({1, 7}, [&](const PassProgress&, std::stop_token stop) -> Result<PassCache::Value> {
    std::binary_semaphore stopped{0};
    const std::stop_callback on_stop(stop, [&] { stopped.release(); });
    begun.release();
    stopped.acquire();
    return Error{ErrorKind::kBusy, "was given up", ""};
  });
  begun.acquire();
  cache.end();
  CHECK(ticket.wait_for(kDeadline));
  CHECK_FALSE(ticket.result());
  CHECK_FALSE(cache.get({1, 8}, nullptr).result());
}
