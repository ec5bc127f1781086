// TraceDecoder: one trace's packets, in the order of the file, as a profile. What it reads lies by track until all is
// there, since descriptors may come after events and events out of order; finish() then adds it to the capture. One
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perfetto/protozero.h"
#include "model/capture.h"

namespace vizd::perfetto {

class TraceDecoder {
 public:
  explicit TraceDecoder(Capture& capture) : capture_(capture), strings_(capture.strings) {}

  // One packet's bytes. What is wrong with it makes it a packet that is left out and counted.
  void take(std::string_view packet);

  // What stands between packets is left out.
  void count_strangers(std::uint64_t times) {
    if (times > 0) skip("fields of the trace that are no packets", times);
  }

  // Adds to the capture's profile what was read. Once.
  void finish();

 private:
  struct PlacedValue {
    StringId name, unit;
    ArgumentValue value;
  };

  // A begin, an end, an instant: times sort them.
  struct Mark {
    enum class Type : std::uint8_t { kBegin, kEnd, kInstant };
    std::int64_t at_ns;
    Type type;
    std::uint32_t place;  // of a begin or instant in events; of an end in the values that came with it, from 1; 0: none
  };

  // One track, as the packets describe it.
  struct TrackRecord {
    std::uint64_t uuid = 0, parent = 0;
    std::string name, description;
    std::optional<std::int32_t> pid, tid;
    std::string process_name, thread_name;
    std::optional<std::int32_t> sort;
    bool is_counter = false;
    std::string counter_unit;
    std::int64_t counter_multiplier = 1;
    bool is_incremental = false;
    double last_value = 0;
    bool is_placed = false;
    std::uint32_t track = kNoId;        // once it is placed
    std::vector<std::uint32_t> places;  // in the track, by event, once they are there

    std::vector<Event> events;
    std::vector<std::vector<PlacedValue>> values;      // by event
    std::vector<std::vector<PlacedValue>> end_values;  // see Mark
    std::vector<Mark> marks;
    Counter counter;

    // Adds what another descriptor of it says.
    void take(const TrackRecord& said);
  };

  // State that holds for the packets of one writer.
  struct Sequence {
    std::unordered_map<std::uint64_t, std::string> categories, names, annotation_names, annotation_texts;
    std::uint64_t default_track = 0;
    std::uint32_t default_clock = 0;
    std::map<std::uint32_t, std::int64_t> incremental_ns;  // of its own clocks
    std::int64_t legacy_us = 0;
    bool is_begun = false;  // its first packet, which says that its state is clear, was read
  };

  struct ClockState {
    std::int64_t to_boottime_ns = 0;
    std::int64_t multiplier_ns = 1;
    bool is_incremental = false;
  };

  struct FlowMark {
    std::uint64_t id;
    std::int64_t at_ns;
    TrackRecord* record;
    std::uint32_t event;
    bool is_end;
  };

  // One annotation, before those in it are read.
  struct Annotation {
    std::string name;
    std::optional<ArgumentValue> value;
    StringId unit{};
    std::vector<protozero::data_view> entries, elements;
  };

  // One track event, with its annotations.
  struct EventFields {
    std::optional<std::int64_t> at_ns;
    std::uint64_t track = 0;
    std::uint32_t type = 0;  // 0: told by the phase, or by the number
    char phase = '\0';       // of a legacy event
    std::string name, category;
    std::optional<double> number;
    std::vector<PlacedValue> values;
    std::vector<std::pair<std::uint64_t, bool>> flows;  // and whether they end here
    std::int64_t dur_us = 0;
    std::optional<std::uint64_t> id;
    bool is_of_enclosing = false;

    void add_category(std::string_view text);
    bool is_counter() const;
    bool is_flow_end() const;
    bool is_end() const;
    bool is_begin() const;
    bool is_instant() const;
  };

  struct Label {
    StringId name, category;
  };

  // A packet without its parts.
  struct PacketHead {
    std::optional<std::uint64_t> timestamp;
    std::uint32_t clock = 0, sequence = 0;
    bool clears_state = false, needs_state = false;
  };
  using PacketParts = std::vector<std::pair<std::uint32_t, protozero::data_view>>;  // field and bytes

