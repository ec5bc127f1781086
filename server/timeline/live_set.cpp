#include "timeline/live_set.h"

#include <algorithm>

namespace vizd {

std::size_t moment_at(const LaneMemory& memory, std::int64_t at_ns) {
  return at_ns == std::numeric_limits<std::int64_t>::max() ? last_moment(memory)
                                                           : memory.layout.at_ns.lower_bound(at_ns + 1);
}

std::size_t peak_moment(const LaneMemory& memory) {
  std::size_t moment = 0;
  for (const std::uint32_t place : memory.layout.at_peak)
    moment = std::max(moment, static_cast<std::size_t>(memory.layout.birth[place]) + 1);
  return moment;
}

std::size_t peak_moment(const LaneMemory& memory, std::int64_t from_ns, std::int64_t to_ns) {
  std::size_t best = moment_at(memory, from_ns);
  std::uint64_t most = live_bytes(memory, best);
  const std::size_t end = std::max(moment_at(memory, to_ns), best);
  for (std::size_t moment = best + 1; moment <= end; ++moment) {
    const std::uint64_t bytes = live_bytes(memory, moment);
    if (bytes <= most) continue;
    most = bytes;
    best = moment;
  }
  return best;
}

LiveSet live_set(const Track& lane, const LaneMemory& memory, std::size_t moment, std::size_t sorted,
                 const std::function<bool(std::uint32_t place)>& is_wanted) {
  std::vector<std::uint32_t> places;
  LiveSet set;
  for (std::uint32_t place = 0; place < lane.allocations.size(); ++place) {
    if (!is_alive(memory, place, moment) || (is_wanted && !is_wanted(place))) continue;
    places.push_back(place);
    set.bytes += lane.allocations[place].size_bytes();
  }
  const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(sorted, places.size()));
  std::ranges::partial_sort(places, end, {}, [&](std::uint32_t place) {
    return std::pair(~lane.allocations[place].size_bytes(), memory.index(place));
  });
  for (const std::uint32_t place : places) set.indices.push_back(memory.index(place));
  return set;
}

std::optional<std::uint64_t> unlisted_bytes(const Track& lane, const LaneMemory& memory, const StringTable& strings) {
  for (const Counter& counter : lane.counters) {
    if (strings.get(counter.name) != kAllocatedCounter || counter.at_ns.empty()) continue;
    const std::size_t last = counter.at_ns.size() - 1;
    const auto listed = static_cast<double>(live_bytes(memory, moment_at(memory, counter.at_ns[last])));
    return static_cast<std::uint64_t>(std::max(counter.value[last] - listed, 0.0));
  }
  return std::nullopt;
}

}  // namespace vizd
