// Reads one section's tracks, events, counters, samples, allocations, markers, runs and flows into the capture's
// profile. Events of one track may stand in any order and in several chunks. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/huge_pages.h"
#include "formats/native/argument_places.h"
#include "formats/native/columns.h"
#include "formats/native/facts_reader.h"
#include "formats/native/launch_reader.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/capture.h"

namespace vizd::native {

class ProfileReader {
 public:
  // The context of a number of the section's, as RewritesReader::context.
  using FindContext = std::function<ContextId(std::uint64_t number)>;

  // version: of the section. The facts' stacks are there.
  ProfileReader(Capture& capture, Tables& tables, const FactsReader& facts, KnownTracks& known, std::uint32_t version,
                FindContext find_context)
      : capture_(capture),
        tables_(tables),
        facts_(facts),
        version_(version),
        find_context_(std::move(find_context)),
        tracks_(capture, tables, known),
        argument_places_(capture.profile.tracks) {}

  void add_tracks(const Columns& columns, std::uint64_t first);
  void add_lanes(const Columns& columns, std::uint64_t first);
  void add_arguments(const Columns& columns, std::uint64_t first);
  // Said before any allocation is added: how many come, and whether a table of frees says when they end.
  void expect_memory(std::size_t allocations, bool has_frees) {
    expected_allocations_ = allocations;
    has_frees_ = has_frees;
  }
  // Of tracks, and with arguments, that were added.
  void add_events(const Columns& columns);
  void add_allocations(const Columns& columns);
  void add_frees(const Columns& columns);
  void add_counters(const Columns& columns, std::uint64_t first);
  // Of counters that were added.
  void add_samples(const Columns& columns);
  void add_markers(const Columns& columns);
  void add_runs(const Columns& columns);
  void add_stack_samples(const Columns& columns);
  void add_flows(const Columns& columns);
  void add_flow_ends(const Columns& columns);
  void add_uses(const Columns& columns);
  void add_launches(const Columns& columns) { launches_.add_launches(columns, tables_); }
  void add_launch_uses(const Columns& columns) { launches_.add_uses(columns); }
  // Brings allocations and frees together, and flows to their events.
  void finish();
  bool is_empty() const { return is_empty_; }

 private:
  struct MemoryChange {
    std::uint32_t track;
    std::int64_t at_ns;
    bool is_free;
    Allocation allocation;  // of a free: its key alone
  };

  // The columns of a chunk of events: made once, since a large profile has thousands of chunks.
  struct EventRecords {
    std::vector<std::uint32_t> track, name, info, category, order, picoseconds, json_length, argument_count;
    std::vector<std::uint8_t> kind, flags;
    std::vector<std::int64_t> start_ns, dur_ns;
    std::vector<std::uint64_t> context;
    // One an argument, all events' one after another.
    std::vector<std::uint32_t> argument;
    std::vector<std::int64_t> integer;
    std::vector<double> real;
    // The event's place in its track; kNoId where it was left out.
    std::vector<std::uint32_t> event;
    // Whether all are of one track, and their places follow one another.
    bool are_of_one_track = false;

    void read(const Columns& columns);
  };

  struct FlowPlace {
    std::uint64_t track;
    std::int64_t at_ns;
    std::uint64_t event;  // its number in the track and one more; 0: the one at that time
  };
  struct UseRecord {
    std::uint64_t memory_track, allocation, track, event;
  };
  struct Argument {
    StringId name{}, unit{};
    std::uint32_t type = 0;
  };

  Track* track(std::uint64_t number) { return tracks_.track(number); }
  bool is_time(std::int64_t ns);
  EventKind kind_of(std::size_t record) const;
  // Adds the record's event to its track; null where it is left out.
  Track* add_event(std::size_t record);
  // The arguments that the chunk tells column by column.
  void add_argument_columns(const Columns& columns);
  void add_argument_column(const Columns& columns, std::size_t k, std::uint32_t number);
  // The values to the track's column, where all the chunk's events are of one track and there; false where not.
  bool append_values(const Argument& argument, ArgumentType type, bool have_all);
  // One by one, to the track of each.
  void push_values(const Argument& argument, ArgumentType type, bool have_all);
  // Record i's arguments, of which the first is the at-th of all, for the event that was just added to the track.
  void keep_arguments(std::size_t i, std::size_t at, std::string_view json, Track& track);
  // The event's place in its track, where it is there.
  std::optional<std::uint32_t> event_of(const FlowPlace& end);
  void finish_memory();
  // To its track, where allocations say themselves when they were freed, if they were.
  void keep_allocation(std::uint32_t track, const Allocation& allocation);
  // Numbers the allocations where none of them says its place among the changes.
  void number_allocations();
  // Of a capture that tells frees apart from allocations, and by their times which is whose.
  void pair_frees();

  Capture& capture_;
  Tables& tables_;
  const FactsReader& facts_;
  const std::uint32_t version_;
  const FindContext find_context_;
  TrackTable tracks_;
  std::vector<Argument> arguments_;  // by number
  // By number: the track whose event had it last, and its place in Track::arguments. Mostly the next one's is the same.
  struct LastPlace {
    const Track* track = nullptr;
    std::uint32_t place = 0;
  };
  std::vector<LastPlace> last_places_;
  ArgumentPlaces argument_places_;
  // Of the argument column that is being added.
  std::vector<std::uint32_t> value_records_;
  std::vector<std::int64_t> value_numbers_, value_events_;
  std::vector<double> value_reals_;
  std::vector<std::pair<std::size_t, std::size_t>> counters_;  // track's place, and the counter's in it
  EventRecords records_;
  std::size_t expected_allocations_ = 0;
  bool has_frees_ = false;
  bool has_orders_ = false;           // of the allocations that were kept
  LargeVector<MemoryChange> memory_;  // where there are frees
  LargeVector<std::pair<FlowPlace, FlowPlace>> flows_;
  std::vector<UseRecord> uses_;
  LaunchReader launches_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_start_;  // a track's events, where flows ask
  bool is_empty_ = true;
};

// Sets the profile's extent from all that is in it, where the capture does not say it.
void set_extent(Profile& profile);

}  // namespace vizd::native
