// What the work of a device was launched in, the backward pass included.
#include "timeline/launch_chain.h"

#include "support/catch.h"

namespace vizd::launch_chain_test {
namespace {

Event span_at(std::int64_t start_ns, std::int64_t dur_ns, StringId name, EventRole role) {
  return {.start_ns = start_ns, .dur_ns = dur_ns, .name = name, .role = role};
}

TEST_CASE("a backward operator is followed by its forward one, once") {
  Capture capture;
  capture.has_profile = true;
  const auto name = [&](std::string_view text) { return capture.strings.add(text); };
  std::vector<Track>& tracks = capture.profile.tracks;
  tracks.resize(3);
  for (Track& track : tracks) track.name = name("track");
  tracks[0].events = {span_at(0, 100, name("module"), EventRole::kNone),
                      span_at(10, 50, name("forward"), EventRole::kOperator)};
  tracks[1].events = {span_at(200, 50, name("engine"), EventRole::kNone),
                      span_at(210, 30, name("backward"), EventRole::kOperator),
                      span_at(215, 5, name("launch"), EventRole::kCall)};
  tracks[2].events = {span_at(230, 10, name("kernel"), EventRole::kKernel)};
  capture.profile.flows.push_back({0, 1, 1, 1});
  capture.profile.flows.push_back({1, 2, 2, 0});
  const Timeline timeline = prepare_timeline(capture, 1);
  std::vector<std::string> labels;
  for (const LaunchFrame& frame : launch_chain(capture, timeline, {2, 0})) {
    const EventColumns& events = tracks[frame.place.lane].events;
    labels.push_back(std::string(capture.strings.get(events.name(frame.place.event))) + (frame.is_forward ? " f" : ""));
  }
  CHECK(labels == std::vector<std::string>{"launch", "backward", "engine", "forward f", "module f"});
  CHECK(launch_chain(capture, timeline, {0, 0}).empty());
}

}  // namespace
}  // namespace vizd::launch_chain_test
