// The items of DeviceWork by the track of their events, and of their calls', so that arguments are read in the order
// that ArgumentCursor needs. Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

// By track: events, ascending, each with its place in DeviceWork::items.
using ItemsByTrack = std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

// By track whether any of its events has any of these arguments.
std::vector<bool> tracks_with(const std::vector<Track>& tracks, std::initializer_list<std::string_view> arguments,
                              const StringTable& strings);

// Sorts those of the items [first, end) that are on wanted tracks.
ItemsByTrack items_by_track(const DeviceWork& work, std::size_t first, std::size_t end,
                            const std::vector<bool>& wanted_tracks);
// Sorts the items that have a call, by the call's event: one call may have launched many.
ItemsByTrack calls_by_track(const DeviceWork& work, std::size_t first, std::size_t end);

}  // namespace vizd
