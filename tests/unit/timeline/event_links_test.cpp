#include "timeline/event_links.h"

#include "support/catch.h"
#include "unit/timeline/profile_fixture.h"

namespace vizd::event_links_test {
namespace {

std::vector<EventLink> links_of(const ProfileFixture& made) {
  const EventColumns& events = made.capture->profile.tracks.front().events;
  return event_links(events, lane_rows(events), made.capture->rewrites);
}

TEST_CASE("inner events take their context's passes by name, in order", "[timeline]") {
  ProfileFixture made;
  const ContextId schedule = made.add_context("schedule", {"merge", "order", "merge"});
  Track& lane = made.add_lane("TINY");
  made.add_event(lane, "schedule", 0, 100, Event{.context = schedule});
  made.add_event(lane, "merge", 10, 20);
  made.add_event(lane, "unknown", 20, 30);
  made.add_event(lane, "merge", 30, 40);
  made.add_event(lane, "order", 50, 60);    // its pass lies behind by now
  made.add_event(lane, "merge", 200, 210);  // in no context
  const std::vector<EventLink> links = links_of(made);
  CHECK(links[0].context == schedule);
  CHECK(links[0].pass == kNoId);
  CHECK(links[1].context == schedule);
  CHECK(links[1].pass == 0);
  CHECK(links[2].context == ContextId{kNoId});
  CHECK(links[3].pass == 2);
  CHECK(links[4].context == ContextId{kNoId});
}

TEST_CASE("the innermost event that names a context is the one that counts", "[timeline]") {
  ProfileFixture made;
  const ContextId schedule = made.add_context("schedule", {"lower"});
  const ContextId kernel = made.add_context("kernel", {"expand", "lower"});
  Track& lane = made.add_lane("TINY");
  made.add_event(lane, "schedule", 0, 100, Event{.context = schedule});
  made.add_event(lane, "kernel", 10, 50, Event{.context = kernel});
  made.add_event(lane, "wrapper", 11, 49);
  made.add_event(lane, "lower", 20, 30);
  made.add_event(lane, "lower", 60, 70);
  const std::vector<EventLink> links = links_of(made);
  CHECK(links[3].context == kernel);
  CHECK(links[3].pass == 1);
  CHECK(links[4].context == schedule);
  CHECK(links[4].pass == 0);
}

TEST_CASE("events that follow a context's event take its passes until one has none", "[timeline]") {
  ProfileFixture made;
  const ContextId schedule = made.add_context("schedule", {"merge", "apply", "remove", "apply"});
  Track& lane = made.add_lane("TINY");
  made.add_event(lane, "schedule", 0, 100, Event{.context = schedule});
  made.add_event(lane, "merge", 10, 20);
  made.add_event(lane, "apply", 110, 120);
  made.add_event(lane, "remove", 120, 130);
  made.add_event(lane, "copy", 130, 140);
  made.add_event(lane, "apply", 150, 160);
  const std::vector<EventLink> links = links_of(made);
  CHECK(links[2].context == schedule);
  CHECK(links[2].pass == 1);
  CHECK(links[3].pass == 2);
  CHECK(links[4].context == ContextId{kNoId});
  CHECK(links[5].context == ContextId{kNoId});
}

TEST_CASE("a context that the capture does not have leads nowhere", "[timeline]") {
  ProfileFixture made;
  Track& lane = made.add_lane("CPU");
  made.add_event(lane, "kernel", 0, 10, Event{.context = ContextId{7}});
  CHECK(links_of(made)[0].context == ContextId{kNoId});
}

}  // namespace
}  // namespace vizd::event_links_test
