#include "formats/native/profile_reader.h"

#include <algorithm>
#include <limits>

namespace vizd::native {
namespace {

namespace column = capture::column;

constexpr std::uint64_t kMostLost = 1 << 16;
constexpr std::int64_t kMostTime = std::int64_t{1} << 60;  // model/profile.h

}  // namespace

void ProfileReader::add_lanes(const Columns& columns, std::uint64_t first) {
  is_empty_ = false;
  if (first < lanes_.size() || first - lanes_.size() > kMostLost) {
    return tables_.skip("lanes out of order", columns.count());
  }
  auto& lanes = capture_.profile.lanes;
  const auto add = [&](StringId name) {
    const auto found = std::ranges::find(lanes, name, &Lane::name);
    lanes_.push_back(static_cast<std::size_t>(found - lanes.begin()));
    if (found == lanes.end()) lanes.emplace_back().name = name;
  };
  while (lanes_.size() < first) add(capture_.strings.add("<lost>"));
  for (const auto name : columns.read<std::uint32_t>(column::Lanes::kName)) add(tables_.string(name));
}

Lane* ProfileReader::lane(std::uint64_t number) {
  return number < lanes_.size() ? &capture_.profile.lanes[lanes_[number]] : nullptr;
}

bool ProfileReader::is_time(std::int64_t ns) {
  if (ns > -kMostTime && ns < kMostTime) return true;
  tables_.skip("time beyond 36 years");
  return false;
}

void ProfileReader::add_events(const Columns& columns) {
  using Column = column::Events;
  is_empty_ = false;
  const auto lanes = columns.read<std::uint32_t>(Column::kLane);
  const auto starts = columns.read<std::int64_t>(Column::kStart),
             durations = columns.read<std::int64_t>(Column::kDuration);
  const auto names = columns.read<std::uint32_t>(Column::kName), infos = columns.read<std::uint32_t>(Column::kInfo);
  const auto contexts = columns.read<std::uint64_t>(Column::kContext);
  const auto orders = columns.read<std::uint32_t>(Column::kOrder);
  const auto picoseconds = columns.read<std::uint32_t>(Column::kPicoseconds);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    Lane* const lane = this->lane(lanes[i]);
    if (lane == nullptr) {
      tables_.skip("event of a lane that is missing");
    } else if (is_time(starts[i]) && is_time(durations[i])) {
      lane->events.push_back({.start_ns = starts[i],
                              .dur_ns = durations[i],
                              .name = tables_.string(names[i]),
                              .context = find_context_(contexts[i]),
                              .info = tables_.string(infos[i]),
                              .order = orders[i],
                              .dur_ps = std::min(picoseconds[i], 999u)});
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

void ProfileReader::finish() {
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
    for (const Event& event : lane.events) cover(event.start_ns, event.start_ns + event.dur_ns);
    for (const Allocation& a : lane.allocations) cover(a.birth_ns, a.freed ? a.death_ns : a.birth_ns);
  }
  for (const Marker& marker : profile.markers) cover(marker.at_ns, marker.at_ns);
  if (start > end) return;
  profile.start_ns = start;
  profile.end_ns = end;
}

}  // namespace vizd::native
