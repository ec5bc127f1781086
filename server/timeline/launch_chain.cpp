#include "timeline/launch_chain.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vizd {
namespace {

constexpr std::size_t kMostFrames = 256;

// The first event of another lane that led to this one.
std::optional<EventPlace> source_of(const Profile& profile, const Timeline& timeline, const EventPlace& place) {
  const Column<Flow>& flows = profile.flows;
  const auto target = [&](std::uint32_t i) { return std::pair(flows[i].to_track, flows[i].to_event); };
  for (const std::uint32_t i :
       std::ranges::equal_range(timeline.flows_by_target.span(), std::pair(place.lane, place.event), {}, target)) {
    if (flows[i].from_track != place.lane) return EventPlace{flows[i].from_track, flows[i].from_event};
  }
  return std::nullopt;
}

}  // namespace

std::vector<LaunchFrame> launch_chain(const Capture& capture, const Timeline& timeline, const EventPlace& launched) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  std::vector<LaunchFrame> chain;
  auto at = source_of(capture.profile, timeline, launched);
  std::optional<EventPlace> forward;
  for (bool is_forward = false; at && chain.size() < kMostFrames;) {
    const EventColumns& events = tracks[at->lane].events;
    chain.push_back({*at, is_forward});
    // Its launcher has a source only where that is a backward operator.
    if (!is_forward && !forward && events.role(at->event) == EventRole::kOperator)
      forward = source_of(capture.profile, timeline, *at);
    const std::uint32_t around = parent_of(events, timeline.lanes[at->lane], at->event);
    if (around != kNoId) {
      at->event = around;
    } else {
      at = is_forward ? std::nullopt : std::exchange(forward, std::nullopt);
      is_forward = true;
    }
  }
  return chain;
}

}  // namespace vizd
