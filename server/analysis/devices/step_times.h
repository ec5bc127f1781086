// When steps of the workload began and ended, on the host and on the devices: the rule of PyTorch's own plugin for
// TensorBoard. docs/figures.md has the definition; every answer about the length of a step goes by it. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

// The steps of the ranks below these tracks. Reads the work, but not work.steps.
std::vector<StepTime> find_step_times(const Capture& capture, const DeviceWork& work,
                                      std::span<const std::uint32_t> roots);

// The rank's first step of that number; null: it has none.
const StepTime* find_step(const DeviceWork& work, std::uint32_t root, std::int64_t number);

}  // namespace vizd
