// Counts the work of devices in a trace, and the calls that launched it. One thread.
#pragma once

#include <set>

#include "reference/trace_file/file_values.h"
#include "reference/trace_file/trace_summary.h"

namespace vizd::trace_file {

// Below the root; listed_devices: those that the file's facts name.
void count_work(const Capture& capture, std::uint32_t root, const std::set<FileNumber>& listed_devices,
                const FileValues& values, TraceSummary& summary);

}  // namespace vizd::trace_file
