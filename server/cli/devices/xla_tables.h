// Prints the answers of `vizd kernels` and `breakdown` about XLA's profiles: as text for people, or with json one
// record a line. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/devices/device_inputs.h"

namespace vizd {

// At most so many rows; 0: all.
void print_xla_kernels(const DeviceInput& input, std::size_t limit, bool json);
void print_xla_breakdown(const DeviceInput& input, std::int64_t kernel_delay_ns, bool json);
void print_xla_steps(const DeviceInput& input, bool json);
// By op of XLA's programs, of which the name is a part in any case.
void print_hlo_ops(const DeviceInput& input, const DevicePeaks& peaks, std::string_view name, std::size_t limit,
                   bool json);

}  // namespace vizd
