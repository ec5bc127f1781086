// Makes the programs whose machine code GPUs' recorders left in profile.pkl programs of the capture, so that they can
// be looked at. One thread.
#pragma once

#include "model/capture.h"

namespace vizd::tinygrad {

// From the capture's hardware records. A program that a context made gets its binary, where the rewrites have none.
void add_hardware_programs(Capture& capture);

}  // namespace vizd::tinygrad
