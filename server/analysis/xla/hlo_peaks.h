// HloPeaks: what a device of an XLA profile can do at most, and who says so. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/devices/device_peaks.h"
#include "model/xla_profile.h"

namespace vizd {

enum class PeakSource : std::uint8_t { kNone, kFile, kPlane, kTable };
inline constexpr std::string_view kPeakSourceNames[] = {"", "--peaks", "profile", "table"};

struct HloPeaks {
  std::optional<double> flops, bytes_per_s;  // arithmetic of bf16, which profiles state
  PeakSource of_flops = PeakSource::kNone, of_bytes = PeakSource::kNone;
};

// A file of the user's goes before the profile's own figures, and these before vizd's table; but for AMD's devices,
// whose profiles state half of the bandwidth, the table goes before the profile.
HloPeaks find_hlo_peaks(const XlaDevice& device, const DevicePeaks& peaks);

}  // namespace vizd
