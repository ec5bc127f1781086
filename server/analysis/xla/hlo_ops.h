// HloOpRow: the work of devices summed up by the HLO op that it was done for, joined with the op's instruction: how
// often, how long by the device's own clock, how much arithmetic and memory, for which source line. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_peaks.h"
#include "model/capture.h"
#include "model/hlo_module.h"
#include "model/xla_profile.h"

namespace vizd {

enum class PeakSource : std::uint8_t { kNone, kFile, kPlane, kTable };
inline constexpr std::string_view kPeakSourceNames[] = {"", "--peaks", "profile", "table"};

// The most that a device of an XLA profile can do, and who says so.
struct HloPeaks {
  std::optional<double> flops, bytes_per_s;  // arithmetic of bf16, which profiles state
  PeakSource of_flops = PeakSource::kNone, of_bytes = PeakSource::kNone;
};

// A file of the user's goes before the profile's own figures, and these before vizd's table; but for AMD's devices,
// whose profiles state half of the bandwidth, the table goes before the profile.
HloPeaks find_hlo_peaks(const XlaDevice& device, const DevicePeaks& peaks);

struct HloOpRow {
  std::uint32_t host = 0, device = 0;  // places in XlaProfile::hosts and XlaHost::devices
  std::optional<std::uint64_t> program_id;
  std::optional<std::string_view> module;
  std::string_view op, category, op_name;                          // "" where not known
  std::optional<std::string> source;                               // "train.py:11"
  const hlo::Instruction* instruction = nullptr;                   // null: no module that is there has it
  std::optional<std::int64_t> fused_instructions;                  // of a fusion
  std::int64_t launches = 0, executions = 0;                       // an execution may be several kernels
  std::optional<std::int64_t> kernels;                             // names of kernels; none where ops were recorded
  std::int64_t total_ps = 0, self_ps = 0;                          // by the device's own clock, where it has one
  std::int64_t drawn_ps = 0;                                       // as the timeline shows it
  std::optional<double> time_percent;                              // of the self time of all work of the device
  std::optional<std::int64_t> flops, model_flops, bytes_accessed;  // of all executions, as the compiler counted
  std::optional<std::int64_t> dot_flops;                           // likewise, from the shapes of dots
  bool is_communication = false;
  HloPeaks peaks;  // of the device

  // Shares of the peaks over the self time. The two halves of an asynchronous op have none, since what they do is done
  // between them; and a share above 100 % is none: impossible() says so.
  std::optional<double> flops_percent() const { return possible(flops_share()); }
  std::optional<double> bytes_percent() const { return possible(bytes_share()); }
  // Which share is above 100 %, and whose figure may be wrong; "" where none is.
  std::string impossible() const;

 private:
  bool is_asynchronous() const;  // it begins what another op ends, or the other way about
  std::optional<double> flops_share() const { return share(flops ? flops : dot_flops, peaks.flops); }
  std::optional<double> bytes_share() const { return share(bytes_accessed, peaks.bytes_per_s); }
  std::optional<double> share(const std::optional<std::int64_t>& amount, const std::optional<double>& peak) const;
  static std::optional<double> possible(const std::optional<double>& percent) {
    return percent && *percent <= 100 ? percent : std::nullopt;
  }
};

// By host and device, the longest self time first. The capture has a profile of XLA. modules: of each of its hosts. The
// rows refer to both.
std::vector<HloOpRow> make_hlo_ops(const Capture& capture, std::span<const hlo::HostModules> modules,
                                   const DevicePeaks& peaks);

}  // namespace vizd
