// The capture that a command is about, read from its files.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "session/loaded_capture.h"

namespace vizd {

// Reads the files of one capture. Where that fails, prints why on stderr ("FILE:OFFSET: what is wrong") and returns
// null; also prints which records were skipped, and warnings.
std::shared_ptr<const LoadedCapture> open_input(std::span<const std::string> paths);

}  // namespace vizd
