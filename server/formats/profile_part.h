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
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
};

// Refers to both.
class ProfileSelection {
 public:
  ProfileSelection(const Capture& capture, const ProfilePart& part) : capture_(capture), part_(part) {}

  bool takes(const Track& track) const { return holds(track.name, part_.lane); }
  bool takes(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::int64_t start = capture_.profile.start_ns;
    return to_ns - start >= part_.from_ns && from_ns - start <= part_.to_ns;
  }
  // Of a track that is taken.
  bool takes(const Event& event) const {
    return takes(event.start_ns, event.start_ns + std::max<std::int64_t>(event.dur_ns, 0)) &&
           holds(event.name, part_.name);
  }

  // Calls visit(place of the track, place of the event in it, event) for each event that is taken.
  template <typename Visit>
  void for_each_event(Visit&& visit) const {
    for (std::uint32_t t = 0; t < capture_.profile.tracks.size(); ++t) {
      const Track& track = capture_.profile.tracks[t];
      if (!takes(track)) continue;
      for (std::uint32_t i = 0; i < track.events.size(); ++i) {
        if (const Event event = track.events[i]; takes(event)) visit(t, i, event);
      }
    }
  }

  // Calls visit(argument's column, value) for each argument of an event.
  template <typename Visit>
  void for_each_argument(std::uint32_t track, std::uint32_t event, Visit&& visit) const {
    for (const ArgumentColumn& argument : capture_.profile.tracks[track].arguments) {
      if (const auto value = argument.of(event)) visit(argument, *value);
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
