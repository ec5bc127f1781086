// What tiles say, against sums over all events: at every zoom, over every way to cut time into tiles.
#include "timeline/tiles.h"

#include <bit>
#include <cmath>
#include <map>

#include "support/catch.h"
#include "support/made_profile.h"
#include "support/tile_reader.h"
#include "timeline/event_query.h"

namespace vizd::tiles_test {
namespace {

struct Made {
  std::unique_ptr<Capture> capture = std::make_unique<Capture>();
  Timeline timeline;

  explicit Made(const MadeProfile& made) {
    fill_profile(made, *capture);
    timeline = prepare_timeline(*capture, 2);
  }

  std::vector<LaneRow> all_rows() const {
    std::vector<LaneRow> rows;
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
      for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
    }
    return rows;
  }
  // The tiles of a level that hold all of the profile, at most 64 of them from `from` on.
  TileAnswer ask(unsigned level, std::uint64_t from, std::uint64_t to, const Picks* picks = nullptr) const {
    const TileQuery query{level, from, to, all_rows(), {}};
    return read_tiles(tiles(capture->profile, timeline, query, picks, 2), picks != nullptr);
  }
  std::uint64_t last_tile(unsigned level) const {
    return static_cast<std::uint64_t>(capture->profile.end_ns - capture->profile.start_ns) >> (level + 10);
  }
  const EventColumns& events(std::uint64_t lane) const { return capture->profile.tracks[lane].events; }
};

// Time of each name among some events.
std::map<std::uint64_t, std::int64_t> times_by_name(const Made& made, const RowTile& tile, const RowSpan& span) {
  std::map<std::uint64_t, std::int64_t> times;
  const EventColumns& events = made.events(tile.lane);
  for (std::uint32_t i = span.first; i < span.first + span.events; ++i)
    times[made.timeline.number_of(events.name(i))] += events.length_ns(i);
  return times;
}

// A span as it is on the wire against the events it stands for.
void check_span(const Made& made, unsigned level, const RowTile& tile, std::size_t number, const RowSpan& exact) {
  const TileSpan& span = tile.spans[number];
  const bool is_last = number + 1 == tile.spans.size();
  const EventColumns& events = made.events(tile.lane);
  const std::uint32_t first = exact.first, last = first + exact.events - 1;
  REQUIRE(span.count_class == count_class(exact.events - 1));
  const std::int64_t unit_ns = std::int64_t{1} << level, column_ns = 4 * unit_ns;
  const std::int64_t tile_ns = static_cast<std::int64_t>(tile.tile << (level + 10));
  REQUIRE(made.timeline.lanes[tile.lane].row_of(first) == tile.row);
  REQUIRE(made.timeline.lanes[tile.lane].row_of(last) == tile.row);
  // Where it is drawn: at most two units to the right of where it is, never narrower but where an aggregate's last
  // event goes on over what begins in the next column.
  const std::int64_t from_ns = std::max<std::int64_t>(events.start_ns(first) - tile_ns, 0);
  const std::int64_t to_ns = std::min(events.end_ns(last) - tile_ns, 1024 * unit_ns);
  const auto drawn_from = static_cast<std::int64_t>(span.from), drawn_to = static_cast<std::int64_t>(span.to);
  const std::int64_t column = from_ns / column_ns * 4;
  REQUIRE(drawn_from >= (span.is_one() ? from_ns / unit_ns : column));
  REQUIRE(drawn_from <= from_ns / unit_ns + 2);
  const bool meets_next = !is_last && static_cast<std::int64_t>(tile.spans[number + 1].from) == drawn_to;
  // An event of its own may begin in the aggregate's column, in the unit in which the aggregate's last event ends.
  const bool is_cut_by_next = !span.is_one() && meets_next && drawn_to >= std::min(column + 4, to_ns / unit_ns);
  REQUIRE((drawn_to * unit_ns >= to_ns || is_cut_by_next));
  REQUIRE(drawn_to <= std::max((to_ns + unit_ns - 1) / unit_ns, span.is_one() ? from_ns / unit_ns : column + 4) + 3);
  if (span.is_one()) {
    REQUIRE(span.first == first);
    REQUIRE(span.name == made.timeline.number_of(events.name(first)));
    return;
  }
  const auto times = times_by_name(made, tile, exact);
  std::int64_t busy_ns = 0, longest_ns = 0;
  for (std::uint32_t i = first; i <= last; ++i) {
    // An event as long as a column is never hidden in an aggregate, nor are events of different columns one.
    REQUIRE(events.length_ns(i) < column_ns);
    REQUIRE((events.start_ns(i) - tile_ns) / column_ns == (events.start_ns(first) - tile_ns) / column_ns);
    busy_ns += events.length_ns(i);
    longest_ns = std::max(longest_ns, events.length_ns(i));
  }
  busy_ns -= std::max<std::int64_t>(events.end_ns(last) - tile_ns - 1024 * unit_ns, 0);
  const double busy_share = static_cast<double>(busy_ns) / static_cast<double>((drawn_to - drawn_from) * unit_ns);
  REQUIRE(std::abs(span.busy - std::min(255.0, 255 * busy_share)) <= 17);  // half a step of 32, and what is rounded
  REQUIRE((span.busy == 0) == (busy_ns == 0));
  // A name is named only where it has half of the time, and never more of it than it has.
  REQUIRE((span.share == 0 || span.share >= 128));
  if (span.share == 0) REQUIRE(span.name == 0);
  if (span.share > 0)
    REQUIRE(span.share <= 255 * static_cast<double>(times.at(span.name)) / static_cast<double>(busy_ns) + 1e-9);
  REQUIRE(exact.busy_ns == busy_ns);
  REQUIRE(exact.longest_ns == longest_ns);
}

// All tiles of a level: every event in exactly one span, sums exact.
void check_level(const Made& made, unsigned level, std::uint64_t tiles_at_once) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>
      sums;                                                               // count and time by row
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> next;  // the next event of each row
  const std::uint64_t last = made.last_tile(level);
  for (std::uint64_t from = 0; from <= last; from += tiles_at_once) {
    for (const RowTile& tile : made.ask(level, from, std::min(last, from + tiles_at_once - 1)).rows) {
      const std::pair row(tile.lane, tile.row);
      sums[row].first += tile.count;
      sums[row].second += tile.busy_ns;
      if (!next.contains(row)) next[row] = made.timeline.lanes[tile.lane].row_begin[tile.row];
      for (std::size_t i = 0; i < tile.spans.size(); ++i) {
        const TileSpan& span = tile.spans[i];
        const bool goes_on = i == 0 && tile.began_before;
        const SpanPlace place{
            level, tile.tile, {static_cast<std::uint32_t>(tile.lane), static_cast<std::uint32_t>(tile.row)}, i};
        const auto exact = span_of_tile(made.capture->profile, made.timeline, place);
        REQUIRE(exact);
        REQUIRE(exact->first == next[row] - (goes_on ? 1 : 0));
        if (goes_on) REQUIRE(span.is_one());
        next[row] = exact->first + exact->events;
        check_span(made, level, tile, i, *exact);
      }
    }
  }
  for (const LaneRow& where : made.all_rows()) {
    const Row row = made.timeline.lanes[where.lane].row(where.row);
    std::uint64_t busy_ns = 0;
    for (std::uint32_t i = row.begin; i < row.end; ++i)
      busy_ns += static_cast<std::uint64_t>(made.events(where.lane).length_ns(i));
    const auto& sum = sums[{where.lane, where.row}];
    REQUIRE(sum.first == row.size());
    REQUIRE(sum.second == busy_ns);
  }
}

