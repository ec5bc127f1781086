// DeviceBreakdown: where the time of a device, or of one of its streams, went: busy with what, idle because of what,
// and how much was waiting in its queue. docs/figures.md has the definitions. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

// Why nothing ran: the call that launched what ran next began in the gap; else the gap is a short one, from kernel to
// kernel; else it is not known.
enum class IdleCause : std::uint8_t { kHost, kKernel, kOther };
inline constexpr std::string_view kIdleCauseNames[] = {"host", "kernel", "other"};
inline std::string_view idle_cause_name(IdleCause cause) { return kIdleCauseNames[static_cast<std::size_t>(cause)]; }

struct Gap {
  std::int64_t from_ns = 0, to_ns = 0;
  std::uint32_t item = kNoId;  // what ended it: place in DeviceWork::items; kNoId: nothing did
  IdleCause cause = IdleCause::kOther;
};

struct DeviceBreakdown {
  std::uint32_t device = 0;                           // in DeviceWork::devices
  std::optional<std::uint32_t> stream;                // in DeviceWork::streams; none: of the whole device
  std::int64_t events = 0, start_ns = 0, end_ns = 0;  // in the profile's time
  // Unions of what ran. Communication and memory may run beside computing and each other.
  std::int64_t busy_ns = 0, compute_ns = 0, communication_ns = 0, memory_ns = 0, overlap_ns = 0;
  // busy = compute + exposed communication + exposed memory.
  std::int64_t exposed_communication_ns = 0, exposed_memory_ns = 0;
  std::int64_t idle_host_ns = 0, idle_kernel_ns = 0, idle_other_ns = 0, gaps = 0;
  std::int64_t not_recorded_ns = 0;  // nothing is seen to run, but work did whose records are lost
  std::int64_t queue_max = 0, queue_integral_ns = 0;

  std::int64_t span_ns() const { return end_ns - start_ns; }
  std::int64_t idle_ns() const { return span_ns() - busy_ns - not_recorded_ns; }
  std::optional<double> overlap_percent() const {
    if (communication_ns == 0) return std::nullopt;
    return 100 * static_cast<double>(overlap_ns) / static_cast<double>(communication_ns);
  }
};

struct BreakdownOptions {
  // A shorter gap whose launch came in time is what lies between two kernels.
  std::int64_t consecutive_kernel_delay_ns = 30'000;
  // Only what lies in it, of which busy and idle time are then the whole; the work is told whole all the same, since
  // what idle time is due to lies around the range too.
  std::optional<WorkRange> range = {};
  // The same for the step of that number only, at each rank's own time; nothing for ranks that lack the step.
  std::optional<std::int64_t> step = {};
};

// Returns the breakdown of each device that did any work, then of each stream.
std::vector<DeviceBreakdown> make_breakdowns(const DeviceWork& work, const BreakdownOptions& options);

// A step of the workload and what the devices of its rank did while it lasted, whichever step launched it: steps of a
// rank never overlap, so that no work counts twice.
struct StepBreakdown {
  StepTime step;
  std::vector<DeviceBreakdown>
      devices;  // whole devices that did any work; each of the whole step, or of its part in the range

  std::int64_t dur_ns() const { return step.to_ns - step.from_ns; }
};

// The breakdown of each step in the range, in the order of time.
std::vector<StepBreakdown> make_step_breakdowns(const DeviceWork& work, const BreakdownOptions& options);

// By device its gaps, in order of time. What is not recorded is none.
std::vector<std::vector<Gap>> find_gaps(const DeviceWork& work, const BreakdownOptions& options);

// The longest of a device's gaps, the longest first, so many at most.
std::vector<Gap> longest_of(std::vector<Gap> gaps, std::size_t most);

}  // namespace vizd
