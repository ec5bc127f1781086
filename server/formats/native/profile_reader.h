// Reads one section's lanes, events, counters, allocations, markers and flows into the capture's profile. Events of one
// lane may stand in any order and in several chunks; a lane of a name that the capture has already is that lane. One
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

class ProfileReader {
 public:
  // The context of a number of the section's, as RewritesReader::context.
  using FindContext = std::function<ContextId(std::uint64_t number)>;

  ProfileReader(Capture& capture, Tables& tables, FindContext find_context)
      : capture_(capture), tables_(tables), find_context_(std::move(find_context)) {}

  void add_lanes(const Columns& columns, std::uint64_t first);
  // Of lanes that were added.
  void add_events(const Columns& columns);
  void add_allocations(const Columns& columns);
  void add_frees(const Columns& columns);
  void add_counters(const Columns& columns, std::uint64_t first);
  // Of counters that were added.
  void add_samples(const Columns& columns);
  void add_markers(const Columns& columns);
  void add_flows(const Columns& columns);
  void add_uses(const Columns& columns);
  // Brings allocations and frees together, and flows to their events.
  void finish();
  bool is_empty() const { return is_empty_; }

 private:
  struct MemoryChange {
    std::uint32_t lane;
    std::int64_t at_ns;
    bool is_free;
    Allocation allocation;  // of a free: its key alone
  };

  // The columns of a chunk of events: made once, since a large profile has thousands of chunks.
  struct EventRecords {
    std::vector<std::uint32_t> lane, name, info, order, picoseconds, args_length;
    std::vector<std::int64_t> start_ns, dur_ns;
    std::vector<std::uint64_t> context;

    void read(const Columns& columns);
  };

  struct FlowEnd {
    std::uint64_t lane;
    std::int64_t at_ns;
    std::uint64_t event;  // its number in the lane and one more; 0: the one at that time
  };
  struct UseRecord {
    std::uint64_t memory_lane, allocation, lane, event;
  };

  Lane* lane(std::uint64_t number);
  bool is_time(std::int64_t ns);
  // The event's place in its lane, where it is there.
  std::optional<std::uint32_t> event_of(const FlowEnd& end);
  void finish_memory();
  // Keeps an event's arguments; returns Event::args.
  std::uint64_t add_args(std::string_view json);

  Capture& capture_;
  Tables& tables_;
  const FindContext find_context_;
  std::vector<std::size_t> lanes_;                             // places in the profile
  std::vector<std::size_t> first_events_;                      // in each lane, of this section
  std::vector<std::size_t> first_allocations_;                 // likewise
  std::vector<std::pair<std::size_t, std::size_t>> counters_;  // lane's place, and the counter's in it
  EventRecords records_;
  std::vector<MemoryChange> memory_;
  std::vector<std::pair<FlowEnd, FlowEnd>> flows_;
  std::vector<UseRecord> uses_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_start_;  // a lane's events, where flows ask
  bool is_empty_ = true;
};

// Sets the profile's extent from all that is in it, where the capture does not say it.
void set_extent(Profile& profile);

}  // namespace vizd::native
