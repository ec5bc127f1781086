// Track: a node of the tree on which all that a profile tells hangs: a rank, a process in it, a thread in that, a
// device and its streams. A track with events is a lane when it is drawn. Plain data, filled by a format; read-only
// once the timeline is prepared (timeline/timeline.h), by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"
#include "model/arguments.h"
#include "model/event_columns.h"
#include "model/memory.h"
#include "model/stacks.h"

namespace vizd {

// The kind of thing that a track is of. Captures name it by the word that track_kind_name() has.
enum class TrackKind : std::uint8_t {
  kOther,
  kRank,
  kHost,
  kProcess,
  kThread,
  kDevice,
  kEngine,
  kStream,
  kMemory,
  kCounter,
};
inline constexpr std::size_t kTrackKinds = 10;

// "rank", "host", …; "" for kOther.
std::string_view track_kind_name(TrackKind kind);
// kOther for a word that is none of them.
TrackKind track_kind(std::string_view name);

// A quantity over time. Each value holds from its time until the next.
struct Counter {
  StringId name{};
  StringId unit{};      // "bytes", "GB/s", …
  StringId series{};    // of several values that the capture keeps under one name: which; "" where there is one
  StringId category{};  // "" where the capture has none
  Column<std::int64_t> at_ns;
  Column<double> value;
};

struct AllocatorLog;  // model/allocator_log.h

struct Track {
  static constexpr std::uint32_t kNoParent = kNoId;

  StringId name{};
  TrackKind kind = TrackKind::kOther;
  std::uint32_t parent = kNoParent;  // a smaller place in Profile::tracks
  std::int32_t sort = 0;             // among its siblings, the least first; equal ones as recorded
  double cycles_per_second = 0;      // of the clock that timed it, where that is known
  // What the system knows it by: a process's or thread's id, a device's or stream's index, a text where it is one.
  std::optional<ArgumentValue> number = {};

  EventColumns events;
  std::vector<ArgumentColumn> arguments;  // of the events
  std::vector<Counter> counters;
  StackSamples samples;
  std::vector<Allocation> allocations;  // in the memory that the track owns
  Column<Use> uses;                     // of those allocations
  std::vector<Launch> launches;         // by time
  std::vector<LaunchUse> launch_uses;   // of the allocations, by launch
  // What the allocator told of itself, and of those allocations; null where it told nothing.
  std::shared_ptr<const AllocatorLog> allocator = {};
};

// The place of the track of that kind and name under the parent, which is added where there is none. A look at all
// tracks: for formats that have few of them.
std::uint32_t find_or_add_track(std::vector<Track>& tracks, std::uint32_t parent, TrackKind kind, StringId name);

// The tracks as they are listed: each parent before its children, siblings by sort.
std::vector<std::uint32_t> track_order(const std::vector<Track>& tracks);

// By track the names from the root down to it, joined by '/': what URLs, pins and links know it by. A '/' or '\' in a
// name has a '\' before it; of siblings with one name the second ends in "#2" and so on, in the order of their places.
std::vector<std::string> track_paths(const std::vector<Track>& tracks, const StringTable& strings);

}  // namespace vizd
