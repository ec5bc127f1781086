// Makes rows of what GPUs' own recorders left in a capture (analysis/recorded_rows.h). Decodes all thread traces: takes
// as long as that, or as the budget. Any thread.
#pragma once

#include <memory>

#include "analysis/recorded_rows.h"
#include "base/budget.h"
#include "base/result.h"
#include "model/capture.h"

namespace vizd {

// Errors: the budget is over.
Result<std::shared_ptr<const RecordedRows>> recorded_rows(const Capture& capture, const Budget& budget);

}  // namespace vizd
