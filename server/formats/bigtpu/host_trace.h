// HostTrace: the trace of the program that gave a TPU its work, beside which the TPU's commands are laid. It is read by
// whichever format knows it. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/capture.h"

namespace vizd::bigtpu {

// What of it tells when the TPU ran; on the capture's time axis.
struct HostTrace {
  std::int64_t start_ns = 0, end_ns = 0;               // of the whole trace
  std::optional<std::int64_t> disabled_ns = {};        // when the profiler was told to stop
  std::optional<std::int64_t> first_operator_ns = {};  // when the first operator of tpuDNN had ended
};

// Reads the file, packed or not, into an empty capture. Errors: it cannot be read, or is no trace.
Result<HostTrace> read_host_trace(const std::string& path, Capture& capture);

// When the device's first command began, and by what that is known, for people.
struct HostBase {
  std::int64_t base_ns = 0;
  const char* known_from = "";
  bool is_known = false;
};
// tail_ns: when the device's last command ended, from its first. tail_offset_ns: how long before the end of
// disable_profile that was, as global.profile has it. The rule is bigTpuProfile's (0.3.7).
HostBase base_of(const HostTrace& host, std::int64_t tail_ns, std::optional<std::int64_t> tail_offset_ns);

}  // namespace vizd::bigtpu
