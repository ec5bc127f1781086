// All tiles of a small profile in one answer: nothing is left out, and nothing is there twice.
#include "timeline/whole_tiles.h"

#include <memory>

#include "support/catch.h"
#include "support/made_profile.h"
#include "support/tile_reader.h"
#include "timeline/tiles.h"

namespace vizd::whole_tiles_test {
namespace {

struct ReadWhole {
  std::vector<TileAnswer> levels;
  std::uint64_t memories = 0;
};

std::string take(WireReader& in, std::uint64_t size) {
  std::string part;
  for (std::uint64_t i = 0; i < size; ++i) part.push_back(static_cast<char>(in.u8()));
  return part;
}

ReadWhole read_whole(std::string_view bytes, bool has_ticks = false) {
  WireReader in(bytes);
  REQUIRE(in.varint() == 1);
  ReadWhole whole;
  const std::uint64_t levels = in.varint();
  for (std::uint64_t i = 0; i < levels; ++i) whole.levels.push_back(read_tiles(take(in, in.varint()), has_ticks));
  whole.memories = in.varint();
  for (std::uint64_t i = 0; i < whole.memories; ++i) {
    in.varint();
    take(in, in.varint());
    take(in, in.varint());
  }
  REQUIRE(in.at_end());
  return whole;
}

TEST_CASE("each level has every event of the rows that it draws otherwise than the one below", "[timeline]") {
  Capture capture;
  fill_profile({.events = 3000, .lanes = 3, .overlapping = 0.2}, capture);
  const Timeline timeline = prepare_timeline(capture, 2);
  const ReadWhole whole = read_whole(whole_tiles(capture.profile, timeline, nullptr, 2));
  std::size_t rows = 0;
  for (const LaneIndex& lane : timeline.lanes) rows += lane.row_count();
  REQUIRE(whole.levels.front().rows.size() == rows);
  std::size_t rows_above = rows;
  for (const TileAnswer& level : whole.levels) {
    for (const RowTile& tile : level.rows) {
      const Row row = timeline.lanes[tile.lane].row(static_cast<std::uint32_t>(tile.row));
      REQUIRE(tile.count == row.size());
      REQUIRE_FALSE(tile.began_before);
      const bool has_aggregates = std::ranges::any_of(tile.spans, [](const TileSpan& s) { return !s.is_one(); });
      if (level.level > 0) REQUIRE(has_aggregates);
    }
    if (level.level > 0) CHECK((level.rows.size() >= rows_above || level.level == 1));
    rows_above = level.rows.size();
  }
  CHECK_FALSE(whole.levels.back().rows.empty());
}

TEST_CASE("at level 0 events stand to the nanosecond, in profiles of any length", "[timeline]") {
  Capture capture;
  Profile& profile = capture.profile;
  const auto day_ns = std::int64_t{86'400'000'000'000};
  profile.end_ns = day_ns + 123;
  profile.tracks.emplace_back();
  profile.tracks.back().events =
      EventColumns{Event{.start_ns = 7, .dur_ns = 11}, Event{.start_ns = day_ns, .dur_ns = 123}};
  const Timeline timeline = prepare_timeline(capture, 1);
  const ReadWhole whole = read_whole(whole_tiles(profile, timeline, nullptr, 1));
  const std::vector<TileSpan>& spans = whole.levels.front().rows.front().spans;
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].from == 7);
  CHECK(spans[0].to == 18);
  CHECK(spans[1].from == static_cast<std::uint64_t>(day_ns));
  CHECK(spans[1].to == static_cast<std::uint64_t>(day_ns) + 123);
}

TEST_CASE("from a higher level on, the first has every event of all rows", "[timeline]") {
  Capture capture;
  fill_profile({.events = 3000, .lanes = 3, .overlapping = 0.2}, capture);
  const Timeline timeline = prepare_timeline(capture, 2);
  const unsigned first = highest_whole_level(capture.profile) - 2;
  const ReadWhole whole = read_whole(whole_tiles(capture.profile, timeline, nullptr, 2, first));
  REQUIRE(whole.levels.size() == 3);
  CHECK(whole.levels.front().level == first);
  std::size_t rows = 0;
  for (const LaneIndex& lane : timeline.lanes) rows += lane.row_count();
  CHECK(whole.levels.front().rows.size() == rows);
  for (const RowTile& tile : whole.levels.front().rows)
    CHECK(tile.count == timeline.lanes[tile.lane].row(static_cast<std::uint32_t>(tile.row)).size());
}

TEST_CASE("with a search there are its ticks, at level 0 alone", "[timeline]") {
  Capture capture;
  fill_profile({.events = 500, .lanes = 2}, capture);
  const Timeline timeline = prepare_timeline(capture, 1);
  const Picks picks = find_slowest(capture, timeline);
  const ReadWhole whole = read_whole(whole_tiles(capture.profile, timeline, &picks, 1), true);
  REQUIRE(whole.levels.size() == 1);
  CHECK(whole.memories == 0);
  std::uint64_t picked = 0, expected = 0;
  for (const RowTile& tile : whole.levels.front().rows) {
    for (const Tick& tick : tile.ticks) picked += tick.picked;
  }
  for (const LanePicks& lane : picks.lanes) expected += lane.total();
  CHECK(picked == expected);
}

}  // namespace
}  // namespace vizd::whole_tiles_test
