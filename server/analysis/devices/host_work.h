// The host of a trace as a device: for captures in which no accelerator worked. Its kernels are the operators that
// spend at least half of their time themselves, and not in operators that they call, each on the stream of its thread,
// so that tables of kernels and comparisons hold for it too. Refers to the capture. Pure.
#pragma once

#include "analysis/devices/device_analysis.h"

namespace vizd {

inline constexpr std::string_view kHostDevice = "CPU";  // WorkDevice::name

// Has no work where a device did any, where the host launched any, and where the trace has no operators that compute or
// copy: those that only allocate or describe a tensor ("aten::empty", "aten::view") are left out.
DeviceAnalysis analyse_host(const Capture& capture, const DeviceAnalysis& devices);

}  // namespace vizd
