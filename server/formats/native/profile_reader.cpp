#include "formats/native/profile_reader.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vizd::native {
namespace {

namespace column = capture::column;

}  // namespace

void ProfileReader::add_tracks(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  tracks_.add_tracks(columns, first);
}

void ProfileReader::add_lanes(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  tracks_.add_lanes(columns, first);
}

void ProfileReader::add_markers(const Columns& columns) {
  is_empty_ = false;
  const auto times = columns.read<std::int64_t>(column::Markers::kAt);
  const auto names = columns.read<std::uint32_t>(column::Markers::kName);
  const auto colours = columns.read<std::uint32_t>(column::Markers::kColour);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (!tables_.is_time(times[i])) continue;
    capture_.profile.markers.push_back({times[i], tables_.string(names[i]), tables_.string(colours[i])});
  }
}

void ProfileReader::add_runs(const Columns& columns) {
  using Column = column::Runs;
  is_empty_ = false;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack);
  const auto kinds = columns.read<std::uint32_t>(Column::kKind), names = columns.read<std::uint32_t>(Column::kName);
  const auto numbers = columns.read<std::int64_t>(Column::kNumber), from = columns.read<std::int64_t>(Column::kFrom);
  const auto to = columns.read<std::int64_t>(Column::kTo);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (tracks[i] > tracks_.size()) {
      tables_.skip("run of a track that is missing");
    } else if (tables_.is_time(from[i]) && tables_.is_time(to[i])) {
      const std::uint32_t track = tracks[i] == 0 ? Track::kNoParent : tracks_.place(tracks[i] - 1);
      capture_.profile.runs.push_back(
          {track, tables_.string(kinds[i]), tables_.string(names[i]), numbers[i], from[i], std::max(from[i], to[i])});
    }
  }
}

void ProfileReader::add_stack_samples(const Columns& columns) {
  using Column = column::StackSamples;
  is_empty_ = false;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack), stacks = columns.read<std::uint64_t>(Column::kStack);
  const auto times = columns.read<std::int64_t>(Column::kAt);
  const auto weights =
      columns.has(Column::kWeight) ? columns.read<double>(Column::kWeight) : std::vector<double>(columns.count(), 1);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Track* const track = this->track(tracks[i]);
    const StackId stack = facts_.stack(stacks[i] + 1);
    if (track == nullptr || stack == StackId{kNoId}) {
      tables_.skip("sample of a track or a stack that is missing");
    } else if (tables_.is_time(times[i])) {
      track->samples.push_back(times[i], stack, weights[i]);
    }
  }
}

void ProfileReader::add_counters(const Columns& columns, std::uint64_t first) {
  if (first != counters_.size()) return tables_.skip("counters out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(column::Counters::kName);
  const auto units = columns.read<std::uint32_t>(column::Counters::kUnit);
  const auto lanes = columns.read<std::uint64_t>(column::Counters::kLane);
  const auto series = columns.read<std::uint32_t>(column::Counters::kSeries);
  const auto categories = columns.read<std::uint32_t>(column::Counters::kCategory);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Track* const track = this->track(lanes[i]);
    if (track == nullptr) {
      tables_.skip("counter of a track that is missing");
      counters_.emplace_back(kNoId, 0);
      continue;
    }
    counters_.emplace_back(tracks_.place(lanes[i]), track->counters.size());
    track->counters.push_back({.name = tables_.string(names[i]),
                               .unit = tables_.string(units[i]),
                               .series = tables_.string(series[i]),
                               .category = tables_.string(categories[i]),
                               .at_ns = {},
                               .value = {}});
  }
}

void ProfileReader::add_samples(const Columns& columns) {
  const auto counters = columns.read<std::uint32_t>(column::Samples::kCounter);
  const auto times = columns.read<std::int64_t>(column::Samples::kAt);
  const auto values = columns.read<double>(column::Samples::kValue);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (counters[i] >= counters_.size() || counters_[counters[i]].first == kNoId) {
      tables_.skip("sample of a counter that is missing");
    } else if (tables_.is_time(times[i])) {
      const auto& [track, place] = counters_[counters[i]];
      Counter& counter = capture_.profile.tracks[track].counters[place];
      counter.at_ns.push_back(times[i]);
      counter.value.push_back(values[i]);
    }
  }
}

void ProfileReader::add_flows(const Columns& columns) {
  using Column = column::Flows;
  const auto from_lanes = columns.read<std::uint64_t>(Column::kFromLane),
             to_lanes = columns.read<std::uint64_t>(Column::kToLane);
  const auto from_times = columns.read<std::int64_t>(Column::kFrom), to_times = columns.read<std::int64_t>(Column::kTo);
  const auto from_events = columns.read<std::uint64_t>(Column::kFromEvent);
  const auto to_events = columns.read<std::uint64_t>(Column::kToEvent);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    flows_.push_back({{from_lanes[i], from_times[i], from_events[i]}, {to_lanes[i], to_times[i], to_events[i]}});
  }
}