  void take_packet(protozero::pbf_reader packet, int depth);
  PacketHead read_head(protozero::pbf_reader packet, PacketParts& parts);
  void take_part(std::uint32_t field, protozero::data_view bytes, const PacketHead& head,
                 std::optional<std::int64_t> at_ns, Sequence& sequence, int depth);
  void take_packed(std::string_view packed, int depth);
  static void take_interned(protozero::pbf_reader data, Sequence& sequence);
  static void take_defaults(protozero::pbf_reader defaults, Sequence& sequence);
  void take_descriptor(protozero::pbf_reader descriptor);
  static void read_process(protozero::pbf_reader process, TrackRecord& read);
  static void read_thread(protozero::pbf_reader thread, TrackRecord& read);
  static void read_counter(protozero::pbf_reader counter, TrackRecord& read);
  void take_clock_snapshot(protozero::pbf_reader snapshot, std::uint32_t sequence);
  void take_process_tree(protozero::pbf_reader tree);
  void take_chrome_events(protozero::pbf_reader bundle);
  void take_fact(const std::string& json);
  void take_ftrace(protozero::pbf_reader bundle);
  void take_switch(std::uint32_t cpu, std::int64_t at_ns, std::string_view name, std::int64_t pid,
                   std::int64_t priority);
  void take_event(protozero::pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence);
  void read_event(protozero::pbf_reader event, Sequence& sequence, EventFields& fields);
  void read_legacy(protozero::pbf_reader legacy, const Sequence& sequence, EventFields& fields);
  void add_counter_value(const EventFields& fields, TrackRecord& to);
  void add_flow_end(const EventFields& fields, StringId category, TrackRecord& to);
  void add_end(EventFields&& fields, TrackRecord& to);
  void add_begin_or_instant(EventFields&& fields, Label label, TrackRecord& to);
  Annotation read_annotation(protozero::pbf_reader annotation, const Sequence& sequence);
  void take_annotation(protozero::pbf_reader annotation, const std::string& prefix, const Sequence& sequence,
                       std::vector<PlacedValue>& values, int depth);

  // On the trace's own clock, from the first time that is seen; none where nobody knows.
  std::optional<std::int64_t> time_of(std::uint64_t timestamp, std::uint32_t clock, std::uint32_t sequence_number,
                                      Sequence& sequence);
  // New where it is not known; null, and counted, where there are too many.
  TrackRecord* record(std::uint64_t uuid);
  TrackRecord* cpu_record(std::uint32_t cpu);
  // The text of that number; "", and counted, where nothing said it.
  std::string_view interned(const std::unordered_map<std::uint64_t, std::string>& table, std::uint64_t iid);
  void skip(const std::string& what, std::uint64_t times = 1) { capture_.skipped[what] += times; }

  // Puts the record, and those above it, among the capture's tracks.
  void place(TrackRecord& record);
  void place_under(TrackRecord& record, std::uint32_t parent);
  // Leaves out what was read of a track beyond those that there may be.
  void leave_out(TrackRecord& record);
  void apply_description(const TrackRecord& record, Track& track);
  void fill(TrackRecord& record);
  void add_arguments(std::uint32_t track, std::uint32_t event, const std::vector<PlacedValue>& values);
  // The value's column, new where the track has none.
  ArgumentColumn& argument_column(std::uint32_t track, const PlacedValue& value);
  void add_flows();

  Capture& capture_;
  StringTable& strings_;
  std::map<std::uint32_t, Sequence> sequences_;
  std::map<std::uint32_t, ClockState> clocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ClockState> sequence_clocks_;  // by sequence and clock
  std::optional<std::int64_t> unix_offset_ns_;                                     // of the trace's clock
  std::optional<std::int64_t> origin_ns_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by uuid
  std::deque<TrackRecord> records_;
  std::unordered_map<std::int32_t, std::uint32_t> process_tracks_;  // by number, once they are placed
  std::size_t track_count_ = 0;
  std::map<std::int32_t, std::string> process_names_;
  std::map<std::int32_t, std::string> thread_names_;
  struct Running {
    std::int64_t since_ns;
    std::string name;
    std::int64_t pid, priority;
  };
  std::map<std::uint32_t, Running> running_;  // by CPU
  std::vector<FlowMark> flows_;
  struct LegacyFlowEnd {
    TrackRecord* record;
    FlowEnd end;
  };
  std::vector<LegacyFlowEnd> flow_ends_;
  struct PendingFact {
    std::uint64_t track;
    Fact fact;
  };
  std::vector<PendingFact> facts_;
  // Places of the tracks' arguments, by track, name, unit and type; and the one after the last that was found.
  std::map<std::tuple<std::uint32_t, StringId, StringId, ArgumentType>, std::size_t> argument_places_;
  std::size_t next_argument_ = 0;
  std::uint32_t order_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace vizd::perfetto