TEST_CASE("over the tiles of any level every event is in one span, and counts and times add up exactly", "[timeline]") {
  const Made made({.events = 30'000, .lanes = 4});
  std::uint32_t relaned = 0;
  for (const LaneIndex& lane : made.timeline.lanes) relaned += lane.relaned;
  CHECK(relaned > 300);
  for (unsigned level = 9; level <= 30; ++level) check_level(made, level, 1 + level % 7);
}

TEST_CASE("the class of a count is its length in binary digits", "[timeline]") {
  CHECK(count_class(0) == 0);
  for (unsigned digits = 1; digits <= 64; ++digits) {
    const std::uint64_t least = std::uint64_t{1} << (digits - 1);
    CHECK(count_class(least) == digits);
    CHECK(count_class(least + (least - 1)) == digits);
  }
}

TEST_CASE("at level 0 events are drawn to the nanosecond", "[timeline]") {
  const Made made({.events = 300, .lanes = 2, .overlapping = 0.2});
  for (const unsigned level : {0u, 1u, 2u, 5u}) check_level(made, level, 64);
}

TEST_CASE("a tile is the same whatever is asked for with it", "[timeline]") {
  const Made made({.events = 20'000, .lanes = 3});
  const unsigned level = 13;
  const TileAnswer all = made.ask(level, 0, 7);
  for (const RowTile& tile : all.rows) {
    const TileQuery query{level,
                          tile.tile,
                          tile.tile,
                          {{static_cast<std::uint32_t>(tile.lane), static_cast<std::uint32_t>(tile.row)}},
                          {}};
    const TileAnswer alone = read_tiles(tiles(made.capture->profile, made.timeline, query, nullptr, 1));
    REQUIRE(alone.rows.size() == 1);
    REQUIRE(alone.rows.front() == tile);
  }
}

TEST_CASE("the same content gives the same key and bytes, other content another key", "[timeline]") {
  const Made made({.events = 5'000, .lanes = 3}), again({.events = 5'000, .lanes = 3});
  const Made other({.events = 5'000, .lanes = 3, .seed = 2});
  CHECK(made.timeline.key == again.timeline.key);
  CHECK(made.timeline.key != other.timeline.key);
  const TileQuery query{15, 0, 20, made.all_rows(), {}};
  CHECK(tiles(made.capture->profile, made.timeline, query, nullptr, 1) ==
        tiles(again.capture->profile, again.timeline, query, nullptr, 2));
}

TEST_CASE("certified shares are of use: most of the time is in spans whose name has half of it for sure",
          "[timeline]") {
  // One name takes nine tenths of the time of each lane.
  Capture capture;
  Track& lane = capture.profile.tracks.emplace_back();
  const StringId often = capture.strings.add("often"), seldom = capture.strings.add("seldom");
  for (std::int64_t i = 0; i < 100'000; ++i)
    lane.events.push_back({.start_ns = i * 10, .dur_ns = i % 10 == 0 ? 8 : 9, .name = i % 10 == 0 ? seldom : often});
  capture.profile.end_ns = 1'000'000;
  const Timeline timeline = prepare_timeline(capture, 1);
  for (const unsigned level : {6u, 10u, 14u}) {
    const TileAnswer answer = read_tiles(tiles(capture.profile, timeline, {level, 0, 0, {{0, 0}}, {}}, nullptr, 1));
    for (const TileSpan& span : answer.rows.front().spans) {
      if (span.count_class < count_class(20)) continue;
      CHECK(span.name == timeline.number_of(often));
      CHECK(span.share > 215);
    }
  }
}

TEST_CASE("a span of one event has its kind and says whether it is an error", "[timeline]") {
  Capture capture;
  Track& lane = capture.profile.tracks.emplace_back();
  lane.events.push_back({.start_ns = 0, .dur_ns = 100});
  lane.events.push_back({.start_ns = 200, .kind = EventKind::kInstant});
  lane.events.push_back({.start_ns = 300, .dur_ns = 100, .kind = EventKind::kUnfinished, .is_error = true});
  capture.profile.end_ns = 400;
  const Timeline timeline = prepare_timeline(capture, 1);
  const auto traits = [&](unsigned level) {
    std::vector<unsigned> found;
    const TileAnswer answer = read_tiles(tiles(capture.profile, timeline, {level, 0, 0, {{0, 0}}, {}}, nullptr, 1));
    for (const TileSpan& span : answer.rows.front().spans) found.push_back(span.traits);
    return found;
  };
  CHECK(traits(0) == std::vector<unsigned>{0, 1, 2 + 4});
  CHECK(traits(20) == std::vector<unsigned>{0});  // all as one: it says nothing of their kinds
}

TEST_CASE("ticks count the picked events of every column, at any level", "[timeline]") {
  const Made made({.events = 20'000, .lanes = 4});
  const Picks found = find_by_text(*made.capture, made.timeline, "KERNEL_7", 2);
  const Picks slowest = find_slowest(*made.capture, made.timeline);
  CHECK(slowest.total >= made.timeline.names.size());
  for (const Picks* picks : {&found, &slowest}) {
    CHECK(picks->total > 0);
    for (const unsigned level : {10u, 16u, 22u, 30u}) {
      const std::uint64_t last = std::min<std::uint64_t>(made.last_tile(level), 63);
      for (const RowTile& tile : made.ask(level, 0, last, picks).rows) {
        std::map<std::uint64_t, std::uint64_t> expected;
        const Row row = made.timeline.lanes[tile.lane].row(static_cast<std::uint32_t>(tile.row));
        for (std::uint32_t i = row.begin; i < row.end; ++i) {
          const auto start_ns = static_cast<std::uint64_t>(made.events(tile.lane).start_ns(i));
          if (start_ns >> (level + 10) == tile.tile && picks->lanes[tile.lane].has(i))
            ++expected[(start_ns >> (level + 2)) & 255];
        }
        std::map<std::uint64_t, std::uint64_t> ticks;
        for (const Tick& tick : tile.ticks) ticks[tick.column] = tick.picked;
        REQUIRE(ticks == expected);
      }
    }
  }
}

TEST_CASE("instants, empty rows, times below zero and beyond four seconds have their tiles", "[timeline]") {
  Capture capture;
  capture.profile.tracks.resize(2);
  EventColumns& events = capture.profile.tracks[1].events;
  const StringId name = capture.strings.add("name");
  events.push_back({.start_ns = -5'000'000'000, .dur_ns = 6'000'000'000, .name = name});
  events.push_back({.start_ns = -1'000, .dur_ns = 0, .name = name});
  events.push_back({.start_ns = 1'000'000'000, .dur_ns = 0, .name = name});
  events.push_back({.start_ns = 2'000'000'000, .dur_ns = -7, .name = name});
  capture.profile.start_ns = -5'000'000'000;
  capture.profile.end_ns = 2'000'000'000;
  const Timeline timeline = prepare_timeline(capture, 1);
  CHECK(timeline.lanes[0].row_count() == 0);
  REQUIRE(timeline.lanes[1].row_count() == 2);
  for (const unsigned level : {17u, 24u, 40u, kHighestLevel}) {
    const std::uint64_t last = std::min<std::uint64_t>(7'000'000'000u >> (level + 10), 63);
    const TileQuery query{level, 0, last, {{1, 0}, {1, 1}}, {}};
    std::uint64_t count = 0, busy_ns = 0;
    for (const RowTile& tile : read_tiles(tiles(capture.profile, timeline, query, nullptr, 1)).rows) {
      count += tile.count;
      busy_ns += tile.busy_ns;
    }
    CHECK(count == 4);
    CHECK(busy_ns == 6'000'000'000);
  }
}

TEST_CASE("a counter's tiles have its extremes, and what holds when they begin", "[timeline]") {
  Capture capture;
  Counter& counter = capture.profile.tracks.emplace_back().counters.emplace_back();
  for (const auto& [at, value] : {std::pair{100, 5.0}, {200, 9.0}, {201, 1.0}, {202, NAN}, {5000, 3.0}}) {
    counter.at_ns.push_back(at);
    counter.value.push_back(value);
  }
  capture.profile.end_ns = 10'000;
  const Timeline timeline = prepare_timeline(capture, 1);
  const TileAnswer answer = read_tiles(tiles(capture.profile, timeline, {0, 0, 9, {}, {{0, 0}}}, nullptr, 1));
  REQUIRE(answer.counters.size() == 10);
  const auto& first = answer.counters[0].points;
  REQUIRE(first.size() == 2);
  CHECK(first[0].column == 25);
  CHECK(first[1].column == 50);
  CHECK(std::abs(first[1].max - 9) < 1e-3);
  CHECK(std::abs(first[1].min - 1) < 1e-3);
  CHECK(std::abs(first[1].last - 1) < 1e-3);
  REQUIRE(answer.counters[1].points.size() == 1);
  CHECK(answer.counters[1].points[0].column == 0);
  CHECK(answer.counters[1].points[0].last == 1);
  REQUIRE(answer.counters[4].points.size() == 2);
  CHECK(answer.counters[4].points[1].column == (5000 - 4096) / 4);
  CHECK(answer.counters[9].points[0].last == 3);
}

}  // namespace
}  // namespace vizd::tiles_test
