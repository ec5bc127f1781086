// AllocatorCurve: what an allocator had after each entry, kept block by block; and StackedCurve: that over time by
// owner, at a level of detail that keeps every peak. The track must outlive them. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/allocator/allocator_changes.h"
#include "analysis/allocator/owners.h"
#include "timeline/allocator_states.h"

namespace vizd {

class AllocatorCurve {
 public:
  struct Peak {
    std::int64_t bytes = 0;
    AllocatorMoment moment = 0;  // the first where it is reached
  };
  // The track has an allocator log. Costs a walk over its lives.
  explicit AllocatorCurve(const Track& track);

  Peak reserved, allocated, active, requested;
  AllocatorBytes start, end;

  const AllocatorChanges& changes() const { return changes_; }
  std::int64_t allocated_at(AllocatorMoment moment) const;
  // The most that was allocated at the moments from one to another, that too.
  Peak most_allocated(AllocatorMoment first, AllocatorMoment last) const;
  // The most that was reserved then.
  std::int64_t most_reserved(AllocatorMoment first, AllocatorMoment last) const;
  std::size_t memory_bytes() const;

 private:
  struct Block {
    std::int64_t first_bytes = 0;  // allocated at the first moment
    Peak most;
  };
  struct Reserved {
    AllocatorMoment from = 0;
    std::int64_t bytes = 0;
  };
  void find_allocated();
  void find_active();
  void find_reserved();
  // The most that was allocated from the first moment of a part of a block to its last one.
  Peak most_in_block(AllocatorMoment first, AllocatorMoment last) const;

  const Track& track_;
  AllocatorChanges changes_;
  std::vector<Block> blocks_;
  std::vector<Reserved> reserved_;  // by moment; the first is of moment 0
};

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

// For each stretch in which anything happened, the moment with the most allocated bytes; also its last moment if
// nothing happens in the next stretch, so that the value drawn there is the last one. Before them comes the last moment
// before from_ns.
struct StackedCurve {
  std::size_t entries = 0;                                 // that lie in the range
  std::vector<AllocatorMoment> moments;                    // ascending
  std::vector<std::int64_t> allocated_bytes;               // by moment
  std::vector<std::int64_t> reserved_bytes;                // the most of the stretch up to there
  std::vector<std::vector<std::uint64_t>> bytes_by_owner;  // of each owner asked for, by moment
};
StackedCurve stacked_curve(const Track& track, const AllocatorCurve& curve, const AllocationOwners& owners,
                           const CurveQuestion& question);

}  // namespace vizd
