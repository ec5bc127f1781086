// A memory snapshot and a trace of the same run, as records: which operator asked for each allocation, what each kind
// of operator asked for, what was allocated while each kind of kernel ran, and of one run of either the allocations
// themselves. Each hands its records to take. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/allocator/trace_links.h"
#include "cli/command_line/row_ids.h"
#include "formats/torch_memory/answers/record.h"
#include "model/capture.h"

namespace vizd {

class LinkedCaptures {
 public:
  // Both must outlive it.
  LinkedCaptures(const Capture& snapshot, const Capture& trace);

  struct Counts {
    std::size_t allocations = 0, linked = 0;
  };
  // Counts the allocations that were made while the snapshot was recorded.
  Counts counts() const;
  // Whether the profiler reported allocations: by time alone nothing is sure.
  bool is_sure() const { return links_.has_reports(); }

  // With --links each record tells the id of the operator, and the link to it.
  void tell_allocations(const RowIds& ids_of_trace, const torch_memory::TakeRecord& take) const;
  void tell_operators(const torch_memory::TakeRecord& take) const;
  void tell_kernels(const torch_memory::TakeRecord& take) const;
  // Reports the run of an event of that name that is asked for, by its place in order of start, or else the longest:
  // for a device's work what was allocated while it ran, for any other event what it allocated. False: there is no such
  // run.
  bool tell_run(std::string_view name, std::optional<std::size_t> run, const torch_memory::TakeRecord& take) const;

 private:
  struct Memory {
    const Track& track;
    LinkedLives links;
  };
  struct Run {
    std::uint32_t track = 0, event = 0;
  };
  torch_memory::Value thread_of(std::uint32_t track) const;
  std::optional<Run> find_run(std::string_view name, std::optional<std::size_t> run) const;

  const Capture& snapshot_;
  const Capture& trace_;
  const TraceLinks links_;
  std::vector<Memory> memories_;
};

}  // namespace vizd
