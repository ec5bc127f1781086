// Tracks: puts a trace's lanes into the capture as tracks: below its rank, where it has one, processes with their
// threads and devices with their streams. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome_trace/lane.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// A track that all of a trace hangs on.
struct TraceRoot {
  std::string name;                   // empty: there is none
  std::optional<ArgumentValue> rank;  // where it is a rank
  // For several traces in one file: the prefix of the numbers of their processes and flows, which keeps them apart.
  std::string prefix;
};

class Tracks {
 public:
  // roots: one, or one of each trace that was combined.
  Tracks(Capture& capture, LaneTable& lanes, std::vector<TraceRoot> roots)
      : capture_(capture), lanes_(lanes), roots_(std::move(roots)) {}

  // Moves the lanes' events, counters and arguments into tracks, shift_ns later.
  void add(std::int64_t shift_ns);

  // kNoId where the root is none.
  std::uint32_t root_track(std::size_t root) const { return root_tracks_[root]; }
  const std::vector<std::uint32_t>& root_tracks() const { return root_tracks_; }
  // The root whose prefix the text begins with; the first where none is.
  std::size_t root_of(std::string_view text) const;
  std::uint32_t of_lane(std::uint32_t lane) const { return of_lane_[lane]; }
  // The first of the tracks that were added; all behind it are.
  std::uint32_t first_track() const { return first_track_; }

 private:
  struct Process {
    std::size_t root = 0;
    std::optional<ArgumentValue> number;
    std::vector<std::uint32_t> lanes;
    bool is_device = false;
    bool is_named_device = false;  // by its name alone, which then tells more than its labels
    StringId name{}, labels{};
    std::optional<std::int64_t> sort;
  };

  std::vector<Process> find_processes();
  std::string name_of(const Process& process) const;
  std::string name_of(const Lane& lane, bool is_device) const;
  std::string text_of(const ArgumentValue& number) const;
  std::uint32_t add_track(const std::string& name, TrackKind kind, std::uint32_t parent,
                          std::optional<ArgumentValue> number, std::optional<std::int64_t> sort);
  // What the device on that track is called by, where it is not the track's number.
  void add_number(std::uint32_t device, const ArgumentValue& number);
  void fill(std::uint32_t track, Lane& lane, std::int64_t shift_ns);

  Capture& capture_;
  LaneTable& lanes_;
  const std::vector<TraceRoot> roots_;
  std::uint32_t first_track_ = 0;
  std::vector<std::uint32_t> root_tracks_;
  std::vector<std::uint32_t> of_lane_;
};

// Links events of the tracks, and the flow ends from that one on, which have these names. A call of the host's leads
// to the work with its correlation, an operator to work that names it and no call; flow ends of one category, id and
// name lead to each other, and events that are bound by an id.
void link(Capture& capture, const Tracks& tracks, std::size_t first_flow_end, std::span<const std::uint32_t> names);

// For the tracks from the first on that belong to the root: adds the memory of each device, as PyTorch's allocator
// reports it in events: allocations, and the allocated and reserved bytes as counters.
void add_memory(Capture& capture, std::uint32_t first_track, std::uint32_t root_track);

// Notes work that is not plausible, or not complete, on the tracks from the first on. Flows must be linked.
void note_doubtful_work(Capture& capture, std::uint32_t first_track);

// What stands behind a prefix in a text: an integer where it is one.
ArgumentValue without_prefix(std::string_view text, std::string_view prefix, StringTable& strings);

}  // namespace vizd::chrome_trace
