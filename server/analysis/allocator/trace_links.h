// TraceLinks: which operator of a trace asked for an allocation of a memory snapshot of the same run, by the profiler's
// own reports of memory: the one with the device and address that is nearest in time, at most a millisecond away. Any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct AllocationLink {
  std::uint32_t track = kNoId;  // of the trace: the thread that asked
  std::uint32_t event = kNoId;  // of the track: the innermost operator then; kNoId: none was open
};

class TraceLinks {
 public:
  // The trace must outlive it.
  explicit TraceLinks(const Capture& trace);

  // Whether the trace has any report: without one, nothing is known but times.
  bool has_reports() const { return !reports_.empty(); }
  // unix_ns: when it was made. None: no report is near.
  std::optional<AllocationLink> of(std::int64_t device, std::uint64_t address, std::int64_t unix_ns) const;
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

    std::uint32_t around(const Track& track, std::int64_t at_ns) const;
  };
  void find_reports();
  void find_operators(std::uint32_t track);

  const Capture& trace_;
  const std::int64_t offset_ns_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<Report>> reports_;  // by device and address
  std::unordered_map<std::uint32_t, Operators> operators_;                         // by track
};

}  // namespace vizd
