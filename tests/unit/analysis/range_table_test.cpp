// What a range holds by name, its busy time and the durations of a name, against looking at every event.
#include "analysis/range_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "analysis/busy_time.h"
#include "analysis/name_durations.h"
#include "support/catch.h"
#include "support/made_timeline.h"

namespace vizd {
namespace {

// The name's events in the range, one by one.
struct Expected {
  std::vector<std::int64_t> durations;
  std::int64_t inside_ns = 0, self_ns = 0;
};

std::map<std::uint32_t, Expected> brute_force(const MadeTimeline& made, std::int64_t from_ns, std::int64_t to_ns) {
  std::map<std::uint32_t, Expected> names;
  for (const std::uint32_t lane : made.lanes) {
    const EventColumns& events = made.events(lane);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const std::int64_t start_ns = events.start_ns(i), end_ns = events.end_ns(i);
      const bool is_inside = start_ns < to_ns && (end_ns > from_ns || (start_ns == end_ns && start_ns >= from_ns));
      if (!is_inside) continue;
      Expected& name = names[made.timeline.number_of(events.name(i))];
      name.durations.push_back(end_ns - start_ns);
      name.inside_ns += std::min(end_ns, to_ns) - std::max(start_ns, from_ns);
      name.self_ns += self_ns(events, made.timeline.lanes[lane], i);
    }
  }
  return names;
}

void check_table(const MadeTimeline& made, std::int64_t from_ns, std::int64_t to_ns, bool exact) {
  auto expected = brute_force(made, from_ns, to_ns);
  const RangeTable table =
      range_table(made.capture->profile, made.timeline, made.rows, from_ns, to_ns, 2, exact ? kMostExactEvents : 0);
  REQUIRE(table.names.size() == expected.size());
  REQUIRE(table.exact == (exact || table.events == 0));
  std::uint64_t events = 0;
  for (const NameStatistics& name : table.names) {
    Expected& all = expected.at(name.name);
    std::ranges::sort(all.durations);
    const std::size_t count = all.durations.size();
    events += count;
    REQUIRE(name.count == count);
    REQUIRE(name.sum_ns == std::accumulate(all.durations.begin(), all.durations.end(), std::int64_t{0}));
    REQUIRE(name.inside_ns == all.inside_ns);
    REQUIRE(name.self_ns == all.self_ns);
    REQUIRE(name.max_ns == all.durations.back());
    REQUIRE(made.events(name.worst.lane).length_ns(name.worst.event) == name.max_ns);
    REQUIRE(made.timeline.number_of(made.events(name.worst.lane).name(name.worst.event)) == name.name);
    const double tolerance = exact ? 0 : 0.01;
    const auto close = [&](std::int64_t found, std::int64_t wanted) {
      return std::abs(static_cast<double>(found - wanted)) <= tolerance * static_cast<double>(wanted);
    };
    REQUIRE(close(name.median_ns, all.durations[count / 2]));
    REQUIRE(close(name.p90_ns, all.durations[(count * 9 - 1) / 10]));
  }
  REQUIRE(table.events == events);
}

TEST_CASE("a range's table is what its events say, one by one", "[analysis]") {
  const MadeTimeline made({.events = 12'000, .lanes = 5, .names = 40});
  const std::int64_t end_ns = made.capture->profile.end_ns;
  check_table(made, 0, end_ns, true);
  check_table(made, 0, end_ns, false);
  check_table(made, -100, end_ns / 3, true);
  check_table(made, end_ns / 5, end_ns / 4, true);
  check_table(made, end_ns / 2, end_ns / 2 + 1, true);
  check_table(made, end_ns + 1, end_ns + 2, true);
}

TEST_CASE("the busy time of a range is that of the union of its events", "[analysis]") {
  const MadeTimeline made({.events = 4'000, .lanes = 3, .overlapping = 0.2});
  const std::int64_t end_ns = made.capture->profile.end_ns;
  for (const auto& [from_ns, to_ns] : {std::pair{std::int64_t{-5}, end_ns + 5}, {end_ns / 3, end_ns / 2}, {7, 7}}) {
    std::int64_t expected_ns = 0;
    for (const std::uint32_t lane : made.lanes) {
      std::vector<std::pair<std::int64_t, std::int64_t>> parts;
      const EventColumns& events = made.events(lane);
      for (std::uint32_t i = 0; i < events.size(); ++i)
        parts.emplace_back(std::max(events.start_ns(i), from_ns), std::min(events.end_ns(i), to_ns));
      std::ranges::sort(parts);
      std::int64_t covered_ns = from_ns;
      for (const auto& [begin_ns, until_ns] : parts) {
        expected_ns += std::max<std::int64_t>(until_ns - std::max(begin_ns, covered_ns), 0);
        covered_ns = std::max(covered_ns, until_ns);
      }
    }
    CHECK(busy_time(made.capture->profile, made.timeline, made.rows, from_ns, to_ns, 2) == expected_ns);
  }
}

TEST_CASE("the durations of a name are those of its events, in bins that hold them all", "[analysis]") {
  const MadeTimeline made({.events = 20'000, .lanes = 4});
  const std::int64_t end_ns = made.capture->profile.end_ns + 1;
  const RangeTable table = range_table(made.capture->profile, made.timeline, made.rows, 0, end_ns, 2);
  for (const NameStatistics& name : std::span(table.names).first(20)) {
    for (const std::uint64_t most_exact : {kMostExactEvents, std::uint64_t{0}}) {
      const NameDurations found = name_durations(made.capture->profile, made.timeline, name.name, 28, 2, most_exact);
      CHECK(found.exact == (most_exact != 0));
      CHECK(found.all.count == name.count);
      CHECK(found.all.sum_ns == name.sum_ns);
      CHECK(found.all.worst == name.worst);
      if (found.exact) CHECK(found.all.median_ns == name.median_ns);
      CHECK(std::abs(found.all.p90_ns - name.p90_ns) <= name.p90_ns / 100);
      CHECK(std::accumulate(found.count.begin(), found.count.end(), std::uint64_t{0}) == name.count);
      CHECK(found.edges_ns.size() == 29);
      CHECK(found.edges_ns.front() == static_cast<double>(std::max<std::int64_t>(found.least_ns, 1)));
    }
  }
}

}  // namespace
}  // namespace vizd
