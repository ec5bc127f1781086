// The type of the one value of a capture that holds what GPUs' own recorders left in it: thread traces, counters and
// samples of program counters (hardware/records.h). A capture without it tells nothing of them.
#pragma once

#include <string_view>

namespace vizd {

inline constexpr std::string_view kHardwareRecords = "vizd.hardware records";

}  // namespace vizd
