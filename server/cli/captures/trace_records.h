// What a trace holds, as `vizd summary` prints it: as JSON one record a line, each with what it is a record of, or as
// tables. One thread.
#pragma once

#include <cstdio>

#include "model/capture.h"

namespace vizd {

// Of a capture that is of traces (model/trace_words.h).
void print_trace_records(const Capture& capture, std::FILE* out, bool json);

}  // namespace vizd
