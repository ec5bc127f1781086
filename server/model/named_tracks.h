// NamedTracks: tracks of a capture that are made when they are first named, each once below its parent. Others may be
// added to the capture besides. The capture must outlive it. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/capture.h"

namespace vizd {

class NamedTracks {
 public:
  explicit NamedTracks(Capture& capture) : capture_(capture) {}

  // Its place in Profile::tracks. parent: Track::kNoParent of one at the root. number: its place among its siblings.
  std::uint32_t child(std::uint32_t parent, std::string_view name, std::int64_t number) {
    const auto [entry, is_new] = tracks_.try_emplace(std::pair(parent, std::string(name)));
    if (!is_new) return entry->second;
    entry->second = static_cast<std::uint32_t>(capture_.profile.tracks.size());
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = capture_.strings.add(name);
    track.parent = parent;
    track.sort = static_cast<std::int32_t>(number);
    return entry->second;
  }

 private:
  Capture& capture_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> tracks_;  // by parent and name
};

}  // namespace vizd
