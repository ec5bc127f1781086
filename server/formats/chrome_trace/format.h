// Chrome's trace event format, JSON, as PyTorch's profiler (Kineto), JAX, Chrome and many others write it, and as
// Perfetto and chrome://tracing read it.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"
#include "formats/writer.h"

namespace vizd::chrome_trace {

extern const Format kFormat;

// Whether bytes begin like a trace: an object around a list "traceEvents", or a bare list of events.
bool sniff(const FileBeginning& beginning);
// The same for an object whose list of events comes later.
bool sniff_further(std::span<const std::byte> first_part, ByteStream& rest);

// Adds each file's events to the capture, those of several on one time axis. Left out and counted are events that are
// damaged or have no usable time. A trace that is cut gives what is whole, and a warning says where it stops. parts: of
// each file only about the first 1 / parts. Errors: a file has no list of events.
Result<void> read(OpenSet& set, unsigned parts, Capture& capture);

// Writes the part's events, their arguments, counters and flows, and the markers: times in microseconds from the
// profile's start, to the last digit that the capture has. Lanes are threads; those of one rank, process and device
// make a process.
void write(const Capture& capture, const WriteOptions& options, const WriteText& write);

}  // namespace vizd::chrome_trace
