#include "formats/native/launch_reader.h"

#include <unordered_map>

namespace vizd::native {

namespace column = capture::column;

void LaunchReader::add_launches(const Columns& columns, Tables& tables) {
  using Column = column::Launches;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack),
             numbers = columns.read<std::uint64_t>(Column::kNumber);
  const auto times = columns.read<std::int64_t>(Column::kAt);
  const auto names = columns.read<std::uint32_t>(Column::kName);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    launches_.push_back({tracks[i], {.number = numbers[i], .name = tables.string(names[i]), .at_ns = times[i]}});
  }
}

void LaunchReader::add_uses(const Columns& columns) {
  using Column = column::LaunchUses;
  const auto tracks = columns.read<std::uint64_t>(Column::kTrack);
  const auto allocations = columns.read<std::uint64_t>(Column::kAllocation);
  const auto launches = columns.read<std::uint64_t>(Column::kLaunch);
  const auto arguments = columns.read<std::uint32_t>(Column::kArgument);
  const auto flags = columns.read<std::uint32_t>(Column::kFlags);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    uses_.push_back({tracks[i], allocations[i], launches[i], arguments[i], flags[i]});
  }
}

void LaunchReader::finish(TrackTable& tracks, Tables& tables) {
  std::unordered_map<std::uint64_t, std::size_t> first;  // a track's launches of this part of the file
  for (const LaunchRecord& record : launches_) {
    Track* const track = tracks.track(record.track);
    if (track == nullptr) {
      tables.skip("launch on a track that is missing");
      continue;
    }
    first.try_emplace(record.track, track->launches.size());
    track->launches.push_back(record.launch);
  }
  for (const UseRecord& use : uses_) {
    Track* const track = tracks.track(use.track);
    const auto begin = first.find(use.track);
    const std::uint64_t allocation = track == nullptr ? 0 : tracks.first_allocation(use.track) + use.allocation;
    const bool is_there = track != nullptr && begin != first.end() && allocation < track->allocations.size() &&
                          use.launch < track->launches.size() - begin->second;
    if (!is_there) {
      tables.skip("use of an allocation, or by a launch, that is missing");
      continue;
    }
    track->launch_uses.push_back({.allocation = static_cast<std::uint32_t>(allocation),
                                  .launch = static_cast<std::uint32_t>(begin->second + use.launch),
                                  .argument = use.argument,
                                  .reads = (use.flags & capture::kUseReads) != 0,
                                  .writes = (use.flags & capture::kUseWrites) != 0});
  }
}

}  // namespace vizd::native
