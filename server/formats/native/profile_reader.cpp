#include "formats/native/profile_reader.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vizd::native {
namespace {

namespace column = capture::column;

constexpr std::uint64_t kMostLost = 1 << 12;
constexpr std::size_t kMostLanes = std::size_t{1} << 16;
constexpr std::int64_t kMostTime = std::int64_t{1} << 60;  // model/profile.h

}  // namespace

void ProfileReader::add_lanes(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  if (first < lanes_.size() || first - lanes_.size() > kMostLost) {
    return tables_.skip("lanes out of order", columns.count());
  }
  using Column = column::Lanes;
  auto& lanes = capture_.profile.lanes;
  const auto add = [&](StringId name, const LaneGroup& group) -> Lane& {
    const auto found = std::ranges::find_if(lanes, [&](const Lane& lane) {
      return lane.name == name && lane.group.rank == group.rank && lane.group.process == group.process &&
             lane.group.device == group.device && lane.group.stream == group.stream;
    });
    // A lane of its own where the section has two of one name.
    const auto place = static_cast<std::size_t>(found - lanes.begin());
    const bool is_known = found != lanes.end() && std::ranges::find(lanes_, place) == lanes_.end();
    lanes_.push_back(is_known ? place : lanes.size());
    if (!is_known) {
      Lane& lane = lanes.emplace_back();
      lane.name = name;
      lane.group = group;
    }
    Lane& lane = lanes[lanes_.back()];
    first_events_.push_back(lane.events.size());
    first_allocations_.push_back(lane.allocations.size());
    return lane;
  };
  while (lanes_.size() < first) add(capture_.strings.add(Tables::kLost), {});
  const auto names = columns.read<std::uint32_t>(Column::kName), ranks = columns.read<std::uint32_t>(Column::kRank);
  const auto processes = columns.read<std::uint32_t>(Column::kProcess);
  const auto devices = columns.read<std::uint32_t>(Column::kDevice);
  const auto streams = columns.read<std::uint32_t>(Column::kStream);
  const auto hertz = columns.read<double>(Column::kHertz);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (lanes_.size() >= kMostLanes) return tables_.skip("lane beyond the number that vizd draws");
    const LaneGroup group{tables_.string(ranks[i]), tables_.string(processes[i]), tables_.string(devices[i]),
                          tables_.string(streams[i])};
    add(tables_.string(names[i]), group).cycles_per_second = hertz[i];
  }
}

Lane* ProfileReader::lane(std::uint64_t number) {
  return number < lanes_.size() ? &capture_.profile.lanes[lanes_[number]] : nullptr;
}

bool ProfileReader::is_time(std::int64_t ns) {
  if (ns > -kMostTime && ns < kMostTime) return true;
  tables_.skip("time beyond 36 years");
  return false;
}

void ProfileReader::EventRecords::read(const Columns& columns) {
  using Column = column::Events;
  columns.read_into(lane, Column::kLane);
  columns.read_into(start_ns, Column::kStart);
  columns.read_into(dur_ns, Column::kDuration);
  columns.read_into(name, Column::kName);
  columns.read_into(info, Column::kInfo);
  columns.read_into(context, Column::kContext);
  columns.read_into(order, Column::kOrder);
  columns.read_into(picoseconds, Column::kPicoseconds);
  columns.read_into(args_length, Column::kArgsLength);
}

void ProfileReader::add_events(const Columns& columns) {
  is_empty_ = false;
  const EventRecords& r = records_;
  records_.read(columns);
  std::string_view all_args = columns.text(column::Events::kArgs);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Lane* const lane = this->lane(r.lane[i]);
    const std::string_view args = all_args.substr(0, r.args_length[i]);
    all_args.remove_prefix(args.size());
    if (lane == nullptr || lane->events.size() >= EventColumns::kMostEvents) {
      tables_.skip("event of a lane that is missing, or has too many");
    } else if (is_time(r.start_ns[i]) && is_time(r.dur_ns[i])) {
      lane->events.push_back({.start_ns = r.start_ns[i],
                              .dur_ns = r.dur_ns[i],
                              .name = tables_.string(r.name[i]),
                              .context = find_context_(r.context[i]),
                              .info = tables_.string(r.info[i]),
                              .order = r.order[i],
                              .dur_ps = std::min(r.picoseconds[i], 999u),
                              .args = add_args(args)});
    }
  }
}

