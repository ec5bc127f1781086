// Makes rows of what GPUs' own recorders left in a capture (analysis/recorded_rows.h). Decodes all thread traces: takes
// as long as that. Any thread.
#pragma once

#include "analysis/recorded_rows.h"
#include "model/capture.h"

namespace vizd {

RecordedRows recorded_rows(const Capture& capture);

}  // namespace vizd
