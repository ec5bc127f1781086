// Who holds a memory at a moment: its live allocations by what they were made in, and how much more each holds than at
// an earlier moment. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/allocation_origins.h"
#include "timeline/live_set.h"

namespace vizd {

enum class HolderGroup : std::uint8_t { kOperator, kModule, kLine, kCategory };
inline constexpr std::string_view kHolderGroupNames[] = {"operator", "module", "line", "category"};
std::optional<HolderGroup> holder_group(std::string_view name);

// A holder's number: the StringId of its name, or one of these.
inline constexpr std::int64_t kUnknownHolder = -1, kEarlierHolder = -2;

struct MemoryHolder {
  std::int64_t id = kUnknownHolder;
  std::uint64_t bytes = 0, before_bytes = 0;  // at the moment, and at the one before
  std::uint32_t allocations = 0;              // at the moment
  std::uint32_t largest = kNoId;              // its largest allocation then: place in Track::allocations
};

class MemoryHolders {
 public:
  MemoryHolders(const Capture& capture, const Timeline& timeline, std::uint32_t lane, const AllocationOrigins& origins,
                HolderGroup group)
      : capture_(capture),
        track_(capture.profile.tracks[lane]),
        memory_(timeline.lanes[lane].memory),
        timeline_(timeline),
        origins_(origins),
        group_(group) {}

  // Who holds this allocation. place: in Track::allocations.
  std::int64_t holder_of(std::uint32_t place) const;
  // All that hold anything at one of the two moments, those with most bytes first.
  std::vector<MemoryHolder> list(std::size_t moment, std::size_t before) const;

  // As people call it; "" where it has no name.
  std::string_view name_of(const MemoryHolder& holder) const;
  // The modules that its largest allocation was made in, "Model_0 / Layer_3 / Linear_12"; "" of none, or another group.
  std::string modules_of(const MemoryHolder& holder) const;

 private:
  const Capture& capture_;
  const Track& track_;
  const LaneMemory& memory_;
  const Timeline& timeline_;
  const AllocationOrigins& origins_;
  const HolderGroup group_;
};

}  // namespace vizd
