// Writes what a trace's file says beside its events: facts of each trace, as members of the file's object. One thread.
#pragma once

#include <string>

#include "formats/chrome_trace/trace_roots.h"
#include "formats/chrome_trace/value_writer.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// The members without the braces around them; "": there are none.
std::string trace_members(const Capture& capture, const TraceRoots& roots, ValueWriter& values);

}  // namespace vizd::chrome_trace
