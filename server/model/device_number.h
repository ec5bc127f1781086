// The fact by which a trace's device is called something else than its track is. Plain data.
#pragma once

#include <string_view>

namespace vizd::fact {

// A hidden fact of a device's track: the device's number where it is not the track's; "" where it has none.
inline constexpr std::string_view kDeviceNumber = ".device";

}  // namespace vizd::fact
