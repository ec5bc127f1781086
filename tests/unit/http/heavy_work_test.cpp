#include "http/transport/heavy_work.h"

#include <atomic>
#include <optional>
#include <thread>

#include "rewrite/unified_diff.h"
#include "support/catch.h"
#include "support/wait_until.h"

namespace vizd::heavy_work_test {
namespace {

using namespace std::chrono_literals;

Request request_of(const std::stop_source& client) {
  Request request;
  request.path = "/heavy";
  request.left = client.get_token();
  return request;
}

TEST_CASE("so many large answers are made at once, a few more wait, and one beyond them is told to come again") {
  HeavyWork work({.at_once = 1, .waiting = 1, .patience = 60s, .time = 60s});
  std::stop_source client;
  auto first = std::make_optional(work.begin(request_of(client)));
  REQUIRE(*first);
  std::atomic<bool> has_turn{false};
  std::stop_source second_client, third_client;
  std::jthread second([&] { has_turn = work.begin(request_of(second_client)).has_value(); });
  REQUIRE(wait_until([&] { return work.waiting() == 1; }));
  const auto third = work.begin(request_of(third_client));
  REQUIRE_FALSE(third);
  CHECK(third.error().kind == ErrorKind::kBusy);
  CHECK(third.error().message.find("too many") != std::string::npos);
  CHECK_FALSE(has_turn);
  first.reset();
  second.join();
  CHECK(has_turn);
}

TEST_CASE("whoever leaves does not wait for a turn any more") {
  HeavyWork work({.at_once = 1, .waiting = 4, .patience = 600s, .time = 60s});
  std::stop_source client, leaving;
  const auto first = work.begin(request_of(client));
  std::jthread second([&] { CHECK_FALSE(work.begin(request_of(leaving))); });
  REQUIRE(wait_until([&] { return work.waiting() == 1; }));
  leaving.request_stop();
  second.join();
}

TEST_CASE("a budget is over when its client has left, and when its time is") {
  std::stop_source client;
  const Budget budget(client.get_token(), 600s);
  CHECK(budget.goes_on());
  CHECK_FALSE(budget.is_over());
  client.request_stop();
  CHECK(budget.is_over());
  CHECK_FALSE(budget.goes_on());
  CHECK(budget.error().kind == ErrorKind::kBusy);

  const Budget short_one({}, 0ms);
  bool goes_on = true;
  for (int i = 0; i < 10'000 && goes_on; ++i) {
    std::this_thread::yield();
    goes_on = short_one.goes_on();
  }
  CHECK_FALSE(goes_on);
  CHECK(short_one.error().kind == ErrorKind::kTooLarge);
}

TEST_CASE("a diff that nobody waits for is given up") {
  std::string before, after;
  for (int i = 0; i < 20'000; ++i) {
    const std::string x = std::to_string(2 * i) + "\n", y = std::to_string(2 * i + 1) + "\n";
    before += x + y, after += y + x;
  }
  std::stop_source client;
  client.request_stop();
  const Budget budget(client.get_token(), 600s);
  const auto given_up = unified_diff(before, after, budget);
  CHECK(budget.is_over());
  CHECK(given_up != unified_diff(before, after));
}

}  // namespace
}  // namespace vizd::heavy_work_test
