// Things made from a capture: once for all who ask, given up when nobody wants them, kept while memory allows.
#include "derived/derived.h"

#include <atomic>
#include <latch>
#include <semaphore>

#include "support/catch.h"

namespace vizd::derived_test {
namespace {

using std::chrono::milliseconds;
constexpr std::chrono::seconds kDeadline{20};

struct Thing {
  int value = 0;
  std::size_t bytes = 0;
  std::size_t memory_bytes() const { return bytes; }
};
using MadeThing = Result<std::shared_ptr<const Thing>>;

MadeThing thing(int value, std::size_t bytes = 10) { return std::make_shared<const Thing>(Thing{value, bytes}); }

std::shared_ptr<const LoadedCapture> reading(std::uint64_t revision) {
  auto capture = std::make_shared<LoadedCapture>();
  capture->revision = revision;
  return capture;
}

// A making that goes on until it is stopped, as seen from the test.
struct Endless {
  std::binary_semaphore begun{0}, given_up{0};

  MadeThing operator()(const ReportProgress&, std::stop_token stop) {
    std::binary_semaphore stopped{0};
    const std::stop_callback on_stop(std::move(stop), [&] { stopped.release(); });
    begun.release();
    stopped.acquire();
    given_up.release();
    return Error{ErrorKind::kBusy, "was given up", ""};
  }
  Make<Thing> make() { return std::ref(*this); }
};

// A making that waits until the test lets it go.
struct Held {
  std::binary_semaphore begun{0}, go{0};
  std::atomic<int> made{0};

  MadeThing operator()(const ReportProgress& report, std::stop_token) {
    ++made;
    report({3, 4, "counting"});
    begun.release();
    go.acquire();
    return thing(7);
  }
  Make<Thing> make() { return std::ref(*this); }
};

TEST_CASE("two who ask for one thing share its making", "[derived]") {
  Held held;
  Derived store({});
  const auto capture = reading(1);
  const auto first = store.get<Thing>(capture, "a", held.make());
  const auto second = store.get<Thing>(capture, "a", held.make());
  CHECK_FALSE(first.wait_for(milliseconds(0)));
  CHECK(first.result().error().kind == ErrorKind::kBusy);
  held.begun.acquire();
  CHECK(second.progress().done == 3);
  CHECK(second.progress().what == "counting");
  held.go.release();
  const auto one = first.wait(kDeadline), other = second.wait(kDeadline);
  REQUIRE(one);
  CHECK((*one)->value == 7);
  CHECK(*one == *other);
  CHECK(*store.get<Thing>(capture, "a", nullptr).result() == *one);
  CHECK(held.made == 1);
}

TEST_CASE("many who ask for few things at once get each made once", "[derived]") {
  Derived store({.threads = 3});
  const auto capture = reading(1);
  std::atomic<int> made{0}, wrong{0};
  {
    std::vector<std::jthread> askers;
    for (int asker = 0; asker < 8; ++asker) {
      askers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          const auto make = [&, i](const ReportProgress&, std::stop_token) { return ++made, thing(i); };
          const auto found = store.get<Thing>(capture, std::to_string(i), make).wait(kDeadline);
          if (!found || (*found)->value != i) ++wrong;
        }
      });
    }
  }
  CHECK(wrong == 0);
  CHECK(made == 50);
}

