// Perfetto's protobuf traces (.pftrace), as its tracing service, its SDK and many converters write them, and as its
// page reads them.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"
#include "formats/writer.h"

namespace vizd::perfetto {

extern const Format kFormat;

// Whether bytes begin like such a trace: with a packet that holds fields of one.
bool sniff(const FileBeginning& file);

// Adds each file's track events, counters, flows and scheduling to the capture. Packets of other sorts are left out and
// counted. A trace that is cut gives its whole packets, and a warning says where it stops. Errors: a file has no whole
// packet.
Result<void> read(OpenSet& set, unsigned parts, Capture& capture);

// Writes the tracks with their events, arguments, flows and counters, the facts, and the compiler's passes as slices.
void write(const Capture& capture, const WriteOptions& options, const WriteText& write);

}  // namespace vizd::perfetto
