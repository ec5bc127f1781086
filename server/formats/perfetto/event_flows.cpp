#include "formats/perfetto/event_flows.h"

#include <algorithm>
#include <span>

#include "formats/perfetto/fields.h"

namespace vizd::perfetto {

bool is_written_before(const EventColumns& events, std::uint32_t a, std::uint32_t b) {
  if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
  const std::int64_t a_end_ns = written_end_ns(events, a), b_end_ns = written_end_ns(events, b);
  if (a_end_ns != b_end_ns) return a_end_ns > b_end_ns;
  return events[a].order != events[b].order ? events[a].order < events[b].order : a < b;
}

EventFlows::EventFlows(const Profile& profile) {
  const auto is_first = [&](std::uint32_t track, std::uint32_t event, std::uint32_t other_track, std::uint32_t other) {
    const EventColumns& events = profile.tracks[track].events;
    if (track == other_track) return is_written_before(events, event, other);
    const std::int64_t at_ns = events.start_ns(event), other_ns = profile.tracks[other_track].events.start_ns(other);
    return at_ns != other_ns ? at_ns < other_ns : track < other_track;
  };
  for (std::uint32_t i = 0; i < profile.flows.size(); ++i) {
    const Flow flow = profile.flows[i];
    const bool is_turned = is_first(flow.to_track, flow.to_event, flow.from_track, flow.from_event);
    const std::uint64_t number = kOwn << 32 | std::uint64_t{i} << 1 | (is_turned ? 1 : 0);
    (is_turned ? ended_ : begun_).emplace_back(flow.from_track, flow.from_event, number);
    (is_turned ? begun_ : ended_).emplace_back(flow.to_track, flow.to_event, number);
  }
  std::ranges::sort(begun_);
  std::ranges::sort(ended_);
}

void EventFlows::put(protozero::pbf_writer& event, std::uint32_t track, std::uint32_t i) const {
  const auto put = [&](Field field, const std::vector<Number>& numbers) {
    for (auto at = std::ranges::lower_bound(numbers, Number{track, i, 0});
         at != numbers.end() && std::get<0>(*at) == track && std::get<1>(*at) == i; ++at)
      event.add_fixed64(field, std::get<2>(*at));
  };
  put(field::event::kFlowIds, begun_);
  put(field::event::kTerminatingFlowIds, ended_);
}

}  // namespace vizd::perfetto
