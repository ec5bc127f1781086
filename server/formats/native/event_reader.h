// EventReader: reads one section's events and their arguments into its tracks. Events of one track may stand in any
// order and in several chunks. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "formats/native/argument_places.h"
#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/capture.h"

namespace vizd::native {

class EventReader {
 public:
  // The context of a number of the section's, as RewritesReader::context.
  using FindContext = std::function<ContextId(std::uint64_t number)>;

  // version: of the section.
  EventReader(Capture& capture, Tables& tables, TrackTable& tracks, std::uint32_t version, FindContext find_context)
      : capture_(capture),
        tables_(tables),
        tracks_(tracks),
        version_(version),
        find_context_(std::move(find_context)),
        argument_places_(capture.profile.tracks) {}

  void add_arguments(const Columns& columns, std::uint64_t first);
  // Adds events of tracks, with their arguments, that were added before.
  void add_events(const Columns& columns);

 private:
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

  struct Argument {
    StringId name{}, unit{};
    std::uint32_t type = 0;
  };

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

  Capture& capture_;
  Tables& tables_;
  TrackTable& tracks_;
  const std::uint32_t version_;
  const FindContext find_context_;
  std::vector<Argument> arguments_;  // by number
  // By number: the track whose event had it last, and its place in Track::arguments. Mostly the next one's is the same.
  struct LastPlace {
    const Track* track = nullptr;
    std::uint32_t place = 0;
  };
  std::vector<LastPlace> last_places_;
  ArgumentPlaces argument_places_;
  // The records of the argument column that is being added.
  std::vector<std::uint32_t> value_records_;
  std::vector<std::int64_t> value_numbers_, value_events_;
  std::vector<double> value_reals_;
  EventRecords records_;
};

}  // namespace vizd::native
