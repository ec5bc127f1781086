// What `vizd kernels` and `breakdown` print of XLA's profiles: as text for people, or with json one record a line. One
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/devices/device_inputs.h"

namespace vizd {

// At most so many rows; 0: all.
void print_xla_kernels(const DeviceInput& input, std::size_t limit, bool json);
void print_xla_breakdown(const DeviceInput& input, std::int64_t kernel_delay_ns, bool json);
void print_xla_steps(const DeviceInput& input, bool json);

}  // namespace vizd
