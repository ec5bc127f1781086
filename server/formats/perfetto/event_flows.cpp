#include "formats/perfetto/event_flows.h"

#include <algorithm>
#include <string>

#include "formats/perfetto/fields.h"

namespace vizd::perfetto {

bool is_written_before(const EventColumns& events, std::uint32_t a, std::uint32_t b) {
  if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
  const std::int64_t a_end_ns = written_end_ns(events, a), b_end_ns = written_end_ns(events, b);
  if (a_end_ns != b_end_ns) return a_end_ns > b_end_ns;
  return events[a].order != events[b].order ? events[a].order < events[b].order : a < b;
}

EventFlows::EventFlows(const Profile& profile, const StageNumbers& stages) {
  const auto is_first = [&](std::uint32_t track, std::uint32_t event, std::uint32_t other_track, std::uint32_t other) {
    const EventColumns& events = profile.tracks[track].events;
    if (track == other_track) return is_written_before(events, event, other);
    const std::int64_t at_ns = events.start_ns(event), other_ns = profile.tracks[other_track].events.start_ns(other);
    return at_ns != other_ns ? at_ns < other_ns : track < other_track;
  };
  for (std::uint32_t i = 0; i < profile.flows.size(); ++i) {
    const Flow flow = profile.flows[i];
    if (stages.is_stage(flow.from_track, flow.from_event)) {
      awaited_.emplace_back(flow.to_track, flow.to_event, stages.number(flow.from_track, flow.from_event));
      continue;
    }
    if (stages.is_stage(flow.to_track, flow.to_event)) {
      launched_.emplace_back(flow.from_track, flow.from_event, stages.number(flow.to_track, flow.to_event));
      continue;
    }
    const bool is_turned = is_first(flow.to_track, flow.to_event, flow.from_track, flow.from_event);
    const std::uint64_t number = kOwn << 32 | std::uint64_t{i} << 1 | (is_turned ? 1 : 0);
    (is_turned ? ended_ : begun_).emplace_back(flow.from_track, flow.from_event, number);
    (is_turned ? begun_ : ended_).emplace_back(flow.to_track, flow.to_event, number);
  }
  std::ranges::sort(begun_);
  std::ranges::sort(ended_);
  std::ranges::sort(launched_);
  std::ranges::sort(awaited_);
}

template <typename Put>
void EventFlows::for_each(const std::vector<Number>& numbers, std::uint32_t track, std::uint32_t i, Put&& put) {
  for (auto at = std::ranges::lower_bound(numbers, Number{track, i, 0});
       at != numbers.end() && std::get<0>(*at) == track && std::get<1>(*at) == i; ++at)
    put(std::get<2>(*at));
}

void EventFlows::put(protozero::pbf_writer& event, std::uint32_t track, std::uint32_t i) const {
  for_each(begun_, track, i, [&](std::uint64_t number) { event.add_fixed64(field::event::kFlowIds, number); });
  for_each(ended_, track, i,
           [&](std::uint64_t number) { event.add_fixed64(field::event::kTerminatingFlowIds, number); });
  std::string launched;
  protozero::pbf_writer launches(launched);
  for_each(launched_, track, i,
           [&](std::uint64_t number) { launches.add_uint64(field::event::kLaunchedStages, number); });
  if (!launched.empty()) event.add_message(field::event::kLaunches, launched);
  for_each(awaited_, track, i, [&](std::uint64_t number) { event.add_uint64(field::event::kAwaits, number); });
}

void EventFlows::put_waits(protozero::pbf_writer& stage, std::uint32_t track, std::uint32_t i) const {
  for_each(awaited_, track, i, [&](std::uint64_t number) { stage.add_uint64(field::stage::kWaits, number); });
}

}  // namespace vizd::perfetto
