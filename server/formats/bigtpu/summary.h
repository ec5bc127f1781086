// vizd's own figures of a device: what each engine was busy with, and what of that went on at once. One thread.
#pragma once

#include "formats/bigtpu/device.h"
#include "formats/writer.h"

namespace vizd::bigtpu {

// One JSON object a line: the total, then each core. Cycles count from the device's zero. A record is *working* where
// it is no message; only these make an engine busy, in [start, end + 1). docs/formats/bigtpu.md has the fields.
void write_summary(Device& device, double mhz, const std::string& name, const WriteText& write);

}  // namespace vizd::bigtpu
