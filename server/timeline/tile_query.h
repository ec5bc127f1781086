// TileQuery: which tiles of which rows and counters are asked for, and what times a tile has. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "timeline/row_spans.h"

namespace vizd {

inline constexpr unsigned kHighestLevel = 50;
inline constexpr unsigned kUnitBitsPerColumn = 2;  // four units a column
inline constexpr unsigned kColumnBitsPerTile = 8;  // 256 columns a tile
// The tiles of a level, which end at 2^61 ns, beyond any profile.
inline constexpr std::int64_t tiles_of_level(unsigned level) {
  return std::int64_t{1} << (61 - kUnitBitsPerColumn - kColumnBitsPerTile - level);
}
inline constexpr std::uint32_t kMostSpansOfTile = 1u << (kUnitBitsPerColumn + kColumnBitsPerTile);
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
  bool whole = false;  // in place of the tiles asked for, one as long as the profile
};

// A tile's times. whole: the one that is as long as the profile, whatever its number.
Window tile_window(const Profile& profile, unsigned level, std::uint64_t tile, bool whole);

}  // namespace vizd