TEST_CASE("things of one name are told apart by their type and by the reading of their capture", "[derived]") {
  struct Other : Thing {};
  Derived store({});
  const auto first = reading(1), second = reading(2);
  const auto value_of = [&](const auto& capture, int value) {
    const auto make = [value](const ReportProgress&, std::stop_token) { return thing(value); };
    return (*store.get<Thing>(capture, "a", make).wait(kDeadline))->value;
  };
  CHECK(value_of(first, 1) == 1);
  CHECK(value_of(second, 2) == 2);
  CHECK(value_of(first, 3) == 1);
  const auto make_other = [](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const Other>> {
    return std::make_shared<const Other>(Other{{4, 0}});
  };
  CHECK((*store.get<Other>(first, "a", make_other).wait(kDeadline))->value == 4);
}

TEST_CASE("a making is given up when its last asker leaves, and begun anew when asked for again", "[derived]") {
  Endless endless;
  Derived store({});
  const auto capture = reading(1);
  {
    const auto stays = store.get<Thing>(capture, "a", endless.make());
    {
      const auto leaves = store.get<Thing>(capture, "a", endless.make());
      endless.begun.acquire();
    }
    CHECK_FALSE(endless.given_up.try_acquire());
    CHECK_FALSE(stays.wait_for(milliseconds(0)));
  }
  CHECK(endless.given_up.try_acquire_for(kDeadline));
  const auto make = [](const ReportProgress&, std::stop_token) { return thing(1); };
  CHECK(store.get<Thing>(capture, "a", make).wait(kDeadline));
}

TEST_CASE("who is told to stop waits no longer", "[derived]") {
  Endless endless;
  Derived store({});
  std::stop_source client_left;
  std::jthread client([&] {
    endless.begun.acquire();
    client_left.request_stop();
  });
  const auto found =
      store.get<Thing>(reading(1), "a", endless.make()).wait(std::chrono::hours(1), client_left.get_token());
  REQUIRE_FALSE(found);
  CHECK(found.error().kind == ErrorKind::kBusy);
  CHECK(endless.given_up.try_acquire_for(kDeadline));
}

TEST_CASE("what is asked for last is made first, and what nobody wants is never begun", "[derived]") {
  Held held;
  Derived store({.threads = 1});
  const auto capture = reading(1);
  std::vector<int> order;
  const auto numbered = [&](int number) {
    return store.get<Thing>(capture, std::to_string(number), [&order, number](const ReportProgress&, std::stop_token) {
      return order.push_back(number), thing(number);
    });
  };
  const auto busy = store.get<Thing>(capture, "busy", held.make());
  held.begun.acquire();
  const auto first = numbered(1);
  { const auto unwanted = numbered(2); }
  const auto last = numbered(3);
  held.go.release();
  REQUIRE(first.wait_for(kDeadline));
  REQUIRE(last.wait_for(kDeadline));
  CHECK(order == std::vector{3, 1});
}

TEST_CASE("as many are made at once as there are threads for, and no more", "[derived]") {
  Derived store({.threads = 2});
  const auto capture = reading(1);
  std::latch two(2);
  std::atomic<int> begun{0}, running{0}, most{0};
  const auto make = [&](const ReportProgress&, std::stop_token) {
    const int now = ++running;
    for (int known = most; now > known && !most.compare_exchange_weak(known, now);) {
    }
    if (++begun <= 2) two.arrive_and_wait();
    --running;
    return thing(1);
  };
  std::vector<Derived::Ticket<Thing>> tickets;
  for (int i = 0; i < 100; ++i) tickets.push_back(store.get<Thing>(capture, std::to_string(i), make));
  for (const auto& ticket : tickets) REQUIRE(ticket.wait_for(kDeadline));
  CHECK(most == 2);
}

TEST_CASE("an error is told, and the next who asks may have better luck", "[derived]") {
  Derived store({});
  const auto capture = reading(1);
  int made = 0;
  const auto make = [&](const ReportProgress&, std::stop_token) -> MadeThing {
    if (++made == 1) throw std::runtime_error("bad luck");
    if (made == 2) throw std::bad_alloc();
    return thing(1);
  };
  const auto ask = [&] { return store.get<Thing>(capture, "a", make).wait(kDeadline); };
  CHECK(ask().error().message.find("bad luck") != std::string::npos);
  CHECK(ask().error().kind == ErrorKind::kTooLarge);
  CHECK(ask());
}

TEST_CASE("an error that comes when nobody waits is told to the next who asks, once", "[derived]") {
  Derived store({.threads = 1, .finishes = true});
  const auto capture = reading(1);
  Held held;
  std::atomic<int> made{0};
  const auto make = [&](const ReportProgress&, std::stop_token) -> MadeThing {
    if (++made == 1) return Error{ErrorKind::kBadInput, "cannot be", ""};
    return thing(1);
  };
  {
    const auto busy = store.get<Thing>(capture, "busy", held.make());
    held.begun.acquire();
    const auto leaves = store.get<Thing>(capture, "a", make);
  }
  held.go.release();
  // Comes after it: one thread, and the first is made when this is asked for.
  while (made == 0) std::this_thread::sleep_for(milliseconds(1));
  const auto told = store.get<Thing>(capture, "a", make).wait(kDeadline);
  REQUIRE_FALSE(told);
  CHECK(told.error().message == "cannot be");
  CHECK(store.get<Thing>(capture, "a", make).wait(kDeadline));
}

TEST_CASE("what was asked for last is kept, as far as memory goes", "[derived]") {
  Derived store({.threads = 1, .most_bytes = 250'000});
  const auto capture = reading(1);
  int made = 0;
  const auto ask = [&](int number, std::size_t bytes = 100'000) {
    const auto make = [&, bytes](const ReportProgress&, std::stop_token) { return ++made, thing(1, bytes); };
    REQUIRE(store.get<Thing>(capture, std::to_string(number), make).wait(kDeadline));
  };
  ask(1);
  ask(2);
  ask(1);
  CHECK(made == 2);
  ask(3);  // 2 goes
  ask(1);
  CHECK(made == 3);
  ask(2);  // 3 goes
  CHECK(made == 4);
  ask(1);
  CHECK(made == 4);
  ask(4, 1'000'000);  // larger than all that may be kept, but on screen: it stays alone
  ask(4, 1'000'000);
  CHECK(made == 5);
  ask(1);
  CHECK(made == 6);
}

TEST_CASE("what is made of a capture that is unloaded goes to who waits, and is forgotten", "[derived]") {
  for (const bool finishes : {false, true}) {
    Derived store({.finishes = finishes});
    const auto capture = reading(1);
    Held held;
    const auto ticket = store.get<Thing>(capture, "a", held.make());
    held.begun.acquire();
    capture->unloaded.request_stop();
    CHECK_FALSE(ticket.wait_for(milliseconds(0)));
    held.go.release();
    REQUIRE(ticket.wait(kDeadline));
    held.go.release();
    CHECK(store.get<Thing>(capture, "a", held.make()).wait(kDeadline));
    CHECK(held.made == 2);
  }
}

TEST_CASE("a making in a store that finishes goes on alone, until its capture is unloaded", "[derived]") {
  Derived store({.finishes = true});
  const auto capture = reading(1);
  Endless endless;
  { const auto leaves = store.get<Thing>(capture, "a", endless.make()); }
  endless.begun.acquire();
  CHECK_FALSE(endless.given_up.try_acquire());
  capture->unloaded.request_stop();
  CHECK(endless.given_up.try_acquire_for(kDeadline));
}

TEST_CASE("things that hold their capture are given back when it is unloaded", "[derived]") {
  struct Holder {
    std::shared_ptr<const LoadedCapture> capture;
    std::size_t memory_bytes() const { return 1; }
  };
  std::binary_semaphore given_back{0};
  Derived store({});
  auto capture = reading(1);
  const auto make = [&](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const Holder>> {
    const auto give_back = [&](const Holder* holder) {
      delete holder;
      given_back.release();
    };
    return std::shared_ptr<const Holder>(new Holder{capture}, give_back);
  };
  REQUIRE(store.get<Holder>(capture, "a", make).wait(kDeadline));
  CHECK_FALSE(given_back.try_acquire());
  // As the session does: it lets go of the capture and then says so.
  std::stop_source unloaded = capture->unloaded;
  capture.reset();
  unloaded.request_stop();
  CHECK(given_back.try_acquire_for(kDeadline));
}

TEST_CASE("captures that are unloaded while others ask for things of them do no harm", "[derived]") {
  std::atomic<int> wrong{0};
  for (int round = 0; round < 30; ++round) {
    Derived store({.most_bytes = 500, .finishes = round % 2 == 0});
    std::vector<std::shared_ptr<const LoadedCapture>> captures;
    for (std::uint64_t i = 0; i < 4; ++i) captures.push_back(reading(i));
    std::vector<std::jthread> threads;
    for (const auto& capture : captures) {
      threads.emplace_back([&capture] { capture->unloaded.request_stop(); });
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const auto make = [i](const ReportProgress&, std::stop_token) { return thing(i); };
          const auto ticket = store.get<Thing>(capture, std::to_string(i % 7), make);
          if (i % 3 == 0) continue;  // leaves at once
          if (!ticket.wait(kDeadline)) ++wrong;
        }
      });
    }
    threads.clear();
  }
  CHECK(wrong == 0);
}

TEST_CASE("progress of one kind of work never goes back", "[derived]") {
  Derived store({});
  std::binary_semaphore reported{0}, go{0};
  const auto ticket = store.get<Thing>(reading(1), "a", [&](const ReportProgress& report, std::stop_token) {
    for (const ProgressReport& next : {ProgressReport{5, 9, "a"}, {3, 9, "a"}, {1, 2, "b"}, {0, 2, "b"}}) {
      report(next);
      reported.release();
      go.acquire();
    }
    return thing(1);
  });
  for (const auto& [done, what] : {std::pair{5u, "a"}, {5u, "a"}, {1u, "b"}, {1u, "b"}}) {
    reported.acquire();
    CHECK(ticket.progress().done == done);
    CHECK(ticket.progress().what == what);
    go.release();
  }
  REQUIRE(ticket.wait_for(kDeadline));
}

TEST_CASE("ending gives up what is being made and all who wait", "[derived]") {
  for (const bool finishes : {false, true}) {
    Derived store({.threads = 1, .finishes = finishes});
    const auto capture = reading(1);
    Endless endless;
    const auto making = store.get<Thing>(capture, "a", endless.make());
    endless.begun.acquire();
    const auto waiting = store.get<Thing>(capture, "b", endless.make());
    std::jthread ender([&] { store.end(); });
    CHECK(making.wait_for(kDeadline));
    CHECK(waiting.wait_for(kDeadline));
    CHECK_FALSE(making.result());
    CHECK(endless.given_up.try_acquire_for(kDeadline));
    ender.join();
    CHECK(store.get<Thing>(capture, "c", nullptr).result().error().message == "vizd is ending");
  }
}

}  // namespace
}  // namespace vizd::derived_test
