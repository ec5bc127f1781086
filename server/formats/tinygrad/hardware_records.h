// What tinygrad recorded of GPUs' own recorders under VIZ=2: found among a capture's values, where the reading of
// profile.pkl kept it. Pure; any thread.
#pragma once

#include <string_view>

#include "hardware/records.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// The type of the value that holds all of them.
inline constexpr std::string_view kHardwareRecords = "vizd.hardware records";

// Empty where there are none. The capture must outlive them.
hardware::Records hardware_records(const Capture& capture);

}  // namespace vizd::tinygrad
