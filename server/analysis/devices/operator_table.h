// OperatorRow: calls of a framework's operators and of annotated ranges summed up by name, as PyTorch's own
// key_averages() does: how often, how long on the host and on the devices, how much memory and arithmetic.
// docs/figures.md has the definitions. Refers to the capture. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/devices/work_scope.h"

namespace vizd {

// By which rows of one name are told apart.
enum class OperatorGroup : std::uint8_t { kName, kShape, kModule, kLine, kStack };
inline constexpr std::string_view kOperatorGroupNames[] = {"name", "shape", "module", "line", "stack"};
std::optional<OperatorGroup> operator_group(std::string_view name);

struct OperatorChoice {
  OperatorGroup group = OperatorGroup::kName;
  std::size_t frames = 5;  // of kStack: how many, the innermost
  WorkScope scope = {};    // calls that begin in its range or step, of its rank
};

struct OperatorRow {
  std::uint32_t root = kNoId;  // the rank's track
  FileValue rank;
  std::string_view name;
  std::optional<std::string> group;     // the shapes, the module or the line; none: not recorded of these calls
  std::vector<std::string_view> stack;  // the innermost frame first
  bool is_operator = false;             // otherwise an annotated range
  std::int64_t calls = 0, total_ns = 0, self_ns = 0, max_ns = 0;
  double self_percent = 0;  // of the self time of all rows of the rank
  // The time of the work launched for them; none if the rank has no devices that worked.
  std::optional<std::int64_t> device_total_ns, device_self_ns;
  std::optional<double> flop;  // of those calls of which the profiler counts it
  // Allocated less freed in the host's memory and in that of devices; none where no such memory was recorded.
  std::optional<std::int64_t> bytes, self_bytes, device_bytes, device_self_bytes;
  ProfileEvent longest;
};

// Rank by rank, the longest self time first.
std::vector<OperatorRow> make_operator_table(const Capture& capture, const DeviceAnalysis& devices,
                                             const OperatorChoice& choice);

}  // namespace vizd
