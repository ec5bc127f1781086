#include "store/tile_rows.h"

#include <map>

#include "support/catch.h"

namespace vizd::store::tile_rows_test {
namespace {

// A device with nested, overlapping and repeated spans, and a host thread.
void fill(Capture& capture) {
  capture.has_profile = true;
  capture.profile.tracks.emplace_back().kind = TrackKind::kThread;
  capture.profile.tracks.emplace_back().kind = TrackKind::kStream;
  capture.profile.tracks.emplace_back().kind = TrackKind::kStream;
  capture.profile.start_ns = 1000;
  capture.profile.end_ns = 1000 + 4096;
  capture.profile.tracks[0].events.push_back({.start_ns = 1000, .dur_ns = 4096});
  for (const auto& [start_ns, dur_ns] : {std::pair{1010, 100}, {1020, 50}, {1100, 30}, {3000, 2096}, {5000, 0}})
    capture.profile.tracks[1].events.push_back({.start_ns = start_ns, .dur_ns = dur_ns});
  capture.profile.tracks[2].events.push_back({.start_ns = 1050, .dur_ns = 200});
}

}  // namespace

TEST_CASE("tiles tell exactly how long a track was busy, at every level") {
  Capture capture;
  fill(capture);
  CHECK(tile_bits(capture.profile) == 3);
  std::map<std::pair<std::int64_t, unsigned>, std::pair<std::int64_t, std::uint64_t>> sums;
  for (const TileRow& tile : tile_rows(capture)) {
    CHECK(tile.busy_ns <= tile.dur);
    CHECK(tile.dur == std::int64_t{8} << (3 * tile.level));
    CHECK(tile.ts == 1000 + std::int64_t{tile.place} * tile.dur);
    sums[{tile.track, tile.level}].first += tile.busy_ns;
    sums[{tile.track, tile.level}].second += tile.slices;
  }
  for (unsigned level = 0; level < kTileLevels; ++level) {
    CHECK(sums[{0, level}] == std::pair(std::int64_t{4096}, std::uint64_t{1}));
    CHECK(sums[{1, level}] == std::pair(std::int64_t{120 + 2096}, std::uint64_t{5}));
    CHECK(sums[{TileRow::kAllDevices, level}] == std::pair(std::int64_t{240 + 2096}, std::uint64_t{6}));
  }
}

TEST_CASE("a capture without events has no tiles") { CHECK(tile_rows(Capture()).empty()); }

}  // namespace vizd::store::tile_rows_test
