// What torch.compile did, as a table: of `vizd breakdown --compiles`, and at the end of `vizd summary`. One thread.
#pragma once

#include "analysis/devices/compiles.h"
#include "cli/command_line/records.h"

namespace vizd {

// At most so many rows; 0: all. Where there are none, it is said why.
void print_compiles(const Capture& capture, const WorkScope& scope, std::size_t limit, bool json);

// Exact, as a table for other programs.
Records compiles_table(const Capture& capture);

}  // namespace vizd
