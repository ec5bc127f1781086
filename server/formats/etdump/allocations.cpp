#include "formats/etdump/allocations.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace vizd::etdump {
namespace {

std::string allocator_name(const Run& run, std::int32_t allocator) {
  // Allocators are numbered from 1.
  const auto place = static_cast<std::size_t>(allocator) - 1;
  const bool is_named = allocator > 0 && place < run.allocators.size() && !run.allocators[place].empty();
  return is_named ? std::string(run.allocators[place]) : fmt::format("allocator {}", allocator);
}

// Numbers births and deaths by time: at one time deaths come first, but for those of what was born then.
void put_in_order(std::vector<Allocation>& allocations) {
  std::vector<std::tuple<std::int64_t, int, std::size_t>> turns;
  for (std::size_t i = 0; i < allocations.size(); ++i) {
    const Allocation& allocation = allocations[i];
    turns.emplace_back(allocation.birth_ns, 1, i);
    turns.emplace_back(allocation.death_ns, allocation.death_ns == allocation.birth_ns ? 2 : 0, i);
  }
  std::ranges::sort(turns);
  for (std::uint32_t order = 0; order < turns.size(); ++order) {
    const auto& [at_ns, turn, place] = turns[order];
    (turn == 1 ? allocations[place].birth_order : allocations[place].death_order) = order;
  }
}

}  // namespace

Result<void> add_allocations(const EtdumpFile& file, const RunExtent& extent, std::uint32_t process, Capture& capture) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;
  std::uint32_t number = 0;
  std::map<std::string, std::uint32_t> tracks;
  VIZD_TRY(file.for_each_run([&](const Run& run) -> Result<void> {
    const auto [start_ns, end_ns] = extent(number++);
    for (const AllocationEvent& event : run.allocation_events) {
      const std::string name = allocator_name(run, event.allocator);
      const auto [track, is_new] = tracks.try_emplace(name, static_cast<std::uint32_t>(capture.profile.tracks.size()));
      if (is_new) {
        Track& added = capture.profile.tracks.emplace_back();
        added.name = capture.strings.add(name);
        added.kind = TrackKind::kMemory;
        added.parent = process;
      }
      std::vector<Allocation>& allocations = capture.profile.tracks[track->second].allocations;
      if (event.size_bytes >= kMostBytes) {
        ++capture.skipped["allocations larger than any memory"];
        continue;
      }
      allocations.push_back({.key = allocations.size(),
                             .count = event.size_bytes,
                             .item_size_bytes = 1,
                             .birth_ns = start_ns,
                             .death_ns = end_ns,
                             .freed = true});
    }
    return {};
  }));
  for (const auto& [name, track] : tracks) put_in_order(capture.profile.tracks[track].allocations);
  return {};
}

}  // namespace vizd::etdump
