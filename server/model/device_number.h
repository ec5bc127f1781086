// The facts by which a trace's device is called something else than its track is, and by which a stream is known beside
// its number. Plain data.
#pragma once

#include <string_view>

namespace vizd::fact {

// A hidden fact of a device's track: the device's number where it is not the track's; "" where it has none.
inline constexpr std::string_view kDeviceNumber = ".device";
// A hidden fact of a stream's track: the number of the context of its process, as CUDA calls it.
inline constexpr std::string_view kDeviceContext = ".context";

}  // namespace vizd::fact

namespace vizd {

// The category of a kernel that is the replay of a whole graph: what ran in it is not recorded by itself.
inline constexpr std::string_view kGraphReplay = "graph";

}  // namespace vizd
