// KernelRow: device work summed up by kernel name, or by what else its users ask for: how often, how long, how much
// arithmetic and memory. docs/figures.md has the definitions. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_peaks.h"
#include "analysis/devices/kernel_choice.h"
#include "analysis/devices/launch_statistics.h"
#include "analysis/devices/operators.h"
#include "analysis/devices/work_figures.h"

namespace vizd {

struct KernelRow {
  std::uint32_t device = 0;           // in DeviceWork::devices; of kRank the first of the rank's
  EventRole work = EventRole::kNone;  // of kName: kernels and copies of one name are two rows
  std::optional<std::string> key;     // the name, operator, …; none: not known
  bool is_communication = false;      // what the first launch is
  LaunchStatistics durations;
  std::optional<double> time_percent;                  // of all work of the device; none where that took no time
  std::optional<std::int64_t> calls;                   // of kOperator, how many operators
  std::optional<double> bytes_copied;                  // of copies, where each tells
  std::optional<double> flop, bytes;                   // summed over those that are known
  std::optional<Precision> precision;                  // of the arithmetic
  std::optional<double> peak_flops, peak_bytes_per_s;  // of the device, at that precision
  std::uint32_t worst = 0;                             // the longest launch: place in DeviceWork::items

  std::optional<double> flops() const { return per_second(flop); }
  std::optional<double> bytes_per_s() const { return per_second(bytes); }
  std::optional<double> flops_percent() const { return percent(flops(), peak_flops); }
  std::optional<double> bandwidth_percent() const { return percent(bytes_per_s(), peak_bytes_per_s); }
  // FLOP a byte.
  std::optional<double> intensity() const;
  // "compute" or "memory": which of the device's limits it would reach first; "" where that is not known.
  std::string_view bound() const;

 private:
  std::optional<double> per_second(const std::optional<double>& amount) const;
  static std::optional<double> percent(const std::optional<double>& rate, const std::optional<double>& peak);
};

// By device, then the longest total first.
std::vector<KernelRow> make_kernel_table(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                         const WorkFigures& figures, const DevicePeaks& peaks,
                                         const KernelChoice& choice);

}  // namespace vizd
