// AllocatorStates: a memory's allocator at any entry: its segments, and the blocks in them. The state is kept each few
// thousand entries, and what is between is taken from the lives, so that any moment of ten million costs milliseconds.
// The track must outlive it. Any thread; nothing changes once it is made.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/allocator_log.h"
#include "model/track.h"

namespace vizd {

// The sums that an allocator has at a moment.
struct AllocatorBytes {
  std::int64_t reserved = 0;   // of all segments
  std::int64_t allocated = 0;  // of blocks that the program is not done with
  std::int64_t active = 0;     // these and those that another stream still uses
  std::int64_t requested = 0;  // what was asked for, of the active ones
};

struct AllocatorState {
  AllocatorMoment moment = 0;
  AllocatorBytes bytes;
  std::vector<std::uint32_t> segments;  // places in AllocatorLog::segments, by address
  std::vector<std::uint32_t> active;    // places in Track::allocations, by address
};

// A block of a segment; free ones that lie side by side are one.
struct AllocatorBlock {
  std::uint64_t address = 0, size_bytes = 0;
  std::uint32_t life = kNoId;  // a place in Track::allocations; kNoId: free
};

class AllocatorStates {
 public:
  // The track has an allocator log. Costs a walk over its lives.
  explicit AllocatorStates(const Track& track);

  // A moment past the last entry is the end.
  AllocatorState at(AllocatorMoment moment) const;
  // Calls tell for each segment with its blocks by address, which are valid during the call.
  void for_each_segment(
      const AllocatorState& state,
      const std::function<void(const AllocatorSegment&, const std::vector<AllocatorBlock>&)>& tell) const;

  // The number of entries done at that time, on the capture's clock.
  AllocatorMoment moment_at(std::int64_t at_ns) const;
  AllocatorMoment last_moment() const;
  // How much memory the states that are kept take.
  std::size_t memory_bytes() const;

 private:
  struct Kept {
    AllocatorMoment moment = 0;
    std::uint32_t next_life = 0;  // the first that is born after it
    std::uint32_t next_segment = 0;
    std::size_t first_life = 0, end_life = 0;  // in lives_, by address
    std::size_t first_segment = 0, end_segment = 0;
  };

  const Track& track_;
  std::vector<Kept> kept_;  // the first is of moment 0
  std::vector<std::uint32_t> lives_, segments_;
};

}  // namespace vizd
