// What an event holds, and steps through picked events, against looking at every event.
#include "timeline/event_search.h"

#include <algorithm>
#include <span>
#include <stop_token>

#include "support/catch.h"
#include "support/made_timeline.h"
#include "timeline/event_order.h"
#include "timeline/event_query.h"

namespace vizd::event_search_test {
namespace {

TEST_CASE("what an event holds in the row below is not its own time", "[timeline]") {
  EventColumns events;
  for (const auto& [start, end] : {std::pair{0, 100}, {10, 20}, {20, 50}, {60, 60}, {90, 130}, {200, 300}})
    events.push_back({.start_ns = start, .dur_ns = end - start});
  Capture capture;
  capture.profile.tracks.emplace_back().events = std::move(events);
  const Timeline timeline = prepare_timeline(capture, 1);
  const EventColumns& rows = capture.profile.tracks.front().events;
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

TEST_CASE("steps through picked events go in order of start, forward and back, over all lanes", "[timeline]") {
  const MadeTimeline made({.events = 6'000, .lanes = 4, .names = 30});
  const Profile& profile = made.capture->profile;
  const Picks picks = find_by_text(*made.capture, made.timeline, "kernel_1", 1);
  std::vector<EventCursor> expected;
  for (const std::uint32_t lane : made.lanes) {
    for (std::uint32_t i = 0; i < made.events(lane).size(); ++i) {
      const std::string_view name = made.capture->strings.get(made.events(lane).name(i));
      REQUIRE(picks.lanes[lane].has(i) == (name.find("kernel_1") != std::string_view::npos));
      if (picks.lanes[lane].has(i)) expected.push_back({made.events(lane).start_ns(i), {lane, i}});
    }
  }
  std::ranges::sort(expected);
  REQUIRE(picks.total == expected.size());
  REQUIRE(expected.size() > 100);

  std::vector<EventCursor> forward;
  std::optional<EventCursor> after;
  for (std::vector<EventCursor> page;
       !(page = picked_after(profile, made.timeline, picks, made.lanes, after, 7)).empty();) {
    forward.insert(forward.end(), page.begin(), page.end());
    after = page.back();
  }
  CHECK(forward == expected);
  for (std::size_t i = 0; i < expected.size(); i += 1 + expected.size() / 50)
    CHECK(count_picked_before(profile, made.timeline, picks, made.lanes, expected[i]) == i);

  std::vector<EventCursor> back;
  EventCursor before{expected.back().start_ns + 1, {}};
  for (std::vector<EventCursor> page;
       !(page = picked_before(profile, made.timeline, picks, made.lanes, before, 7)).empty();) {
    back.insert(back.end(), page.begin(), page.end());
    before = page.back();
  }
  std::ranges::reverse(back);
  CHECK(back == expected);
}

TEST_CASE("a search knows no case and no colour codes, and nothing finds nothing", "[timeline]") {
  Capture capture;
  EventColumns& events = capture.profile.tracks.emplace_back().events;
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
  profile.tracks.resize(2);
  const StringId inner = capture.strings.add("inner"), outer = capture.strings.add("outer");
  profile.tracks[0].events.push_back({.start_ns = 10, .dur_ns = 5, .name = inner});
  profile.tracks[0].events.push_back({.start_ns = 0, .dur_ns = 100, .name = outer});
  profile.tracks[1].events.push_back({.start_ns = 50, .dur_ns = 5, .name = inner});
  profile.tracks[1].allocations.resize(1);
  for (const Flow flow : {Flow{0, 0, 1, 0}, {0, 1, 1, 0}, {0, 2, 1, 0}, {7, 0, 1, 0}}) profile.flows.push_back(flow);
  profile.tracks[1].uses.push_back({0, 0, 0});
  profile.tracks[1].uses.push_back({3, 0, 0});
  const Timeline timeline = prepare_timeline(capture, 1);
  REQUIRE(profile.tracks[0].events.name(0) == outer);
  REQUIRE(profile.flows.size() == 2);
  CHECK(profile.flows[0].from_event == 0);
  CHECK(profile.flows[1].from_event == 1);
  REQUIRE(profile.tracks[1].uses.size() == 1);
  CHECK(profile.tracks[1].uses[0].event == 1);
  CHECK(event_json(capture, timeline, {0, 1}).find("\"outgoing\":[{\"lane\":1,\"index\":0") != std::string::npos);
}

TEST_CASE("of each name the longest thousandth of its events is picked, at least one", "[timeline]") {
  const MadeTimeline made({.events = 30'000, .lanes = 3, .names = 12});
  const Picks picks = find_slowest(*made.capture, made.timeline);
  std::uint64_t total = 0;
  for (const StringId name : made.timeline.names) {
    std::vector<std::int64_t> longest, picked;
    for (const std::uint32_t lane : made.lanes) {
      for (std::uint32_t i = 0; i < made.events(lane).size(); ++i) {
        if (made.events(lane).name(i) != name) continue;
        longest.push_back(made.events(lane).length_ns(i));
        if (picks.lanes[lane].has(i)) picked.push_back(made.events(lane).length_ns(i));
      }
    }
    std::ranges::sort(longest, std::greater());
    std::ranges::sort(picked, std::greater());
    longest.resize(std::max<std::size_t>(longest.size() / kOneInSlowest, 1));
    CHECK(picked == longest);
    total += picked.size();
  }
  CHECK(picks.total == total);
  CHECK(total > made.timeline.names.size());
}

TEST_CASE("a search that nobody waits for is given up", "[timeline]") {
  const MadeTimeline made({.events = 100'000, .lanes = 3, .names = 12});
  std::stop_source client;
  client.request_stop();
  const Budget over(client.get_token());
  CHECK(find_by_text(*made.capture, made.timeline, "kernel", 2).total > 0);
  CHECK(find_by_text(*made.capture, made.timeline, "kernel", 2, over).total == 0);
  CHECK(find_by_name(*made.capture, made.timeline.names[0], 2, over).total == 0);
  CHECK(find_slowest(*made.capture, made.timeline, over).total == 0);
  const Picks all = find_by_text(*made.capture, made.timeline, "dur>0", 2);
  REQUIRE(all.total > 50'000);
  CHECK(find_by_text(*made.capture, made.timeline, "kernel dur>0", 2, over).total == 0);
  const EventOrder longest{.by = EventOrder::By::kDuration, .descending = true};
  CHECK(marked_in_order(*made.capture, all, made.lanes, longest, 100'000).size() == all.total);
  CHECK(marked_in_order(*made.capture, all, made.lanes, longest, 100'000, over).size() < 10'000);
}

}  // namespace
}  // namespace vizd::event_search_test
