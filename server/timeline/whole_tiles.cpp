#include "timeline/whole_tiles.h"

#include <algorithm>

#include "base/varint.h"
#include "timeline/memory_view.h"
#include "timeline/row_spans.h"
#include "timeline/tiles.h"

namespace vizd {
namespace {

bool has_aggregates(const Profile& profile, const Timeline& timeline, const LaneRow& where, unsigned level) {
  const Row row = timeline.lanes[where.lane].row(where.row);
  RowSpans spans(profile.tracks[where.lane].events, row, tile_window(profile, level, 0, true));
  RowSpan span;
  while (spans.next(span)) {
    if (span.events > 1) return true;
  }
  return false;
}

// Whether several samples share a column.
bool has_shared_columns(const Profile& profile, const LaneCounter& where, unsigned level) {
  const auto at = profile.tracks[where.lane].counters[where.counter].at_ns.span();
  const auto column_of = [&](std::int64_t at_ns) { return (at_ns - profile.start_ns) >> (level + kUnitBitsPerColumn); };
  return std::ranges::adjacent_find(at, {}, column_of) != at.end();
}

// is_first: all rows and counters, else those that this level draws otherwise than the one below.
TileQuery all_at_level(const Profile& profile, const Timeline& timeline, unsigned level, bool is_first) {
  TileQuery query;
  query.level = level;
  query.whole = true;
  for (std::uint32_t lane = 0; lane < profile.tracks.size(); ++lane) {
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) {
      if (is_first || has_aggregates(profile, timeline, {lane, row}, level)) query.rows.push_back({lane, row});
    }
    for (std::uint32_t counter = 0; counter < profile.tracks[lane].counters.size(); ++counter) {
      if (is_first || has_shared_columns(profile, {lane, counter}, level)) query.counters.push_back({lane, counter});
    }
  }
  return query;
}

void append_part(std::string& out, const std::string& part) {
  append_varint(out, part.size());
  out += part;
}

}  // namespace

std::uint64_t items_of(const Profile& profile) {
  std::uint64_t items = 0;
  for (const Track& track : profile.tracks) {
    items += track.events.size() + track.allocations.size();
    for (const Counter& counter : track.counters) items += counter.at_ns.size();
  }
  return items;
}

unsigned highest_whole_level(const Profile& profile) {
  unsigned level = 0;
  while (level < kHighestLevel &&
         (profile.end_ns - profile.start_ns) >> (level + kUnitBitsPerColumn) >= 1 << kColumnBitsPerTile)
    ++level;
  return level;
}

std::string whole_tiles(const Profile& profile, const Timeline& timeline, const Picks* picks, unsigned threads,
                        unsigned first_level) {
  const unsigned last_level = picks != nullptr ? first_level : std::max(highest_whole_level(profile), first_level);
  std::string out;
  append_varint(out, 1);  // version
  append_varint(out, last_level - first_level + 1);
  for (unsigned level = first_level; level <= last_level; ++level) {
    const TileQuery query = all_at_level(profile, timeline, level, level == first_level);
    append_part(out, tiles(profile, timeline, query, picks, threads));
  }
  std::vector<std::uint32_t> memories;
  for (std::uint32_t lane = 0; lane < profile.tracks.size() && picks == nullptr; ++lane) {
    const std::size_t allocations = profile.tracks[lane].allocations.size();
    if (allocations > 0 && allocations <= kMostOfSmallProfile) memories.push_back(lane);
  }
  append_varint(out, memories.size());
  for (const std::uint32_t lane : memories) {
    append_varint(out, lane);
    for (const bool by_order : {false, true})
      append_part(out, whole_memory(profile, profile.tracks[lane], timeline.lanes[lane].memory, by_order));
  }
  return out;
}

}  // namespace vizd
