// The capture that a command is about, read from its files.
#pragma once

#include <memory>

#include "cli/arguments.h"
#include "session/loaded_capture.h"

namespace vizd {

// Reads the files of one capture. Where that fails, prints why on stderr ("FILE:OFFSET: what is wrong") and returns
// null; also prints which records were skipped, and warnings.
std::shared_ptr<const LoadedCapture> open_input(const CommonArguments& arguments);

}  // namespace vizd
