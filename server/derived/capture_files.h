// The capture traces that may name the graph replays of a trace: looked at first, and read to the end only where they
// may fit. One thread, which uses all cores.
#pragma once

#include <string>
#include <vector>

#include "analysis/graph_replay/captured_ranges.h"

namespace vizd {

// Looks at how each file begins: those whose label or name tells their size, and whose name tells their rank, wait
// unread; the others are read. Files that are no traces are passed over: tools leave some of their own there.
void add_capture_files(std::vector<std::string> paths, NamingSources& sources);

}  // namespace vizd
