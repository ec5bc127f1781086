// What the system calls a track's process or device, and its thread or stream: its own number, or that of the track
// that it hangs on. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/track.h"

namespace vizd {

inline std::optional<ArgumentValue> process_number(const std::vector<Track>& tracks, std::uint32_t track) {
  for (; track != Track::kNoParent; track = tracks[track].parent) {
    if (tracks[track].kind == TrackKind::kProcess || tracks[track].kind == TrackKind::kDevice)
      return tracks[track].number;
  }
  return std::nullopt;
}

inline std::optional<ArgumentValue> thread_number(const std::vector<Track>& tracks, std::uint32_t track) {
  for (; track != Track::kNoParent; track = tracks[track].parent) {
    if (tracks[track].kind == TrackKind::kThread || tracks[track].kind == TrackKind::kStream)
      return tracks[track].number;
  }
  return std::nullopt;
}

// Whether the track is the root or hangs on it. kNoId is the root of all.
inline bool is_below(const std::vector<Track>& tracks, std::uint32_t track, std::uint32_t root) {
  if (root == kNoId) return true;
  while (track != root && track != Track::kNoParent) track = tracks[track].parent;
  return track == root;
}

// The topmost track that the track hangs on.
inline std::uint32_t root_of(const std::vector<Track>& tracks, std::uint32_t track) {
  while (tracks[track].parent != Track::kNoParent) track = tracks[track].parent;
  return track;
}

}  // namespace vizd
