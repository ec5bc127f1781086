// The sheets of bigTpuProfile's workbook, made of a capture: what each engine did as a whole, and each engine's
// commands by its columns. What is not known of a command stays empty, where that program makes something up. One
// thread.
#pragma once

#include <span>

#include "base/workbook.h"
#include "formats/bigtpu/engine_lanes.h"
#include "reference/bigtpu/workbook_lanes.h"

namespace vizd::bigtpu {

// The work of each core's engines as a whole.
void add_engine_summary(const WorkbookLanes& of, Workbook& book);
// Each engine's commands, in the order of the original: core by core TIU, GDMA, SDMA, then the ports.
void add_lane_sheets(const WorkbookLanes& of, Workbook& book);
// All of them.
void add_sheets(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book);

}  // namespace vizd::bigtpu
