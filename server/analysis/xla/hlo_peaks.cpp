#include "analysis/xla/hlo_peaks.h"

#include <array>

#include "base/ascii_case.h"

namespace vizd {
namespace {

struct Stated {
  PeakSource source = PeakSource::kNone;
  std::optional<double> flops, bytes_per_s;
};

std::optional<double> real_of(const XlaNumber& number) {
  if (!number) return std::nullopt;
  return std::visit([](auto value) { return static_cast<double>(value); }, *number);
}

Stated stated(PeakSource source, const DevicePeak* peak) {
  if (peak == nullptr) return {};
  return {source, peak->flops(Precision::kBf16), peak->bytes_per_s()};
}

}  // namespace

HloPeaks find_hlo_peaks(const XlaDevice& device, const DevicePeaks& peaks) {
  const Stated file = stated(PeakSource::kFile, device.type.empty() ? nullptr : peaks.find_added(device.type));
  const Stated table = stated(PeakSource::kTable, device.type.empty() ? nullptr : peaks.find_own(device.type));
  const Stated plane{PeakSource::kPlane, real_of(device.peak_flops), real_of(device.peak_bytes_per_s)};
  const bool is_amd = contains_in_any_case(device.vendor, "AMD");
  HloPeaks found;
  for (const Stated& next : {file, is_amd ? table : plane, is_amd ? plane : table}) {
    if (!found.flops && next.flops.value_or(0) > 0) found.flops = next.flops, found.of_flops = next.source;
    if (!found.bytes_per_s && next.bytes_per_s.value_or(0) > 0)
      found.bytes_per_s = next.bytes_per_s, found.of_bytes = next.source;
  }
  return found;
}

}  // namespace vizd