void ProfileReader::add_flow_ends(const Columns& columns) {
  using Column = column::FlowEnds;
  const auto lanes = columns.read<std::uint64_t>(Column::kLane);
  const auto times = columns.read<std::int64_t>(Column::kAt), ids = columns.read<std::int64_t>(Column::kId);
  const auto categories = columns.read<std::uint32_t>(Column::kCategory);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const std::uint32_t kind = flags[i] & 3u, id_type = flags[i] >> 2 & 3u;
    if (track(lanes[i]) == nullptr || kind > 2 || id_type > 2) {
      tables_.skip("flow end of a track that is missing, or of an unknown kind");
    } else if (tables_.is_time(times[i])) {
      const auto type = static_cast<FlowEnd::IdType>(id_type);
      const bool is_text = type == FlowEnd::IdType::kText;
      capture_.profile.flow_ends.push_back(
          {.at_ns = times[i],
           .track = tracks_.place(lanes[i]),
           .category = tables_.string(categories[i]),
           .id =
               is_text ? static_cast<std::int64_t>(index(tables_.string(static_cast<std::uint64_t>(ids[i])))) : ids[i],
           .id_type = type,
           .kind = static_cast<FlowEnd::Kind>(kind),
           .is_of_enclosing = (flags[i] & capture::kFlowEndOfEnclosing) != 0});
    }
  }
}

void ProfileReader::add_uses(const Columns& columns) {
  using Column = column::Uses;
  const auto memory_lanes = columns.read<std::uint64_t>(Column::kMemoryLane);
  const auto allocations = columns.read<std::uint64_t>(Column::kAllocation);
  const auto lanes = columns.read<std::uint64_t>(Column::kLane), events = columns.read<std::uint64_t>(Column::kEvent);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    uses_.push_back({memory_lanes[i], allocations[i], lanes[i], events[i]});
  }
}

std::optional<std::uint32_t> ProfileReader::event_of(const FlowPlace& end) {
  const Track* const track = this->track(end.track);
  if (track == nullptr) return std::nullopt;
  const EventColumns& events = track->events;
  if (end.event != 0) {
    const std::uint64_t place = tracks_.first_event(end.track) + end.event - 1;
    return place < events.size() ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
  }
  std::vector<std::uint32_t>& by_start = by_start_[end.track];
  if (by_start.empty()) {
    by_start.resize(events.size());
    std::iota(by_start.begin(), by_start.end(), 0u);
    std::ranges::stable_sort(by_start, {}, [&](std::uint32_t i) { return events.start_ns(i); });
  }
  const auto after =
      std::ranges::upper_bound(by_start, end.at_ns, {}, [&](std::uint32_t i) { return events.start_ns(i); });
  if (after == by_start.begin()) return std::nullopt;
  const std::uint32_t found = *std::prev(after);
  return events.end_ns(found) >= end.at_ns ? std::optional(found) : std::nullopt;
}

void ProfileReader::finish() {
  memory_.finish();
  Profile& profile = capture_.profile;
  for (const auto& [fact, number] : facts_.facts_of_tracks()) {
    if (track(number) == nullptr) {
      tables_.skip("fact of a track that is missing");
    } else {
      capture_.facts[fact].track = tracks_.place(number);
    }
  }
  profile.flows.reserve(profile.flows.size() + flows_.size());
  for (const auto& [from, to] : flows_) {
    const auto from_event = event_of(from), to_event = event_of(to);
    if (!from_event || !to_event) {
      tables_.skip("flow between events that are missing");
      continue;
    }
    profile.flows.push_back({tracks_.place(from.track), *from_event, tracks_.place(to.track), *to_event});
  }
  for (const UseRecord& use : uses_) {
    Track* const memory = track(use.memory_track);
    const auto event = event_of({use.track, 0, use.event + 1});
    const std::uint64_t allocation =
        memory == nullptr ? 0 : tracks_.first_allocation(use.memory_track) + use.allocation;
    if (memory == nullptr || !event || allocation >= memory->allocations.size()) {
      tables_.skip("use of an allocation, or by an event, that is missing");
      continue;
    }
    memory->uses.push_back({static_cast<std::uint32_t>(allocation), tracks_.place(use.track), *event});
  }
  launches_.finish(tracks_, tables_);
  allocators_.finish(tracks_, tables_);
}

void set_extent(Profile& profile) {
  std::int64_t start = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  const auto cover = [&](std::int64_t from, std::int64_t to) {
    start = std::min(start, from);
    end = std::max({end, from, to});
  };
  for (const Track& track : profile.tracks) {
    for (std::size_t i = 0; i < track.events.size(); ++i) cover(track.events.start_ns(i), track.events.end_ns(i));
    for (const Counter& counter : track.counters) {
      for (const std::int64_t at_ns : counter.at_ns.span()) cover(at_ns, at_ns);
    }
    for (const std::int64_t at_ns : track.samples.at_ns.span()) cover(at_ns, at_ns);
    for (const Allocation& a : track.allocations) cover(a.birth_ns, a.freed ? a.death_ns : a.birth_ns);
  }
  for (const Run& run : profile.runs) cover(run.from_ns, run.to_ns);
  for (const Marker& marker : profile.markers) cover(marker.at_ns, marker.at_ns);
  if (start > end) return;
  profile.start_ns = start;
  profile.end_ns = end;
}

}  // namespace vizd::native
