// Tiles: the bytes of GET /api/v1/tiles (server/http/API.md has the layout): what rows show in a range of tiles at one
// level. The same tile is the same spans, whatever is asked for with it. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/capture.h"
#include "timeline/marks.h"
#include "timeline/timeline.h"

namespace vizd {

inline constexpr unsigned kHighestLevel = 50;
inline constexpr unsigned kUnitBitsPerColumn = 2;  // four units a column
inline constexpr unsigned kColumnBitsPerTile = 9;  // 512 columns a tile
inline constexpr std::uint32_t kMostTiles = 64, kMostTileRows = 4096, kMostTilesTimesRows = 65536;

struct LaneRow {
  std::uint32_t lane = 0, row = 0;
};

struct LaneCounter {
  std::uint32_t lane = 0, counter = 0;
};

struct TileQuery {
  unsigned level = 0;              // up to kHighestLevel; a unit is 2^level ns
  std::uint64_t from = 0, to = 0;  // first and last tile
  std::vector<LaneRow> rows;
  std::vector<LaneCounter> counters;
};

// All of the query exists. marks: which events get ticks, null for none.
std::string tiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const Marks* marks,
                  unsigned threads);

}  // namespace vizd
