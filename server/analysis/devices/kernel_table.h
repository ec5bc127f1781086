// KernelRow: device work summed up by kernel name, or by what else its users ask for: how often, how long, how much
// arithmetic and memory. docs/figures.md has the definitions. Pure.
#pragma once

#include <array>
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

// Arithmetic, or bytes moved, of those launches of a row of which it is known; where rows are of operators, of those
// calls.
struct KnownWork {
  double sum = 0;
  std::int64_t count = 0, total_ns = 0;  // how many are known, and how long these took

  std::optional<double> amount() const { return count == 0 ? std::nullopt : std::optional(sum); }
  std::optional<double> per_second() const;
  void add(double figure, std::int64_t dur_ns);
};

inline constexpr std::array<std::string_view, 3> kOvercounted = {"bytes overcounted", "FLOP overcounted",
                                                                 "FLOP and bytes overcounted"};

// The share of a limit that good kernels reach.
inline constexpr double kAttainable = 0.8;
// No launch takes much less, whatever it does.
inline constexpr double kLeastLaunch_ns = 2'000;

struct KernelRow {
  std::uint32_t device = 0;           // in DeviceWork::devices; of kRank the first of the rank's
  EventRole work = EventRole::kNone;  // of kName: kernels and copies of one name are two rows
  std::optional<std::string> key;     // the name, operator, …; none: not known
  bool is_communication = false;      // what the first launch is
  LaunchStatistics durations;
  std::int64_t kernels = 0, copies = 0, sets = 0;  // its launches, by kind
  std::int64_t by_time = 0;                        // its launches whose operator is told by time alone
  std::optional<double> time_percent;              // of all work of the device; none where that took no time
  std::optional<LaunchStatistics> calls;           // of operators: how many, and how long all ran that each launched
  std::optional<double> bytes_copied;              // of copies, where each tells
  KnownWork flop, bytes;
  std::array<bool, 4> masks = {};  // by AttentionMask: whether launches of it are among those that are known
  std::array<bool, std::size(kWorkSourceNames)> sources = {};  // by WorkSource: how the work of any is known
  std::optional<std::int64_t> at_stake_ns;  // what it would save at kAttainable of its bound; none where it has none
  double flop_if_causal = 0;                // the FLOP, if attention of which that is not told is causal
  std::optional<Precision> precision;       // of the arithmetic: the longest launch's, where they differ
  std::optional<double> peak_flops, peak_bytes_per_s;  // of the device; each launch's FLOP at its own precision
  std::uint32_t worst = 0;                             // the longest launch: place in DeviceWork::items
  std::uint32_t computing = kNoId;                     // likewise the longest whose arithmetic is known

  // None where it would be above the device's peak: overcounted() says so.
  std::optional<double> flop_per_s() const { return possible(flop.per_second(), peak_flops); }
  std::optional<double> bytes_per_s() const { return possible(bytes.per_second(), peak_bytes_per_s); }
  // Which figures cannot be right, since no kernel does more than its device can: the operator's shapes are not what it
  // worked on. "bytes overcounted", "FLOP overcounted" or both; "" where neither is.
  std::string_view overcounted() const;
  // The percentage of the device's peaks.
  std::optional<double> flop_percent() const { return percent(flop_per_s(), peak_flops); }
  std::optional<double> bytes_percent() const { return percent(bytes_per_s(), peak_bytes_per_s); }
  // The same by the time of all launches, as if those of which nothing is known did nothing.
  std::optional<double> flop_percent_of_all() const {
    return flop_per_s() ? percent(per_all_time(flop), peak_flops) : std::nullopt;
  }
  std::optional<double> bytes_percent_of_all() const {
    return bytes_per_s() ? percent(per_all_time(bytes), peak_bytes_per_s) : std::nullopt;
  }
  // How its work is known, "elementwise, copy"; "" where it is not.
  std::string work_from() const;
  // Which attention it is: "causal", "all pairs", "both" or "not told"; "" where it is none.
  std::string_view attention() const;
  // FLOP a byte.
  std::optional<double> intensity() const;
  // "compute" or "memory": which of the device's limits it would reach first; "" where that is not known.
  std::string_view bound() const;

 private:
  std::optional<double> per_all_time(const KnownWork& known) const;
  static bool is_above(const std::optional<double>& rate, const std::optional<double>& peak) {
    return rate && peak && *rate > *peak;
  }
  static std::optional<double> possible(const std::optional<double>& rate, const std::optional<double>& peak) {
    return is_above(rate, peak) ? std::nullopt : rate;
  }
  static std::optional<double> percent(const std::optional<double>& rate, const std::optional<double>& peak);
};

// By device, then the longest total first.
std::vector<KernelRow> make_kernel_table(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                         const WorkFigures& figures, const DevicePeaks& peaks,
                                         const KernelChoice& choice);

}  // namespace vizd
