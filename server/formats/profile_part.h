// ProfilePart: what is taken of a profile where a part of it is written, and ProfileSelection: that part of one
// capture. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  ProfileSelection(const Capture& capture, const ProfilePart& part)
      : capture_(capture), part_(part), columns_of_(capture.profile.tracks.size()) {
    for (std::size_t t = 0; t < columns_of_.size(); ++t) {
      const Track& track = capture.profile.tracks[t];
      if (track.arguments.size() > kFewArguments) columns_of_[t].emplace(track);
    }
  }

  bool takes(const Track& track) const { return holds(track.name, part_.lane); }
  bool takes(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::int64_t start = capture_.profile.start_ns;
    return to_ns - start >= part_.from_ns && from_ns - start <= part_.to_ns;
  }
  // Whether it takes an event of a track that is taken.
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
    const std::vector<ArgumentColumn>& arguments = capture_.profile.tracks[track].arguments;
    const auto look = [&](const ArgumentColumn& argument) {
      if (const auto value = argument.of(event)) visit(argument, *value);
    };
    if (!columns_of_[track]) {
      for (const ArgumentColumn& argument : arguments) look(argument);
    } else {
      for (const std::uint32_t place : columns_of_[track]->of(event)) look(arguments[place]);
    }
  }

 private:
  // Up to this number, each argument is looked at for each event.
  static constexpr std::size_t kFewArguments = 64;

  // Which arguments each event of a track has: a track may have as many arguments as events.
  class EventColumnPlaces {
   public:
    explicit EventColumnPlaces(const Track& track) : begin_(track.events.size() + 2) {
      const auto for_each = [&](auto&& visit) {
        for (std::uint32_t place = 0; place < track.arguments.size(); ++place) {
          track.arguments[place].events.for_each([&](std::int64_t event) {
            if (static_cast<std::size_t>(event) < track.events.size()) visit(static_cast<std::size_t>(event), place);
          });
        }
      };
      for_each([&](std::size_t event, std::uint32_t) { ++begin_[event + 2]; });
      for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
      places_.resize(begin_.back());
      for_each([&](std::size_t event, std::uint32_t place) { places_[begin_[event + 1]++] = place; });
    }
    std::span<const std::uint32_t> of(std::uint32_t event) const {
      return std::span(places_).subspan(begin_[event], begin_[event + 1] - begin_[event]);
    }

   private:
    std::vector<std::size_t> begin_;  // by event, and the end of the last
    std::vector<std::uint32_t> places_;
  };

  bool holds(StringId text, const std::string& part) const {
    return capture_.strings.get(text).find(part) != std::string_view::npos;
  }

  const Capture& capture_;
  const ProfilePart& part_;
  std::vector<std::optional<EventColumnPlaces>> columns_of_;  // by track; none where there are few
};

}  // namespace vizd
