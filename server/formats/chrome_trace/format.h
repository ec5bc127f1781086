// Chrome's trace event format, JSON, which Perfetto and chrome://tracing read. So far vizd only writes it.
#pragma once

#include "formats/registry.h"
#include "formats/writer.h"

namespace vizd::chrome_trace {

extern const Format kFormat;

// Writes the part's events, their arguments, counters and flows, and the markers: times in microseconds from the
// profile's start, to the last digit that the capture has. Lanes are threads; those of one rank, process and device
// make a process.
void write(const Capture& capture, const WriteOptions& options, const WriteText& write);

}  // namespace vizd::chrome_trace
