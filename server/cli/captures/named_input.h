// A capture that is to be written to a file of another format: with what names the kernels of its graphs' replays,
// which lies beside it and would be lost. One thread.
#pragma once

#include <memory>

#include "session/loaded_capture.h"

namespace vizd {

// As open_input().
std::shared_ptr<const LoadedCapture> open_named(const InputSet& set);

}  // namespace vizd
