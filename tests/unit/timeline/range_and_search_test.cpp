// Range tables and steps through marked events, against looking at every event.
#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "support/catch.h"
#include "support/made_profile.h"
#include "timeline/busy_time.h"
#include "timeline/event_search.h"
#include "timeline/name_durations.h"
#include "timeline/range_table.h"

namespace vizd {
namespace {

struct Made {
  std::unique_ptr<Capture> capture = std::make_unique<Capture>();
  Timeline timeline;
  std::vector<LaneRow> rows;
  std::vector<std::uint32_t> lanes;

  explicit Made(const MadeProfile& made) {
    fill_profile(made, *capture);
    timeline = prepare_timeline(*capture, 2);
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
      lanes.push_back(lane);
      for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
    }
  }
  const EventColumns& events(std::uint32_t lane) const { return capture->profile.lanes[lane].events; }
};

// The name's events in the range, one by one.
struct Expected {
  std::vector<std::int64_t> durations;
  std::int64_t inside_ns = 0, self_ns = 0;
};

std::map<std::uint32_t, Expected> brute_force(const Made& made, std::int64_t from_ns, std::int64_t to_ns) {
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

void check_table(const Made& made, std::int64_t from_ns, std::int64_t to_ns, bool exact) {
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

TEST_CASE("a range's table is what its events say, one by one", "[timeline]") {
  const Made made({.events = 12'000, .lanes = 5, .names = 40});
  const std::int64_t end_ns = made.capture->profile.end_ns;
  check_table(made, 0, end_ns, true);
  check_table(made, 0, end_ns, false);
  check_table(made, -100, end_ns / 3, true);
  check_table(made, end_ns / 5, end_ns / 4, true);
  check_table(made, end_ns / 2, end_ns / 2 + 1, true);
  check_table(made, end_ns + 1, end_ns + 2, true);
}

TEST_CASE("what an event holds in the row below is not its own time", "[timeline]") {
  EventColumns events;
  for (const auto& [start, end] : {std::pair{0, 100}, {10, 20}, {20, 50}, {60, 60}, {90, 130}, {200, 300}})
    events.push_back({.start_ns = start, .dur_ns = end - start});
  Capture capture;
  capture.profile.lanes.emplace_back().events = std::move(events);
  const Timeline timeline = prepare_timeline(capture, 1);
  const EventColumns& rows = capture.profile.lanes.front().events;
  const LaneIndex& lane = timeline.lanes.front();
  REQUIRE(lane.row_begin[1] == 2);
  CHECK(self_ns(rows, lane, 0) == 60);  // the one that crosses its end is not held
  CHECK(self_ns(rows, lane, 1) == 100);
  CHECK(parent_of(rows, lane, 2) == 0);
  CHECK(lane.relaned == 1);
  CHECK(event_at(rows, lane.row(0), 99) == 0);
  CHECK(event_at(rows, lane.row(0), 100) == kNoId);
  CHECK(event_at(rows, lane.row(0), 200) == 1);
}

TEST_CASE("steps through marked events go in order of start, forward and back, over all lanes", "[timeline]") {
  const Made made({.events = 6'000, .lanes = 4, .names = 30});
  const Profile& profile = made.capture->profile;
  const Marks marks = find_by_text(*made.capture, made.timeline, "kernel_1", 1);
  std::vector<EventCursor> expected;
  for (const std::uint32_t lane : made.lanes) {
    for (std::uint32_t i = 0; i < made.events(lane).size(); ++i) {
      const std::string_view name = made.capture->strings.get(made.events(lane).name(i));
      REQUIRE(marks.lanes[lane].has(i) == (name.find("kernel_1") != std::string_view::npos));
      if (marks.lanes[lane].has(i)) expected.push_back({made.events(lane).start_ns(i), {lane, i}});
    }
  }
  std::ranges::sort(expected);
  REQUIRE(marks.total == expected.size());
  REQUIRE(expected.size() > 100);

  std::vector<EventCursor> forward;
  std::optional<EventCursor> after;
  for (std::vector<EventCursor> page;
       !(page = marked_after(profile, made.timeline, marks, made.lanes, after, 7)).empty();) {
    forward.insert(forward.end(), page.begin(), page.end());
    after = page.back();
  }
  CHECK(forward == expected);
  for (std::size_t i = 0; i < expected.size(); i += 1 + expected.size() / 50)
    CHECK(count_marked_before(profile, made.timeline, marks, made.lanes, expected[i]) == i);

  std::vector<EventCursor> back;
  EventCursor before{expected.back().start_ns + 1, {}};
  for (std::vector<EventCursor> page;
       !(page = marked_before(profile, made.timeline, marks, made.lanes, before, 7)).empty();) {
    back.insert(back.end(), page.begin(), page.end());
    before = page.back();
  }
  std::ranges::reverse(back);
  CHECK(back == expected);
}

TEST_CASE("a search knows no case and no colour codes, and nothing finds nothing", "[timeline]") {
  Capture capture;
  EventColumns& events = capture.profile.lanes.emplace_back().events;
  events.push_back({.name = capture.strings.add("\x1b[34mGEMM\x1b[0m_32")});
  events.push_back({.start_ns = 1, .name = capture.strings.add("copy")});
  const Timeline timeline = prepare_timeline(capture, 1);
  CHECK(find_by_text(capture, timeline, "gemm_3", 1).total == 1);
  CHECK(find_by_text(capture, timeline, "34m", 1).total == 0);
  CHECK(find_by_text(capture, timeline, "", 1).total == 0);
}

TEST_CASE("flows and uses follow their events to their new places; those to nowhere are left out", "[timeline]") {
  Capture capture;
  Profile& profile = capture.profile;
  profile.lanes.resize(2);
  const StringId inner = capture.strings.add("inner"), outer = capture.strings.add("outer");
  profile.lanes[0].events.push_back({.start_ns = 10, .dur_ns = 5, .name = inner});
  profile.lanes[0].events.push_back({.start_ns = 0, .dur_ns = 100, .name = outer});
  profile.lanes[1].events.push_back({.start_ns = 50, .dur_ns = 5, .name = inner});
  profile.lanes[1].allocations.resize(1);
  for (const Flow flow : {Flow{0, 0, 1, 0}, {0, 1, 1, 0}, {0, 2, 1, 0}, {7, 0, 1, 0}}) profile.flows.push_back(flow);
  profile.lanes[1].uses.push_back({0, 0, 0});
  profile.lanes[1].uses.push_back({3, 0, 0});
  const Timeline timeline = prepare_timeline(capture, 1);
  REQUIRE(profile.lanes[0].events.name(0) == outer);
  REQUIRE(profile.flows.size() == 2);
  CHECK(profile.flows[0].from_event == 0);
  CHECK(profile.flows[1].from_event == 1);
  REQUIRE(profile.lanes[1].uses.size() == 1);
  CHECK(profile.lanes[1].uses[0].event == 1);
  CHECK(event_json(capture, timeline, {0, 1}).find("\"outgoing\":[{\"lane\":1,\"index\":0") != std::string::npos);
}

TEST_CASE("of each name the longest thousandth of its events is marked, at least one", "[timeline]") {
  const Made made({.events = 30'000, .lanes = 3, .names = 12});
  const Marks marks = find_slowest(*made.capture, made.timeline);
  std::uint64_t total = 0;
  for (const StringId name : made.timeline.names) {
    std::vector<std::int64_t> longest, marked;
    for (const std::uint32_t lane : made.lanes) {
      for (std::uint32_t i = 0; i < made.events(lane).size(); ++i) {
        if (made.events(lane).name(i) != name) continue;
        longest.push_back(made.events(lane).length_ns(i));
        if (marks.lanes[lane].has(i)) marked.push_back(made.events(lane).length_ns(i));
      }
    }
    std::ranges::sort(longest, std::greater());
    std::ranges::sort(marked, std::greater());
    longest.resize(std::max<std::size_t>(longest.size() / kOneInSlowest, 1));
    CHECK(marked == longest);
    total += marked.size();
  }
  CHECK(marks.total == total);
  CHECK(total > made.timeline.names.size());
}

TEST_CASE("the busy time of a range is that of the union of its events", "[timeline]") {
  const Made made({.events = 4'000, .lanes = 3, .overlapping = 0.2});
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

TEST_CASE("the durations of a name are those of its events, in bins that hold them all", "[timeline]") {
  const Made made({.events = 20'000, .lanes = 4});
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
