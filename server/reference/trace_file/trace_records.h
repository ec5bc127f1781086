// A trace's summary as `vizd summary` tells it: as JSON one record a line, each with what it is a record of, or as
// tables for people. Pure.
#pragma once

#include <vector>

#include "formats/own_table.h"
#include "formats/writer.h"
#include "model/capture.h"

namespace vizd {

// The capture is of traces (Profile::is_trace).
void write_trace_records(const Capture& capture, const WriteText& write);

// The tables of each rank; those that have nothing to say have no rows.
std::vector<std::vector<OwnTable>> trace_tables(const Capture& capture);

}  // namespace vizd
