// A part of a capture's profile as a trace file of its own, as `vizd cut` makes it: for those who open it elsewhere.
// The capture's files are read again, as they were recorded. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "analysis/devices/work_scope.h"
#include "base/budget.h"
#include "session/loaded_capture.h"

namespace vizd {

struct TraceFile {
  std::string name;  // "NAME step 12.pftrace"
  std::string bytes;
};

struct TraceLimits {
  std::uint64_t most_events = 20'000'000;  // of the whole capture, which is read
  std::size_t most_bytes = std::size_t{256} << 20;
};

// word: pftrace, chrome or bin. What of the scope it obeys: cut_ranges(). Errors: there is no such word, step or rank;
// it is larger than the limits; the files cannot be read any more; the budget is over.
Result<TraceFile> trace_part(const LoadedCapture& loaded, const WorkScope& scope, std::string_view word,
                             const Budget& budget = {}, const TraceLimits& limits = {});

}  // namespace vizd
