// AllocatorCurve: what an allocator had after each entry; and StackedCurve: that over time by owner, at a level of
// detail that keeps every peak. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/allocator/owners.h"
#include "timeline/allocator_states.h"

namespace vizd {

struct AllocatorCurve {
  std::vector<std::int64_t> allocated_bytes, reserved_bytes;  // by moment
  struct Peak {
    std::int64_t bytes = 0;
    AllocatorMoment moment = 0;  // the first where it is reached
  };
  Peak reserved, allocated, active, requested;
  AllocatorBytes start, end;

  std::size_t memory_bytes() const {
    return (allocated_bytes.capacity() + reserved_bytes.capacity()) * sizeof(std::int64_t);
  }
};
// The track has an allocator log.
AllocatorCurve allocator_curve(const Track& track);

// The moment at which most was allocated while these times passed: the first of those. At to_ns where nothing happened.
AllocatorMoment peak_between(const Track& track, const AllocatorCurve& curve, std::int64_t from_ns, std::int64_t to_ns);
// The number of entries done at that time.
AllocatorMoment moment_at(const AllocatorLog& log, std::int64_t at_ns);
// When it begins, on the capture's clock; of 0 that of the first entry.
std::int64_t time_of(const AllocatorLog& log, AllocatorMoment moment);

struct CurveQuestion {
  std::int64_t from_ns = 0, to_ns = 0;
  std::size_t stretches = 1;              // so many, of the same length
  std::span<const std::uint32_t> owners;  // places in AllocationOwners::names
};

// Of each stretch the moment with the most allocated bytes, and the last one; before them the last before from_ns.
struct StackedCurve {
  std::vector<AllocatorMoment> moments;                    // ascending
  std::vector<std::int64_t> reserved_bytes;                // the most of the stretch up to there
  std::vector<std::vector<std::uint64_t>> bytes_by_owner;  // of each owner asked for, by moment
};
StackedCurve stacked_curve(const Track& track, const AllocatorCurve& curve, const AllocationOwners& owners,
                           const CurveQuestion& question);

}  // namespace vizd
