// The records that `vizd summary --json` has of XLA's profiles: one object a line. One thread.
#pragma once

#include "formats/writer.h"
#include "model/capture.h"

namespace vizd::reference::xprof {

// Of a capture whose Profile::xla is there.
void write_summary_records(const Capture& capture, const WriteText& write);

}  // namespace vizd::reference::xprof
