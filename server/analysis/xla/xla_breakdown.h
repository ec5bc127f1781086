// Where the time of the devices of an XLA profile went, by device, stream and step, as the host's clock draws it. All
// times are nanoseconds of the file. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/capture.h"
#include "model/xla_profile.h"

namespace vizd {

// Lengths of unions. Every moment belongs to the innermost op.
struct XlaBusy {
  std::int64_t busy_ns = 0, compute_ns = 0, communication_ns = 0, memory_ns = 0;
  std::int64_t overlap_ns = 0;  // computing and communicating at once
  std::int64_t exposed_communication_ns = 0, exposed_memory_ns = 0;
  std::int64_t infeed_ns = 0, outfeed_ns = 0;
  std::int64_t async_ns = 0, async_overlap_ns = 0;  // transfers beside the ops; those behind compute
};

struct XlaBreakdown : XlaBusy {
  std::uint32_t host = 0, device = 0;   // places in XlaProfile::hosts and XlaHost::devices
  std::optional<ArgumentValue> stream;  // none: all of the device
  std::int64_t events = 0, start_ns = 0, end_ns = 0;
  std::int64_t idle_ns = 0, idle_host_ns = 0, idle_kernel_ns = 0, idle_other_ns = 0, gaps = 0;
};

// Rows of devices, then of the streams of GPUs and the threads of CPUs. Idle time that is shorter than kernel_delay_ns,
// and ended by work launched in time, counts as kernel to kernel.
std::vector<XlaBreakdown> xla_breakdown(const Capture& capture, std::int64_t kernel_delay_ns);

struct XlaStepRow : XlaBusy {
  std::uint32_t host = 0, device = 0, step = 0;  // the last: place in XlaHost::steps
  std::int64_t start_ns = 0, span_ns = 0, idle_ns = 0;
};

// Each step on each device that it is of and that did anything in the file; the first million of these.
std::vector<XlaStepRow> xla_steps(const Capture& capture);

}  // namespace vizd
