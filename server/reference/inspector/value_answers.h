// Tells of the values that an ETDump's program logged (http/API.md, /api/v1/values): a list with how far each is
// from the reference, and a slice of one with its histogram. One thread.
#pragma once

#include "base/result.h"
#include "formats/open_set.h"
#include "reference/programs.h"

namespace vizd::inspector {

Result<void> answer_values(OpenSet& set, const ValueQuestion& question, const WriteText& write);

}  // namespace vizd::inspector
