// Checks the files that name the kernels of a trace's graph replays: they are part of what the trace tells. Any thread.
#pragma once

#include <string>
#include <vector>

#include "session/loaded_capture.h"

namespace vizd {

// A problem of a file that names a capture's kernels.
struct NamingProblem {
  std::string path, text;
};

// Reads every such file, also those that naming would read later, and compares annotations of several ranks.
std::vector<NamingProblem> check_naming_sources(const LoadedCapture& loaded);

}  // namespace vizd
