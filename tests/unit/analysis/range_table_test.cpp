// What a range holds by name, its busy time and the durations of a name, against looking at every event.
#include "analysis/figures/range_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <stop_token>

#include "analysis/figures/busy_time.h"
#include "analysis/figures/name_durations.h"
#include "support/catch.h"
#include "support/made_timeline.h"

namespace vizd::range_table_test {
namespace {

// The name's events in the range, one by one.
struct Expected {
  std::vector<std::int64_t> durations;
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> parts;  // by lane
  std::int64_t self_ns = 0, longest_ns = 0;
};

// In how much of the time from from_ns on one of the parts runs.
std::int64_t covered_by(std::vector<std::pair<std::int64_t, std::int64_t>> parts, std::int64_t from_ns) {
  std::ranges::sort(parts);
  std::int64_t sum_ns = 0, until_ns = from_ns;
  for (const auto& [begin_ns, end_ns] : parts) {
    sum_ns += std::max<std::int64_t>(end_ns - std::max(begin_ns, until_ns), 0);
    until_ns = std::max(until_ns, end_ns);
  }
  return sum_ns;
}

std::int64_t inside(std::int64_t start_ns, std::int64_t end_ns, std::int64_t from_ns, std::int64_t to_ns) {
  return std::max<std::int64_t>(std::min(end_ns, to_ns) - std::max(start_ns, from_ns), 0);
}

// What an event does not hold of its part in the range, looking at every event of the row below.
std::int64_t self_inside(const MadeTimeline& made, std::uint32_t lane, std::uint32_t event, std::int64_t from_ns,
                         std::int64_t to_ns) {
  const EventColumns& events = made.events(lane);
  const std::int64_t start_ns = events.start_ns(event), end_ns = events.end_ns(event);
  std::int64_t self_ns = inside(start_ns, end_ns, from_ns, to_ns);
  const LaneIndex& index = made.timeline.lanes[lane];
  const std::uint32_t below = index.row_of(event) + 1;
  if (below >= index.row_count()) return self_ns;
  for (std::uint32_t i = index.row(below).begin; i < index.row(below).end; ++i) {
    if (events.start_ns(i) >= start_ns && events.end_ns(i) <= end_ns)
      self_ns -= inside(events.start_ns(i), events.end_ns(i), from_ns, to_ns);
  }
  return self_ns;
}

// By name, or by name and lane.
using Lines = std::map<std::pair<std::uint32_t, std::uint32_t>, Expected>;

Lines brute_force(const MadeTimeline& made, std::int64_t from_ns, std::int64_t to_ns, TableLines lines) {
  Lines names;
  for (const std::uint32_t lane : made.lanes) {
    const EventColumns& events = made.events(lane);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const std::int64_t start_ns = events.start_ns(i), end_ns = events.end_ns(i);
      const bool is_inside = start_ns < to_ns && (end_ns > from_ns || (start_ns == end_ns && start_ns >= from_ns));
      if (!is_inside) continue;
      Expected& name = names[{made.timeline.number_of(events.name(i)), lines == TableLines::kNames ? kNoId : lane}];
      name.durations.push_back(inside(start_ns, end_ns, from_ns, to_ns));
      name.parts[lane].emplace_back(std::max(start_ns, from_ns), std::min(end_ns, to_ns));
      name.longest_ns = std::max(name.longest_ns, end_ns - start_ns);
      name.self_ns += self_inside(made, lane, i, from_ns, to_ns);
    }
  }
  return names;
}

void check_line(const MadeTimeline& made, const NameFigures& name, Expected& all, bool exact) {
  const Figures& found = name.figures;
  std::ranges::sort(all.durations);
  const std::size_t count = all.durations.size();
  const auto total_ns = std::accumulate(all.durations.begin(), all.durations.end(), std::int64_t{0});
  REQUIRE(found.count == count);
  REQUIRE(found.total_ns == total_ns);
  REQUIRE(found.self_ns == all.self_ns);
  std::int64_t covered_ns = 0;
  for (const auto& [lane, parts] : all.parts) covered_ns += covered_by(parts, std::ranges::min(parts).first);
  REQUIRE(found.covered_ns == covered_ns);
  REQUIRE(found.mean_ns == std::llround(static_cast<double>(total_ns) / static_cast<double>(count)));
  REQUIRE(found.least_ns == all.durations.front());
  REQUIRE(found.max_ns == all.longest_ns);
  REQUIRE(made.events(found.longest.lane).length_ns(found.longest.event) == found.max_ns);
  REQUIRE(made.timeline.number_of(made.events(found.longest.lane).name(found.longest.event)) == name.name);
  const double tolerance = exact ? 0 : 0.01;
  const auto close = [&](std::int64_t ns, std::int64_t wanted) {
    return std::abs(static_cast<double>(ns - wanted)) <= tolerance * static_cast<double>(wanted);
  };
  const std::int64_t lower_ns = all.durations[(count - 1) / 2], upper_ns = all.durations[count / 2];
  REQUIRE(close(found.median_ns, lower_ns + (upper_ns - lower_ns + 1) / 2));
  REQUIRE(close(found.p90_ns, all.durations[(count * 9 - 1) / 10]));
}

void check_table(const MadeTimeline& made, std::int64_t from_ns, std::int64_t to_ns, bool exact) {
  for (const TableLines lines : {TableLines::kNames, TableLines::kNamesByLane}) {
    Lines expected = brute_force(made, from_ns, to_ns, lines);
    const RangeTable table = range_table(made.capture->profile, made.timeline, made.rows, from_ns, to_ns, lines, 2,
                                         exact ? kMostExactEvents : 0);
    REQUIRE(table.names.size() == expected.size());
    REQUIRE(table.exact == (exact || table.events == 0));
    std::uint64_t events = 0;
    for (const NameFigures& name : table.names) {
      check_line(made, name, expected.at({name.name, name.lane}), exact);
      events += name.figures.count;
    }
    REQUIRE(table.events == events);
  }
}

TEST_CASE("a range's table is what its events say, one by one, each with its part inside", "[analysis]") {
  const MadeTimeline made({.events = 12'000, .lanes = 5, .names = 40});
  const std::int64_t end_ns = made.capture->profile.end_ns;
  check_table(made, 0, end_ns, true);
  check_table(made, 0, end_ns, false);
  check_table(made, -100, end_ns / 3, true);
  check_table(made, end_ns / 5, end_ns / 4, true);
  check_table(made, end_ns / 2, end_ns / 2 + 1, true);
  check_table(made, end_ns + 1, end_ns + 2, true);
  // Few names: most nest in themselves and overlap.
  const MadeTimeline nested({.events = 6'000, .lanes = 3, .names = 3, .overlapping = 0.2});
  check_table(nested, 0, nested.capture->profile.end_ns, true);
  check_table(nested, end_ns / 7, end_ns / 3, true);
}

TEST_CASE("no figure of a range is more than what of it lies inside", "[analysis]") {
  const MadeTimeline made({.events = 3'000, .lanes = 2, .names = 12});
  const std::int64_t end_ns = made.capture->profile.end_ns, from_ns = end_ns / 3, to_ns = end_ns / 3 + end_ns / 50;
  const RangeTable table =
      range_table(made.capture->profile, made.timeline, made.rows, from_ns, to_ns, TableLines::kNames, 1);
  REQUIRE(!table.names.empty());
  for (const NameFigures& name : table.names) {
    const Figures& figures = name.figures;
    CHECK(figures.self_ns <= figures.total_ns);
    CHECK(figures.self_ns >= 0);
    CHECK(figures.mean_ns <= to_ns - from_ns);
    CHECK(figures.median_ns <= to_ns - from_ns);
    CHECK(std::abs(figures.mean_ns * static_cast<std::int64_t>(figures.count) - figures.total_ns) <=
          static_cast<std::int64_t>(figures.count));
  }
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
      expected_ns += covered_by(parts, from_ns);
    }
    CHECK(busy_time(made.capture->profile, made.timeline, made.rows, from_ns, to_ns, 2) == expected_ns);
  }
}

TEST_CASE("the durations of a name are those of its events, in bins that hold them all", "[analysis]") {
  const MadeTimeline made({.events = 20'000, .lanes = 4});
  const Profile& profile = made.capture->profile;
  const RangeTable table = range_table(profile, made.timeline, made.rows, 0, profile.end_ns + 1, TableLines::kNames, 2);
  for (const NameFigures& name : std::span(table.names).first(20)) {
    for (const std::uint64_t most_exact : {kMostExactEvents, std::uint64_t{0}}) {
      const NameDurations found = name_durations(profile, made.timeline, name.name, made.lanes, 28, 2, most_exact);
      CHECK(found.exact == (most_exact != 0));
      CHECK(found.figures.count == name.figures.count);
      CHECK(found.figures.total_ns == name.figures.total_ns);
      CHECK(found.figures.self_ns == name.figures.self_ns);
      CHECK(found.figures.covered_ns == name.figures.covered_ns);
      CHECK(found.figures.longest == name.figures.longest);
      if (found.exact) CHECK(found.figures.median_ns == name.figures.median_ns);
      CHECK(std::abs(found.figures.p90_ns - name.figures.p90_ns) <= name.figures.p90_ns / 100);
      CHECK(std::accumulate(found.count.begin(), found.count.end(), std::uint64_t{0}) == name.figures.count);
      CHECK(found.edges_ns.size() == 29);
      CHECK(found.edges_ns.front() == static_cast<double>(std::max<std::int64_t>(found.figures.least_ns, 1)));
    }
  }
}

TEST_CASE("a line of a lane has the durations of the name in that lane", "[analysis]") {
  const MadeTimeline made({.events = 2'000, .lanes = 3, .names = 10});
  const Profile& profile = made.capture->profile;
  const RangeTable table =
      range_table(profile, made.timeline, made.rows, 0, profile.end_ns + 1, TableLines::kNamesByLane, 2);
  for (const NameFigures& line : table.names) {
    const NameDurations found = name_durations(profile, made.timeline, line.name, {line.lane}, 5, 2);
    CHECK(found.figures.count == line.figures.count);
    CHECK(found.figures.median_ns == line.figures.median_ns);
    CHECK(found.figures.self_ns == line.figures.self_ns);
  }
}

TEST_CASE("what nobody waits for is not summed to the end", "[analysis]") {
  const MadeTimeline made({.events = 200'000, .lanes = 2, .names = 10});
  const Profile& profile = made.capture->profile;
  std::stop_source client;
  client.request_stop();
  const Budget over(client.get_token());
  for (const TableLines lines : {TableLines::kNames, TableLines::kNamesByLane}) {
    const RangeTable table =
        range_table(profile, made.timeline, made.rows, 0, profile.end_ns, lines, 2, kMostExactEvents, over);
    // For each row, the test reads no more than is read between two questions whether to go on.
    std::uint64_t counted = 0;
    for (const NameFigures& line : table.names) counted += line.figures.count;
    CHECK(counted < table.events / 2);
  }
  CHECK(name_durations(profile, made.timeline, 0, made.lanes, 5, 2, kMostExactEvents, over).figures.count == 0);
  const std::int64_t end_ns = profile.end_ns / 2;
  const std::int64_t busy_ns = range_time(profile, made.timeline, made.rows, 1, end_ns, 2).busy_ns;
  CHECK(range_time(profile, made.timeline, made.rows, 1, end_ns, 2, over).busy_ns < busy_ns / 2);
  CHECK(over.is_over());
}

}  // namespace
}  // namespace vizd::range_table_test
