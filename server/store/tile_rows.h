// The pyramid that an overview of many ranks is drawn from: how busy each track was in each piece of time, exactly, at
// three widths. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"

namespace vizd::store {

inline constexpr unsigned kTileLevels = 3, kTileFanoutBits = 3;
inline constexpr std::uint32_t kMostPlaces = 512;  // at level 0

struct TileRow {
  static constexpr std::int64_t kAllDevices = -1;
  std::int64_t track = 0;  // its place in Profile::tracks, or kAllDevices
  unsigned level = 0;
  std::uint32_t place = 0;
  std::int64_t ts = 0, dur = 0;
  std::uint64_t slices = 0;  // that begin there
  std::int64_t busy_ns = 0;  // in which at least one runs
};

// Returns the tiles in which something begins or runs, level by level, track by track. Devices are devices, engines and
// streams; in a capture that has none with events, all tracks.
std::vector<TileRow> tile_rows(const Capture& capture);

// A piece of level 0 is 2^this nanoseconds long: the least with which there are at most kMostPlaces.
unsigned tile_bits(const Profile& profile);

}  // namespace vizd::store
