// WorkSpans: the spans of a trace's tracks that are work of devices or calls that may launch it, as their categories
// say. Remembers what categories are. Refers to the capture. One thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

class WorkSpans {
 public:
  enum class Role : std::uint8_t { kNone, kWork, kCall };

  explicit WorkSpans(const Capture& capture)
      : strings_(capture.strings), tracks_(capture.profile.tracks), phase_(capture.strings.find(trace::kPhase)) {}

  // Calls visit(event) for each whole span of the track that has that role.
  template <typename Visit>
  void for_each(std::uint32_t track, Role wanted, Visit&& visit) {
    const EventColumns& events = tracks_[track].events;
    const std::vector<bool> whole = came_whole(tracks_[track]);
    StringId last{kNoId};
    Role role = Role::kNone;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (const StringId category = events.category(i); category != last) {
        last = category;
        role = role_of(category);
      }
      if (role != wanted || events.kind(i) != EventKind::kSpan || (!whole.empty() && !whole[i])) continue;
      visit(i);
    }
  }

 private:
  Role role_of(StringId category);
  // By event whether it came as one whole record: others say how in an argument. Empty: all did.
  std::vector<bool> came_whole(const Track& track) const;

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const StringId phase_;
  std::unordered_map<StringId, Role> roles_;
};

}  // namespace vizd
