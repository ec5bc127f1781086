// ProfilePart: what is taken of a profile where a part of it is written, and ProfileSelection: that part of one
// capture. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "model/capture.h"

namespace vizd {

// Events that overlap the times (in nanoseconds from the profile's start), on lanes and of names that hold the texts.
struct ProfilePart {
  std::string lane;
  std::string name;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
};

// Refers to both.
class ProfileSelection {
 public:
  ProfileSelection(const Capture& capture, const ProfilePart& part) : capture_(capture), part_(part) {}

  bool takes(const Lane& lane) const { return holds(lane.name, part_.lane); }
  bool takes(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::int64_t start = capture_.profile.start_ns;
    return to_ns - start >= part_.from_ns && from_ns - start <= part_.to_ns;
  }
  // Of a lane that is taken.
  bool takes(const Event& event) const {
    return takes(event.start_ns, event.start_ns + std::max<std::int64_t>(event.dur_ns, 0)) &&
           holds(event.name, part_.name);
  }

  // Calls visit(place of the lane, lane, event) for each event that is taken.
  template <typename Visit>
  void for_each_event(Visit&& visit) const {
    for (std::size_t i = 0; i < capture_.profile.lanes.size(); ++i) {
      const Lane& lane = capture_.profile.lanes[i];
      if (!takes(lane)) continue;
      for (const Event& event : lane.events) {
        if (takes(event)) visit(i, lane, event);
      }
    }
  }

 private:
  bool holds(StringId text, const std::string& part) const {
    return capture_.strings.get(text).find(part) != std::string_view::npos;
  }

  const Capture& capture_;
  const ProfilePart& part_;
};

}  // namespace vizd
