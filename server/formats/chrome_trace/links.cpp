// What leads to what in a trace: launches by their numbers, and flows by their ends, which are records of their own or
// members of the events that they are of.
#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "formats/chrome_trace/flow_places.h"
#include "formats/chrome_trace/launch_links.h"
#include "formats/chrome_trace/shared_numbers.h"
#include "formats/chrome_trace/tracks.h"
#include "model/argument_key.h"

namespace vizd::chrome_trace {
namespace {

// By flow end, from the first on, the event that it is of; kNoId where there is none.
LargeVector<std::uint32_t> events_of_ends(const Profile& profile, StringId correlation, std::size_t first_end) {
  const FlowEnds& ends = profile.flow_ends;
  LargeVector<std::uint32_t> events(ends.size() - first_end, kNoId);
  LargeVector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto end_at = [&](std::uint32_t i) { return ends[first_end + i]; };
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return std::pair(end_at(i).track, end_at(i).at_ns); });
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint32_t track = end_at(order[begin]).track;
    FlowPlaces places(profile.tracks[track], correlation);
    for (; begin < order.size() && end_at(order[begin]).track == track; ++begin) {
      if (const auto event = places.of(end_at(order[begin]))) events[order[begin]] = *event;
    }
  }
  return events;
}

class EndLinks {
 public:
  EndLinks(const Profile& profile, StringId correlation, std::size_t first_end, std::span<const std::uint32_t> names,
           const RootOfTrack& roots, LargeVector<Flow>& flows)
      : ends_(profile.flow_ends),
        first_end_(first_end),
        names_(names),
        roots_(roots),
        events_(events_of_ends(profile, correlation, first_end)),
        flows_(flows) {}

  void link() {
    LargeVector<std::uint32_t> order(events_.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key_of = [this](std::uint32_t i) {
      const FlowEnd end = end_at(i);
      return std::tuple(roots_.of(end.track), end.category, end.id_type, end.id);
    };
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t i) { return std::tuple_cat(key_of(i), std::tuple(end_at(i).at_ns)); });
    for (std::size_t begin = 0, stop = 0; begin < order.size(); begin = stop) {
      const auto key = key_of(order[begin]);
      while (stop < order.size() && key_of(order[stop]) == key) ++stop;
      link_by_names(std::span(order).subspan(begin, stop - begin));
    }
  }

 private:
  FlowEnd end_at(std::uint32_t i) const { return ends_[first_end_ + i]; }
  bool is_start(std::uint32_t i) const { return end_at(i).kind == FlowEnd::Kind::kStart; }

  // Ends of one category and id, in order of time: they are flows by name where every name has ends of both kinds, and
  // else one, as some writers call its two ends differently.
  void link_by_names(std::span<const std::uint32_t> ends) {
    const auto name_of = [this](std::uint32_t i) { return names_[i]; };
    if (std::ranges::adjacent_find(ends, std::ranges::not_equal_to(), name_of) == ends.end()) return link_flow(ends);
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_name;
    for (const std::uint32_t i : ends) by_name[name_of(i)].push_back(i);
    const bool are_whole = std::ranges::all_of(by_name, [this](const auto& named) {
      const auto starts = std::ranges::count_if(named.second, [this](std::uint32_t i) { return is_start(i); });
      return starts > 0 && starts < std::ranges::ssize(named.second);
    });
    if (!are_whole) return link_flow(ends);
    for (const auto& [name, named] : by_name) link_flow(named);
  }

  void link_flow(std::span<const std::uint32_t> ends) {
    const auto starts = std::ranges::count_if(ends, [this](std::uint32_t i) { return is_start(i); });
    if (starts == 0) return;
    // A single start leads to all, also to what its clock says came before it; of several, each to what follows it.
    std::uint32_t from = kNoId;
    if (starts == 1) from = *std::ranges::find_if(ends, [this](std::uint32_t i) { return is_start(i); });
    for (const std::uint32_t i : ends) {
      const FlowEnd end = end_at(i);
      if (end.kind == FlowEnd::Kind::kStart) {
        from = i;
        continue;
      }
      if (from != kNoId && events_[from] != kNoId && events_[i] != kNoId)
        flows_.push_back({end_at(from).track, events_[from], end.track, events_[i]});
      if (end.kind == FlowEnd::Kind::kStep) from = i;
    }
  }

  const FlowEnds& ends_;
  const std::size_t first_end_;
  const std::span<const std::uint32_t> names_;
  const RootOfTrack& roots_;
  const LargeVector<std::uint32_t> events_;
  LargeVector<Flow>& flows_;
};

// An event that says itself that a flow of that id leads out of it, or into it.
struct BoundEvent : Numbered {
  bool is_in, is_out;
};

std::vector<BoundEvent> bound_events(const Capture& capture, std::uint32_t first_track, const RootOfTrack& roots) {
  const StringTable& strings = capture.strings;
  std::vector<BoundEvent> bound;
  for (std::uint32_t t = first_track; t < capture.profile.tracks.size(); ++t) {
    const Track& track = capture.profile.tracks[t];
    const auto says = [&](std::string_view name, std::uint32_t event) {
      for (const ArgumentColumn& column : track.arguments) {
        if (!column.is_hidden || strings.get(column.name) != name) continue;
        const auto value = column.of(event);
        const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
        if (value && (text == nullptr ? *value != ArgumentValue(std::int64_t{0}) : strings.get(*text) == "true"))
          return true;
      }
      return false;
    };
    for (const ArgumentColumn& column : track.arguments) {
      if (!column.is_hidden || strings.get(column.name) != ".bind_id") continue;
      for (std::size_t i = 0; i < column.size(); ++i) {
        const std::uint32_t event = column.event(i);
        const Numbered numbered{{roots.of(t), argument_key(column, i, strings)},
                                track.events.start_ns(event),
                                track.events[event].order,
                                t,
                                event};
        bound.push_back({numbered, says(".flow_in", event), says(".flow_out", event)});
      }
    }
  }
  std::ranges::sort(bound, {}, [](const BoundEvent& one) { return std::tuple(one.key, one.start_ns, one.order); });
  return bound;
}

void link_bound(const Capture& capture, std::uint32_t first_track, const RootOfTrack& roots, LargeVector<Flow>& flows) {
  const std::vector<BoundEvent> bound = bound_events(capture, first_track, roots);
  const BoundEvent* from = nullptr;
  for (const BoundEvent& event : bound) {
    if (from != nullptr && from->key != event.key) from = nullptr;
    if (event.is_in && from != nullptr) flows.push_back({from->track, from->event, event.track, event.event});
    if (event.is_out) from = &event;
  }
}

}  // namespace

void link(Capture& capture, const Tracks& tracks, std::size_t first_flow_end, std::span<const std::uint32_t> names) {
  LargeVector<Flow> flows;
  const RootOfTrack roots(capture.profile.tracks, tracks.first_track(), tracks.root_tracks());
  link_launches(capture, tracks.first_track(), roots, flows);
  const StringId correlation = capture.strings.find("correlation");
  EndLinks(capture.profile, correlation, first_flow_end, names, roots, flows).link();
  link_bound(capture, tracks.first_track(), roots, flows);
  // Launches are in many traces twice: by correlation, and by flow ends.
  const auto key = [](const Flow& flow) {
    return std::tuple(flow.from_track, flow.from_event, flow.to_track, flow.to_event);
  };
  std::ranges::sort(flows, {}, key);
  const auto rest = std::ranges::unique(flows, {}, key);
  flows.erase(rest.begin(), rest.end());
  for (const Flow& flow : flows) capture.profile.flows.push_back(flow);
}

}  // namespace vizd::chrome_trace
