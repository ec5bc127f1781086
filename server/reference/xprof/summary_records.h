// The records that `vizd summary --json` has of XLA's profiles: one object a line. One thread.
#pragma once

#include "formats/writer.h"
#include "model/capture.h"

namespace vizd::reference::xprof {

// The capture must have Profile::xla.
void write_summary_records(const Capture& capture, const WriteText& write);

}  // namespace vizd::reference::xprof
