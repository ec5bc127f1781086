// The registers of each command as tables: what bigTpuProfile leaves in tiuRegInfo_*.txt, tdmaRegInfo_*.txt and
// cdmaRegInfo_*.txt, by its names as far as it has some, and behind them what vizd knows besides. One thread.
#pragma once

#include <span>
#include <vector>

#include "formats/bigtpu/engine_lanes.h"
#include "formats/own_table.h"

namespace vizd::bigtpu {

// tiuRegInfo, tdmaRegInfo (GDMA and SDMA) and cdmaRegInfo: a row for each command, lane by lane, with the columns that
// some command has a value in.
std::vector<OwnTable> register_tables(const Capture& capture, std::span<const EngineLane> lanes);

}  // namespace vizd::bigtpu
