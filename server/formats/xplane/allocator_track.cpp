#include "formats/xplane/allocator_track.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace vizd::xplane {
namespace {

void add_counter(const AllocatorEvents& events, std::int64_t AllocatorEvent::*bytes, std::string_view name,
                 StringTable& strings, Track& track) {
  Counter& counter = track.counters.emplace_back();
  counter.name = strings.add(name);
  counter.unit = strings.add("bytes");
  for (const AllocatorEvent& event : events) {
    counter.at_ns.push_back(event.at_ns);
    counter.value.push_back(static_cast<double>(event.*bytes));
  }
}

void add_allocations(const AllocatorEvents& events, Track& track) {
  std::unordered_map<std::uint64_t, std::size_t> live;  // place among the allocations, by address
  std::uint32_t order = 0;
  const auto free = [&](std::uint64_t address, std::int64_t at_ns) {
    const auto found = live.find(address);
    if (found == live.end()) return;
    Allocation& allocation = track.allocations[found->second];
    allocation.freed = true;
    allocation.death_ns = at_ns;
    allocation.death_order = order++;
    live.erase(found);
  };
  for (const AllocatorEvent& event : events) {
    if (!event.address) continue;
    free(*event.address, event.at_ns);
    if (!event.is_allocation || event.size_bytes <= 0) continue;
    live.emplace(*event.address, track.allocations.size());
    Allocation& made = track.allocations.emplace_back();
    made.key = *event.address;
    made.count = static_cast<std::uint64_t>(event.size_bytes);
    made.item_size_bytes = 1;
    made.category = event.op;
    made.address = *event.address;
    made.birth_ns = event.at_ns;
    made.birth_order = order++;
  }
}

}  // namespace

void add_allocator_track(AllocatorEvents events, const std::string& name, std::uint32_t parent, Capture& capture) {
  std::ranges::stable_sort(events, {}, &AllocatorEvent::at_ns);
  Track& track = capture.profile.tracks.emplace_back();
  track.name = capture.strings.add("memory " + name);
  track.kind = TrackKind::kMemory;
  track.parent = parent;
  track.sort = std::numeric_limits<std::int32_t>::max();
  add_allocations(events, track);
  add_counter(events, &AllocatorEvent::allocated_bytes, kAllocatedCounter, capture.strings, track);
  add_counter(events, &AllocatorEvent::reserved_bytes, "reserved", capture.strings, track);
}

}  // namespace vizd::xplane