void ProfileReader::add_allocations(const Columns& columns) {
  using Column = column::Allocations;
  is_empty_ = false;
  const auto lanes = columns.read<std::uint32_t>(Column::kLane), dtypes = columns.read<std::uint32_t>(Column::kDtype);
  const auto keys = columns.read<std::uint64_t>(Column::kKey), counts = columns.read<std::uint64_t>(Column::kCount);
  const auto item_sizes = columns.read<std::uint32_t>(Column::kItemSize);
  const auto births = columns.read<std::int64_t>(Column::kAt), deaths = columns.read<std::int64_t>(Column::kFreedAt);
  const auto birth_orders = columns.read<std::uint32_t>(Column::kBirthOrder);
  const auto death_orders = columns.read<std::uint32_t>(Column::kDeathOrder);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  const auto categories = columns.read<std::uint32_t>(Column::kCategory);
  const auto contexts = columns.read<std::uint64_t>(Column::kContext);
  const auto addresses = columns.read<std::uint64_t>(Column::kAddress);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (lane(lanes[i]) == nullptr) {
      tables_.skip("allocation of a lane that is missing");
      continue;
    }
    if (item_sizes[i] != 0 && counts[i] > std::numeric_limits<std::int64_t>::max() / item_sizes[i]) {
      tables_.skip("allocation larger than any memory");
      continue;
    }
    if (!is_time(births[i]) || !is_time(deaths[i])) continue;
    Allocation made;
    made.key = keys[i];
    made.count = counts[i];
    made.item_size_bytes = item_sizes[i];
    made.dtype = tables_.string(dtypes[i]);
    made.birth_ns = births[i];
    made.death_ns = deaths[i];
    made.birth_order = birth_orders[i];
    made.death_order = death_orders[i];
    made.category = tables_.string(categories[i]);
    made.context = find_context_(contexts[i]);
    if ((flags[i] & capture::kAllocationAddressed) != 0) made.address = addresses[i];
    made.freed = (flags[i] & capture::kAllocationFreed) != 0;
    if (made.freed && made.death_order <= made.birth_order) {
      tables_.skip("allocation that is freed before it is made");
      continue;
    }
    memory_.push_back({lanes[i], births[i], false, made});
  }
}

void ProfileReader::add_frees(const Columns& columns) {
  const auto lanes = columns.read<std::uint32_t>(column::Frees::kLane);
  const auto keys = columns.read<std::uint64_t>(column::Frees::kKey);
  const auto times = columns.read<std::int64_t>(column::Frees::kAt);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (lane(lanes[i]) == nullptr || !is_time(times[i])) {
      tables_.skip("free of a lane that is missing");
      continue;
    }
    Allocation freed;
    freed.key = keys[i];
    memory_.push_back({lanes[i], times[i], true, freed});
  }
}

void ProfileReader::add_markers(const Columns& columns) {
  is_empty_ = false;
  const auto times = columns.read<std::int64_t>(column::Markers::kAt);
  const auto names = columns.read<std::uint32_t>(column::Markers::kName);
  const auto colours = columns.read<std::uint32_t>(column::Markers::kColour);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (!is_time(times[i])) continue;
    capture_.profile.markers.push_back({times[i], tables_.string(names[i]), tables_.string(colours[i])});
  }
}

std::uint64_t ProfileReader::add_args(std::string_view json) {
  Column<char>& args = capture_.profile.args;
  if (json.empty() || json.find('\0') != std::string_view::npos) return 0;
  const std::uint64_t begin = args.size() + 1;
  for (const char c : json) args.push_back(c);
  args.push_back('\0');
  return begin;
}

void ProfileReader::add_counters(const Columns& columns, std::uint64_t first) {
  if (first != counters_.size()) return tables_.skip("counters out of order", columns.count());
  const auto names = columns.read<std::uint32_t>(column::Counters::kName);
  const auto units = columns.read<std::uint32_t>(column::Counters::kUnit);
  const auto lanes = columns.read<std::uint64_t>(column::Counters::kLane);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Lane* const lane = this->lane(lanes[i]);
    if (lane == nullptr) {
      tables_.skip("counter of a lane that is missing");
      counters_.emplace_back(kNoId, 0);
      continue;
    }
    counters_.emplace_back(lanes_[lanes[i]], lane->counters.size());
    lane->counters.push_back(
        {.name = tables_.string(names[i]), .unit = tables_.string(units[i]), .at_ns = {}, .value = {}});
  }
}

