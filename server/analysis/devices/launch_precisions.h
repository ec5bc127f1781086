// LaunchPrecisions: what launches of known arithmetic compute in: the type of what their operator multiplies, or what
// the kernel's name says. Refers to what it was made of. Any thread.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/devices/device_peaks.h"
#include "analysis/devices/operators.h"
#include "analysis/devices/work_figures.h"

namespace vizd {

class LaunchPrecisions {
 public:
  LaunchPrecisions(const Capture& capture, const DeviceWork& work, const Operators& operators,
                   const WorkFigures& figures);

  // What names and captured operators say, which is asked once of each. One thread.
  struct Known {
    std::unordered_map<const CapturedOperator*, std::optional<Precision>> of_captured;
    std::unordered_map<StringId, std::optional<Precision>> of_name;
  };
  std::optional<Precision> of(std::uint32_t item, Known& known) const;

 private:
  std::optional<Precision> of_inputs(std::uint32_t item, Known& known) const;
  std::optional<Precision> of_name(std::uint32_t item, Known& known) const;

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  std::vector<std::optional<Precision>> of_operator_;  // of those whose arithmetic is known
};

}  // namespace vizd
