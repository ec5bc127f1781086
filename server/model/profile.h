// Profile: what the devices did: a tree of tracks with events, counters, samples and allocations; markers, flows and
// runs over them. Plain data, filled by a format; read-only once the timeline is prepared (timeline/timeline.h), by any
// thread. Times are int64 nanoseconds on the capture's own clock, and within kTimeBound_ns either way, so that their
// sums and differences are times too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/column.h"
#include "base/string_table.h"
#include "model/flow_ends.h"
#include "model/track.h"

namespace vizd {

// 36 years: all times of a capture lie between this and its negative.
inline constexpr std::int64_t kTimeBound_ns = std::int64_t{1} << 60;

// Whether times may be moved so far: every one is a number of 64 bits then, and so is the difference of two such
// offsets.
constexpr bool is_possible_offset(std::int64_t offset_ns) {
  constexpr std::int64_t kMostOffset_ns = std::int64_t{1} << 62;
  return offset_ns > -kMostOffset_ns && offset_ns < kMostOffset_ns;
}

struct Marker {
  std::int64_t at_ns = 0;
  StringId name{};
  StringId colour{};  // as the capture has it: a CSS colour
};

// One event led to another: a launch to its kernel. Places in Profile::tracks and Track::events.
struct Flow {
  std::uint32_t from_track = 0, from_event = 0;
  std::uint32_t to_track = 0, to_event = 0;
};

// A part of the time: a step of a training loop, a call, an iteration.
struct Run {
  std::uint32_t track = Track::kNoParent;  // whose time it is; kNoParent: everybody's
  StringId kind{};                         // "step", "iteration", "call", …
  StringId name{};
  std::int64_t number = 0;
  std::int64_t from_ns = 0, to_ns = 0;
};

// The zero of the capture's times, so that captures can be laid side by side.
struct Clock {
  StringId name{};                             // captures whose clocks have one name, other than "", share it
  std::optional<std::int64_t> unix_offset_ns;  // Unix time, in nanoseconds, when the clock was zero
};

struct XlaProfile;  // model/xla_profile.h

struct Profile {
  std::vector<Track> tracks;  // in order of first appearance, parents before their children
  std::vector<Marker> markers;
  std::vector<Run> runs;
  Column<Flow> flows;
  FlowEnds flow_ends;  // as recorded, where the capture has them one by one; flows are what they make
  Clock clock;
  // What XLA's profiler told beside the events; null in captures of other programs.
  std::shared_ptr<const XlaProfile> xla = {};
  // The events are the records of a trace's file, or of several: they can be counted and written again as they stood
  // there, and say themselves what kind of work they are (EventColumns::role).
  bool is_trace = false;
  // Launches are numbered, and events say of which they are: the newer of tinygrad's profiles.
  bool numbers_launches = false;
  std::int64_t start_ns = 0;  // of the earliest thing of any kind, and the end of the latest
  std::int64_t end_ns = 0;
};

}  // namespace vizd
