// Augments a trace as PyTorch Inductor's profile_analysis does: kernels, and the operators that launched them, get the
// arguments kernel_flop and kernel_num_gb. One thread.
#pragma once

#include <cstdint>

#include "model/capture.h"

namespace vizd {

struct Augmented {
  std::int64_t kernels = 0, operators = 0;  // that have a figure now
};

// A figure that an event has already, and is not 0, stays. Of an operator's kernels each has its share. The capture is
// of a trace and has not been prepared for the timeline.
Augmented augment_trace(Capture& capture);

}  // namespace vizd