void ProfileReader::add_samples(const Columns& columns) {
  const auto counters = columns.read<std::uint32_t>(column::Samples::kCounter);
  const auto times = columns.read<std::int64_t>(column::Samples::kAt);
  const auto values = columns.read<double>(column::Samples::kValue);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (counters[i] >= counters_.size() || counters_[counters[i]].first == kNoId) {
      tables_.skip("sample of a counter that is missing");
    } else if (is_time(times[i])) {
      const auto& [lane, place] = counters_[counters[i]];
      Counter& counter = capture_.profile.lanes[lane].counters[place];
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

void ProfileReader::add_uses(const Columns& columns) {
  using Column = column::Uses;
  const auto memory_lanes = columns.read<std::uint64_t>(Column::kMemoryLane);
  const auto allocations = columns.read<std::uint64_t>(Column::kAllocation);
  const auto lanes = columns.read<std::uint64_t>(Column::kLane), events = columns.read<std::uint64_t>(Column::kEvent);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    uses_.push_back({memory_lanes[i], allocations[i], lanes[i], events[i]});
  }
}

std::optional<std::uint32_t> ProfileReader::event_of(const FlowEnd& end) {
  const Lane* lane = this->lane(end.lane);
  if (lane == nullptr) return std::nullopt;
  const EventColumns& events = lane->events;
  if (end.event != 0) {
    const std::uint64_t place = first_events_[end.lane] + end.event - 1;
    return place < events.size() ? std::optional(static_cast<std::uint32_t>(place)) : std::nullopt;
  }
  std::vector<std::uint32_t>& by_start = by_start_[end.lane];
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
  finish_memory();
  Profile& profile = capture_.profile;
  for (const auto& [from, to] : flows_) {
    const auto from_event = event_of(from), to_event = event_of(to);
    if (!from_event || !to_event) {
      tables_.skip("flow between events that are missing");
      continue;
    }
    profile.flows.push_back({static_cast<std::uint32_t>(lanes_[from.lane]), *from_event,
                             static_cast<std::uint32_t>(lanes_[to.lane]), *to_event});
  }
  for (const UseRecord& use : uses_) {
    Lane* const memory = lane(use.memory_lane);
    const auto event = event_of({use.lane, 0, use.event + 1});
    const std::uint64_t allocation = memory == nullptr ? 0 : first_allocations_[use.memory_lane] + use.allocation;
    if (memory == nullptr || !event || allocation >= memory->allocations.size()) {
      tables_.skip("use of an allocation, or by an event, that is missing");
      continue;
    }
    memory->uses.push_back(
        {static_cast<std::uint32_t>(allocation), static_cast<std::uint32_t>(lanes_[use.lane]), *event});
  }
}

void ProfileReader::finish_memory() {
  struct Buffer {
    std::uint32_t lane;
    std::uint64_t key;
    bool operator==(const Buffer&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Buffer& b) const { return std::hash<std::uint64_t>()(b.key * 31 + b.lane); }
  };
  const bool has_frees = std::ranges::any_of(memory_, &MemoryChange::is_free);
  // Where allocations say themselves when they were freed, their order is theirs too.
  if (has_frees) std::ranges::stable_sort(memory_, {}, &MemoryChange::at_ns);
  std::unordered_map<Buffer, std::size_t, Hash> live;
  std::vector<std::uint32_t> orders(lanes_.size());
  const auto has_orders = [](const Allocation& a) { return a.freed || a.birth_order != 0; };
  const bool keeps_orders =
      !has_frees && std::ranges::any_of(memory_, [&](const MemoryChange& m) { return has_orders(m.allocation); });
  for (MemoryChange& change : memory_) {
    auto& allocations = lane(change.lane)->allocations;
    const Buffer buffer{change.lane, change.allocation.key};
    if (!change.is_free) {
      if (!keeps_orders) change.allocation.birth_order = orders[change.lane]++;
      live[buffer] = allocations.size();
      allocations.push_back(change.allocation);
    } else if (const auto found = live.find(buffer); found != live.end()) {
      Allocation& freed = allocations[found->second];
      freed.freed = true;
      freed.death_ns = change.at_ns;
      freed.death_order = orders[change.lane]++;
      live.erase(found);
    } else {
      tables_.skip("free of a buffer that was never allocated");
    }
  }
}

void set_extent(Profile& profile) {
  std::int64_t start = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  const auto cover = [&](std::int64_t from, std::int64_t to) {
    start = std::min(start, from);
    end = std::max({end, from, to});
  };
  for (const Lane& lane : profile.lanes) {
    for (std::size_t i = 0; i < lane.events.size(); ++i) cover(lane.events.start_ns(i), lane.events.end_ns(i));
    for (const Counter& counter : lane.counters) {
      for (const std::int64_t at_ns : counter.at_ns.span()) cover(at_ns, at_ns);
    }
    for (const Allocation& a : lane.allocations) cover(a.birth_ns, a.freed ? a.death_ns : a.birth_ns);
  }
  for (const Marker& marker : profile.markers) cover(marker.at_ns, marker.at_ns);
  if (start > end) return;
  profile.start_ns = start;
  profile.end_ns = end;
}

}  // namespace vizd::native
