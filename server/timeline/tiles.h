// Writes the bytes of GET /api/v1/tiles (server/http/API.md has the layout): what rows show in a range of tiles at one
// level. The same tile is the same spans, whatever is asked for with it. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/capture.h"
#include "timeline/picks.h"
#include "timeline/row_spans.h"
#include "timeline/tile_query.h"
#include "timeline/timeline.h"

namespace vizd {

// How a number of events goes out: as its length in binary digits. An exact count costs nine bits of every span of a
// wide view, more than all else that is told of it.
std::uint64_t count_class(std::uint64_t count);

// All of the query exists. picks: which events get ticks, null for none.
std::string tiles(const Profile& profile, const Timeline& timeline, const TileQuery& query, const Picks* picks,
                  unsigned threads);

struct SpanPlace {
  unsigned level = 0;
  std::uint64_t tile = 0;
  LaneRow where;
  std::uint64_t span = 0;  // counted from the tile's start
  bool whole = false;      // of the tile that is as long as the profile
};

// A span of a tile exactly, as it is before its numbers are rounded. The row exists. Nothing where the tile has no such
// span.
std::optional<RowSpan> span_of_tile(const Profile& profile, const Timeline& timeline, const SpanPlace& place);

}  // namespace vizd
