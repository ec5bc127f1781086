// TraceSummary: what a trace holds, counted as its file has it: by phase, category, track; its flows, steps, memory and
// launches. Worked out of the model alone, so that it also shows that reading lost nothing. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/devices/launch_statistics.h"
#include "model/capture.h"

namespace vizd {

struct TraceSummary {
  struct Phase {
    std::string phase;
    std::int64_t events = 0;
  };
  struct Category {
    std::string phase, category;
    std::int64_t events = 0, total_ns = 0;
  };
  struct Metadata {
    std::string name;
    std::int64_t events = 0;
  };
  struct TrackSum {
    FileValue process, thread;
    std::int64_t events = 0, complete = 0, total_ns = 0, zero_duration = 0;
  };
  struct FlowSum {
    std::string category;
    std::int64_t starts = 0, finishes = 0, ids_with_both = 0, ids_only_start = 0, ids_only_finish = 0;
  };
  struct Step {
    std::string name;
    FileValue process, thread;
    FileValue category;
    std::int64_t start_ns = 0, duration_ns = 0;
  };
  struct Memory {
    std::string device;
    std::int64_t events = 0, sum_bytes = 0, allocations = 0, frees = 0, peak_allocated = 0, peak_reserved = 0;
  };
  struct Call {
    std::string name;
    LaunchStatistics durations;
  };
  struct Launches {
    std::int64_t pairs = 0, work_without_call = 0, calls_with_work = 0, negative = 0, work_shorter_than_call = 0;
    LaunchStatistics call_start_to_work_start, launch_delay;  // where there is a pair
  };

  FileValue rank, world_size;
  std::int64_t base_time_ns = 0, events = 0;
  std::optional<std::int64_t> first_ns, last_ns;
  std::int64_t metadata_processes = 0, device_work = 0, zero_duration_work = 0, overlapping_in_a_stream = 0,
               device_argument_differs = 0;
  std::vector<FileValue> devices_without_properties;
  std::vector<Phase> phases;
  std::vector<Category> categories;
  std::vector<Metadata> metadata;
  std::vector<TrackSum> tracks;
  std::vector<FlowSum> flows;
  std::vector<Step> steps;
  std::vector<Memory> memory;
  Launches launches;
  std::vector<Call> calls;
};

// One for each rank; one for all where a trace has no rank. None for what is no trace (Profile::is_trace).
std::vector<TraceSummary> summarize_trace(const Capture& capture);

}  // namespace vizd
