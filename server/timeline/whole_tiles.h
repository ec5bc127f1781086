// All tiles of a small profile in one answer (GET /api/v1/tiles/KEY/all, server/http/API.md): one tile as long as the
// profile for each level, and each memory with all its allocations. A row is in a level only where that draws several
// of its events as one; at level 0 all rows are there, to the nanosecond. So zooming and panning ask nothing more. Of a
// large profile the same from a higher level on, for reports. Any thread; the profile is only read.
#pragma once

#include <cstdint>
#include <string>

#include "model/capture.h"
#include "timeline/picks.h"
#include "timeline/timeline.h"

namespace vizd {

// More events, samples and allocations together than this come tile by tile.
inline constexpr std::uint64_t kMostOfSmallProfile = 20'000;

std::uint64_t items_of(const Profile& profile);

// The first level at which one tile of the usual length holds the whole profile: nothing is gained by a higher one.
unsigned highest_whole_level(const Profile& profile);

// picks: which events get ticks, null for none. Ticks come at the first level alone. That is first_level, at which all
// rows are there. Memories with more allocations than a small profile has items are left out.
std::string whole_tiles(const Profile& profile, const Timeline& timeline, const Picks* picks, unsigned threads,
                        unsigned first_level = 0);

}  // namespace vizd
