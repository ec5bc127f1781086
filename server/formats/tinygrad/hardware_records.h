// What tinygrad recorded of GPUs' own recorders under VIZ=2: found among a capture's values, where the reading of
// profile.pkl kept it. Pure; any thread.
#pragma once

#include <string_view>

#include "hardware/records.h"
#include "model/capture.h"
#include "model/hardware_value.h"

namespace vizd::tinygrad {

// Empty where there are none. The capture must outlive them.
hardware::Records hardware_records(const Capture& capture);

// What the compiler made a program for, as it says: "gfx1100"; "" where it does not say.
std::string_view compiler_target(const Capture& capture, const Program& program);

}  // namespace vizd::tinygrad
