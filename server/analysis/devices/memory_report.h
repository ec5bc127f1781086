// MemoryReport: what PyTorch's profiler (profile_memory) tells of an allocation, or of its end, on the thread that
// asked. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

inline constexpr std::string_view kMemoryReport = "[memory]";  // the name of its events

struct MemoryReport {
  std::int64_t at_ns = 0;
  std::int64_t bytes = 0;        // freed ones are below 0
  std::int64_t device_type = 0;  // c10::DeviceType

  bool is_of_host() const { return device_type == 0; }
};

// In the order of the track's events.
std::vector<MemoryReport> memory_reports(const Track& track, const StringTable& strings);

}  // namespace vizd
