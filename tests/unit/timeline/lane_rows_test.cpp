#include "timeline/lane_rows.h"

#include <algorithm>
#include <random>

#include "support/catch.h"

namespace vizd::lane_rows_test {
namespace {

Event event(std::int64_t start_ns, std::int64_t end_ns) {
  Event e;
  e.start_ns = start_ns;
  e.dur_ns = end_ns - start_ns;
  return e;
}

std::int64_t end_ns(const Event& e) { return e.start_ns + e.dur_ns; }

// Events that nest or do not, with many equal starts and ends.
std::vector<Event> random_events(std::mt19937& random, std::size_t count, std::int64_t span_ns) {
  std::uniform_int_distribution<std::int64_t> at(0, span_ns), length(0, span_ns / 4);
  std::vector<Event> events;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t start_ns = at(random);
    events.push_back(event(start_ns, start_ns + length(random) % (1 + length(random))));
  }
  return events;
}

TEST_CASE("no events make no rows", "[timeline]") {
  const LaneRows rows = lane_rows({});
  CHECK(rows.row_count == 0);
  CHECK(rows.relaned == 0);
}

TEST_CASE("nested events lie one row under what holds them", "[timeline]") {
  const std::vector<Event> events = {event(0, 100), event(0, 40),  event(10, 20),
                                     event(20, 40), event(50, 60), event(100, 120)};
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.row == LargeVector<std::uint32_t>{0, 1, 2, 2, 1, 0});
  CHECK(rows.parent == LargeVector<std::uint32_t>{kNoId, 0, 1, 1, 0, kNoId});
  CHECK(rows.row_count == 3);
  CHECK(rows.relaned == 0);
}

TEST_CASE("of events that start together the longer one is outside, whatever came first", "[timeline]") {
  const std::vector<Event> events = {event(0, 10), event(0, 30), event(0, 20)};
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.order == LargeVector<std::uint32_t>{1, 2, 0});
  CHECK(rows.row == LargeVector<std::uint32_t>{2, 0, 1});
}

TEST_CASE("an event that crosses another is re-laned, and what it holds lies under it", "[timeline]") {
  // The second outlives the first; the third lies in both, the last only in the second.
  const std::vector<Event> events = {event(0, 100), event(50, 150), event(60, 70), event(110, 120)};
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.row == LargeVector<std::uint32_t>{0, 1, 2, 2});
  CHECK(rows.parent == LargeVector<std::uint32_t>{kNoId, kNoId, 1, 1});
  CHECK(rows.relaned == 1);
}

TEST_CASE("an event of no length lies in what is going on, not in what just ended", "[timeline]") {
  const std::vector<Event> events = {event(0, 100), event(0, 50), event(50, 50), event(100, 100)};
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.parent == LargeVector<std::uint32_t>{kNoId, 0, 0, kNoId});
  CHECK(rows.row == LargeVector<std::uint32_t>{0, 1, 1, 0});
}

TEST_CASE("an event that ends before it starts has no length", "[timeline]") {
  const std::vector<Event> events = {event(10, 5), event(6, 8)};
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.row == LargeVector<std::uint32_t>{0, 0});
}

TEST_CASE("rows are disjoint and parents hold their events, whatever the events are", "[timeline]") {
  std::mt19937 random(20250921);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Event> events = random_events(random, 1 + static_cast<std::size_t>(round), 40 + 4 * round);
    const LaneRows rows = lane_rows(EventColumns(events));
    std::vector<std::int64_t> row_end(rows.row_count, -1);
    std::uint32_t relaned = 0;
    for (std::size_t k = 0; k < events.size(); ++k) {
      const std::uint32_t i = rows.order[k];
      REQUIRE(rows.row[i] < rows.row_count);
      REQUIRE(row_end[rows.row[i]] <= events[i].start_ns);
      row_end[rows.row[i]] = end_ns(events[i]);
      if (k > 0) REQUIRE(events[rows.order[k - 1]].start_ns <= events[i].start_ns);

      const std::uint32_t parent = rows.parent[i];
      const std::uint32_t wanted = parent == kNoId ? 0 : rows.row[parent] + 1;
      REQUIRE(rows.row[i] >= wanted);
      if (rows.row[i] != wanted) ++relaned;
      if (parent == kNoId) continue;
      REQUIRE(events[parent].start_ns <= events[i].start_ns);
      REQUIRE(end_ns(events[parent]) >= end_ns(events[i]));
    }
    REQUIRE(rows.relaned == relaned);
  }
}

TEST_CASE("properly nested events have the levels of tinygrad's page, and none is re-laned", "[timeline]") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    // Splits [0, 10000) at random places, again and again: a proper nesting.
    std::vector<Event> events = {event(0, 10000)};
    for (std::size_t i = 0; i < events.size() && events.size() < 300; ++i) {
      const Event outer = events[i];
      if (outer.dur_ns < 4) continue;
      const std::int64_t middle =
          outer.start_ns + std::uniform_int_distribution<std::int64_t>(1, outer.dur_ns - 1)(random);
      events.push_back(event(outer.start_ns, middle));
      if (random() % 3 != 0) events.push_back(event(middle, end_ns(outer)));
    }
    const LaneRows rows = lane_rows(EventColumns(events));
    CHECK(rows.relaned == 0);
    std::vector<std::int64_t> level_end;  // index.js: the first level whose end has passed
    for (const std::uint32_t i : rows.order) {
      std::size_t level = 0;
      while (level < level_end.size() && level_end[level] > events[i].start_ns) ++level;
      if (level == level_end.size()) level_end.push_back(0);
      level_end[level] = end_ns(events[i]);
      REQUIRE(rows.row[i] == level);
    }
  }
}

TEST_CASE("a hundred thousand events across each other are laid out, a row each", "[timeline]") {
  std::vector<Event> events;
  for (std::int64_t i = 0; i < 100'000; ++i) events.push_back(event(i, 200'000 + i));
  const LaneRows rows = lane_rows(EventColumns(events));
  CHECK(rows.row_count == 100'000);
  CHECK(rows.relaned == 99'999);
}

}  // namespace
}  // namespace vizd::lane_rows_test
