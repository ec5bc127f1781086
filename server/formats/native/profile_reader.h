// Reads one section's tracks, events, counters, samples, allocations, markers, runs and flows into the capture's
// profile. Events of one track may stand in any order and in several chunks. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/huge_pages.h"
#include "formats/native/allocator_reader.h"
#include "formats/native/columns.h"
#include "formats/native/event_reader.h"
#include "formats/native/facts_reader.h"
#include "formats/native/launch_reader.h"
#include "formats/native/memory_reader.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/capture.h"

namespace vizd::native {

class ProfileReader {
 public:
  using FindContext = EventReader::FindContext;

  // version: of the section. The facts' stacks are there.
  ProfileReader(Capture& capture, Tables& tables, const FactsReader& facts, KnownTracks& known, std::uint32_t version,
                FindContext find_context)
      : capture_(capture),
        tables_(tables),
        facts_(facts),
        tracks_(capture, tables, known),
        events_(capture, tables, tracks_, version, find_context),
        memory_(tables, tracks_, std::move(find_context)) {}

  void add_tracks(const Columns& columns, std::uint64_t first);
  void add_lanes(const Columns& columns, std::uint64_t first);
  void add_arguments(const Columns& columns, std::uint64_t first) { events_.add_arguments(columns, first); }
  void expect_memory(std::size_t allocations, bool has_frees) { memory_.expect(allocations, has_frees); }
  // Adds events of tracks, with their arguments, that were added before.
  void add_events(const Columns& columns) {
    is_empty_ = false;
    events_.add_events(columns);
  }
  void add_allocations(const Columns& columns) {
    is_empty_ = false;
    memory_.add_allocations(columns);
  }
  void add_frees(const Columns& columns) { memory_.add_frees(columns); }
  void add_counters(const Columns& columns, std::uint64_t first);
  // Adds samples of counters that were added before.
  void add_samples(const Columns& columns);
  void add_markers(const Columns& columns);
  void add_runs(const Columns& columns);
  void add_stack_samples(const Columns& columns);
  void add_flows(const Columns& columns);
  void add_flow_ends(const Columns& columns);
  void add_uses(const Columns& columns);
  void add_launches(const Columns& columns) { launches_.add_launches(columns, tables_); }
  void add_allocator(const AllocatorReader::Part& part, const Columns& columns) {
    (allocators_.*part.add)(columns, tables_, facts_);
  }
  void add_launch_uses(const Columns& columns) { launches_.add_uses(columns); }
  // Brings allocations and frees together, and flows to their events.
  void finish();
  bool is_empty() const { return is_empty_; }

 private:
  struct FlowPlace {
    std::uint64_t track;
    std::int64_t at_ns;
    std::uint64_t event;  // its number in the track and one more; 0: the one at that time
  };
  struct UseRecord {
    std::uint64_t memory_track, allocation, track, event;
  };
  Track* track(std::uint64_t number) { return tracks_.track(number); }
  // The event's place in its track, where it is there.
  std::optional<std::uint32_t> event_of(const FlowPlace& end);

  Capture& capture_;
  Tables& tables_;
  const FactsReader& facts_;
  TrackTable tracks_;
  std::vector<std::pair<std::size_t, std::size_t>> counters_;  // track's place, and the counter's in it
  LargeVector<std::pair<FlowPlace, FlowPlace>> flows_;
  std::vector<UseRecord> uses_;
  EventReader events_;
  LaunchReader launches_;
  AllocatorReader allocators_;
  MemoryReader memory_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_start_;  // a track's events, where flows ask
  bool is_empty_ = true;
};

// Sets the profile's extent from all that is in it, where the capture does not say it.
void set_extent(Profile& profile);

}  // namespace vizd::native
