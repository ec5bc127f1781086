// Counters in tiles: the last part of a tile answer (tiles.h).
#pragma once

#include <string>

#include "timeline/tile_query.h"

namespace vizd {

void append_counter_tiles(std::string& out, const Profile& profile, const TileQuery& query);

}  // namespace vizd
