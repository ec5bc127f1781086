// TraceLinks: which operator of a trace asked for an allocation of a memory snapshot of the same run, by the profiler's
// own reports of memory: the one with the device and address that is nearest in time, at most a millisecond away. A
// trace without reports leaves the time alone, which is not sure: several threads may have asked.
// LinkedLives: that of all allocations of a snapshot, and what an event of the trace asked for. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd {

struct AllocationLink {
  std::uint32_t track = kNoId;  // of the trace: the thread that asked
  std::uint32_t event = kNoId;  // of the track: the innermost operator then; kNoId: none was open
  std::int64_t at_ns = 0;       // when it asked, on the trace's clock
  bool is_sure = false;         // the profiler reported it
};

class TraceLinks {
 public:
  // The trace must outlive it.
  explicit TraceLinks(const Capture& trace);

  // Whether the trace has any report: without one, nothing is known but times.
  bool has_reports() const { return !reports_.empty(); }
  // unix_ns: when it was made. None: no report is near.
  std::optional<AllocationLink> of(std::int64_t device, std::uint64_t address, std::int64_t unix_ns) const;
  // By time alone, and the operator that the allocation's stack tells ("" where it does not): the innermost of that
  // name, or else the innermost of the one thread that has any open. None: there is no such, or more than one.
  std::optional<AllocationLink> guess(std::string_view operation, std::int64_t unix_ns) const;
  std::size_t memory_bytes() const;

 private:
  struct Report {
    std::int64_t unix_ns = 0;
    std::uint32_t track = 0;
  };
  // The operators of a thread, which hold one another.
  struct Operators {
    std::vector<std::uint32_t> events;        // by begin
    std::vector<std::int64_t> latest_end_ns;  // of all up to each

    // The one that began last of those around the time that are wanted.
    template <typename IsWanted>
    std::uint32_t around(const Track& track, std::int64_t at_ns, IsWanted&& is_wanted) const;
  };
  void find_reports();
  void find_operators(std::uint32_t track);

  const Capture& trace_;
  const std::int64_t offset_ns_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<Report>> reports_;  // by device and address
  std::map<std::uint32_t, Operators> operators_;                                   // by track
};

class LinkedLives {
 public:
  // memory: a track of the snapshot with an allocator log.
  LinkedLives(const Capture& snapshot, const Track& memory, const TraceLinks& links);

  // Whether the trace reported allocations: without that, all is by time alone.
  bool has_reports() const { return has_reports_; }
  // The link of a life, by its place.
  const AllocationLink& of(std::uint32_t life) const { return links_[life]; }
  // Returns the allocations that the thread of a track made in a time, on the trace's clock; in order.
  std::span<const std::uint32_t> asked_in(std::uint32_t track, std::int64_t from_ns, std::int64_t to_ns) const;
  std::size_t memory_bytes() const { return links_.capacity() * sizeof(AllocationLink) + by_time_.capacity() * 4; }

 private:
  const bool has_reports_;
  std::vector<AllocationLink> links_;   // by life
  std::vector<std::uint32_t> by_time_;  // lives that have a thread, by that and time
};

// The moments of a snapshot's allocator at the begin and the end of a time of the trace's clock.
std::pair<AllocatorMoment, AllocatorMoment> moments_of_trace(const Capture& snapshot, const AllocatorLog& log,
                                                             const Capture& trace, std::int64_t from_ns,
                                                             std::int64_t to_ns);

// Whether an event of the trace may have used that memory: a device's work that tells another device has not.
bool may_use(const Capture& trace, std::uint32_t track, std::uint32_t event, const AllocatorLog& log);

// The lives of a memory that an event of the trace has to do with, in order: of a device's work what was allocated
// while it ran, of any other event what its thread asked for meanwhile.
std::vector<std::uint32_t> lives_of_event(const Capture& snapshot, const Track& memory, const LinkedLives& links,
                                          const Capture& trace, std::uint32_t track, std::uint32_t event);

}  // namespace vizd
