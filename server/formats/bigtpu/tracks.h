// Makes a capture's tracks of a device: device > core > functions and batches, TIU, GDMA, SDMA; and the device's CDMA
// ports. A command is a span with all that is known of it as arguments. One thread.
#pragma once

#include "formats/bigtpu/device.h"
#include "formats/bigtpu/host_trace.h"
#include "model/capture.h"

namespace vizd::bigtpu {

// Which clock the cycles are counted by, and who says so.
struct DeviceClock {
  double mhz = 0;
  std::string source;
};
DeviceClock device_clock(const ProfileFolder& folder, const Chip& chip, std::optional<double> mhz);

// Adds the folder's device to the capture, with its facts, and what was left out. Its times count from its first
// command, or are on the clock of the host's trace where there is one. start_ns and end_ns become those of what was
// added, where they are not wider already.
void add_device(const ProfileFolder& folder, std::optional<double> mhz, const HostTrace* host, Capture& capture,
                std::int64_t& start_ns, std::int64_t& end_ns);

}  // namespace vizd::bigtpu
