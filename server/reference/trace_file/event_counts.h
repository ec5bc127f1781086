// Counts the records that a trace's events, counters and flows were read of. One thread.
#pragma once

#include "reference/trace_file/record_counts.h"

namespace vizd::trace_file {

// Count a track's events, with the steps among them, and its counters; and the ends of flows below the root.
void count_events(const Capture& capture, std::uint32_t track, const FileValues& values, RecordCounts& counts,
                  TraceSummary& summary);
void count_counters(const Capture& capture, std::uint32_t track, RecordCounts& counts);
void count_flow_ends(const Capture& capture, std::uint32_t root, const FileValues& values, RecordCounts& counts,
                     TraceSummary& summary);

}  // namespace vizd::trace_file
