// The sheets of bigTpuProfile's workbook, made of a capture: what each engine did as a whole, and each engine's
// commands by its columns. What is not known of a command stays empty, where that program makes something up. One
// thread.
#pragma once

#include <span>

#include "base/workbook.h"
#include "formats/bigtpu/engine_lanes.h"

namespace vizd::bigtpu {

void add_sheets(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book);

}  // namespace vizd::bigtpu
