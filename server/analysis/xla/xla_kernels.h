// XlaKernel: the work of an XLA profile's devices summed up by name: launches, durations, self times. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/launch_statistics.h"
#include "analysis/xla/xla_times.h"
#include "model/capture.h"

namespace vizd {

struct XlaKernel {
  std::uint32_t host = 0, device = 0;  // places in XlaProfile::hosts and XlaHost::devices
  XlaClass work = XlaClass::kKernel;
  StringId name{};
  bool is_communication = false;  // of the first launch
  LaunchStatistics durs = {};     // by the device's own clock, where it has one
  std::int64_t total_ps = 0;      // as drawn
  std::int64_t self_ps = 0;
  std::optional<double> time_percent = {};  // of the self time of all work of the device
  std::optional<std::int64_t> bytes_copied = {};
  // Taken from the details of the first launch; none or "" where these lack it.
  std::optional<std::int64_t> registers = {};
  std::string grid = "", block = "";
};

// The longest self time comes first.
std::vector<XlaKernel> xla_kernels(const Capture& capture);

}  // namespace vizd
