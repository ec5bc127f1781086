// The items of DeviceWork by the track of their events, and of their calls', so that arguments are read in the order
// that ArgumentCursor needs. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/device_work.h"

namespace vizd {

// By track: events, ascending, each with its place in DeviceWork::items.
using ItemsByTrack = std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

// Of the items [first, end).
ItemsByTrack items_by_track(const DeviceWork& work, std::size_t first, std::size_t end);
// Of those that have a call, by the call's event: one call may have launched many.
ItemsByTrack calls_by_track(const DeviceWork& work, std::size_t first, std::size_t end);

}  // namespace vizd
