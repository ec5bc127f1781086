// TraceDecoder: one trace's packets, in the order of the file, as a profile. What it reads lies by track until all is
// there, since descriptors may come after events and events out of order; finish() then adds it to the capture. One
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "formats/perfetto/gpu_tables.h"
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

  // After that: whether the file has work of devices, and whether it is of PyTorch's own encoder.
  bool has_device_work() const { return has_device_work_; }
  bool is_of_pytorch() const;

 private:
  struct PlacedValue {
    StringId name, unit;
    ArgumentValue value;
  };

  // A begin, an end, or an event that is whole by itself: an instant, or one whose record tells how long it took.
  struct Mark {
    enum class Type : std::uint8_t { kBegin, kEnd, kWhole };
    std::int64_t at_ns;
    Type type;
    std::uint32_t place;  // of an end in what came with it, from 1; 0: nothing did. Of another in events
  };

  // One track, as the packets describe it.
  struct TrackRecord {
    std::uint64_t uuid = 0, parent = 0;
    std::uint64_t process = 0;  // of a thread that names no parent: whose it was when it was described; 0: not known
    std::string name, description;
    std::optional<std::int32_t> pid, tid;
    std::string process_name, thread_name;
    std::optional<std::int32_t> sort;
    bool is_counter = false;
    std::string counter_unit;
    std::int64_t counter_multiplier = 1;
    bool is_incremental = false;
    StringId usual_category{};  // of events that have none of their own
    bool is_placed = false;
    std::uint32_t track = kNoId;        // once it is placed
    std::vector<std::uint32_t> places;  // in the track, by event, once they are there

    std::vector<Event> events;
    std::vector<std::vector<PlacedValue>> values;      // by event
    std::vector<std::vector<PlacedValue>> end_values;  // see Mark
    std::vector<std::uint32_t> ended;                  // likewise: the event in the track; kNoId: none
    std::vector<Mark> marks;                           // in the order of the file
    Counter counter;
    std::vector<std::uint32_t> generations;  // of the counter's values: Sequence::generation

    // Adds what another descriptor of it says.
    void take(const TrackRecord& said);
  };

  // State that holds for the packets of one writer.
  struct Sequence {
    std::unordered_map<std::uint64_t, std::string> categories, names, annotation_names, annotation_texts;
    GpuTables gpu;
    std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>, TrackRecord*> lanes;  // by GPU, context and queue
    std::vector<std::uint64_t> counter_tracks, double_counter_tracks;  // of values that events carry beside their own
    std::uint64_t default_track = 0;
    std::uint32_t default_clock = 0;
    std::uint32_t generation = 0;  // another one each time that the state is cleared, of any sequence
    std::map<std::uint32_t, std::int64_t> incremental_ns;  // of its own clocks
    std::int64_t legacy_us = 0;
    bool is_begun = false;  // its first packet, which says that its state is clear, was read
  };

  struct ClockState {
    std::int64_t to_boottime_ns = 0;
    std::int64_t multiplier_ns = 1;
    bool is_incremental = false;
  };

  // A number of a flow beside an event: it may lead to the event, from it, or both.
  struct FlowMark {
    bool is_bound;  // the older kind (bind_id), whose numbers are others
    std::uint64_t id;
    std::int64_t at_ns;
    TrackRecord* record;
    std::uint32_t event;  // place among the record's events, or, of an end, see Mark
    bool is_of_end, leads_to, leads_on;
  };

  // What events of the older kind know each other by.
  struct LegacyId {
    StringId category{}, name{}, scope{};
    std::uint64_t id = 0;
    bool is_local = false;  // to its process
    auto operator<=>(const LegacyId&) const = default;
  };

  // A begin or end of an asynchronous event of the older kind. A begin is an event of the record; an end has values.
  struct AsynchronousMark {
    LegacyId id;
    StringId name;
    std::int64_t at_ns;
    TrackRecord *of, *record;  // the track that it was recorded on, and the one of asynchronous events below that
    bool is_end;
    std::uint32_t event;
    std::vector<PlacedValue> values;
  };

  struct LegacyFlow {
    LegacyId id;
    std::int64_t at_ns;
    TrackRecord* record;
    char phase;
    bool is_of_enclosing;
  };

  // One annotation, before those in it are read.
  struct Annotation {
    std::string name;
    std::optional<ArgumentValue> value;
    StringId unit{};
    std::vector<protozero::data_view> entries, elements;
    std::optional<protozero::data_view> nested;
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
    std::vector<std::uint64_t> counter_tracks, double_counter_tracks, launches, awaits;
    std::vector<double> counter_values, double_counter_values;
    std::int64_t dur_us = 0;
    std::optional<std::uint64_t> id, bind_id;
    std::string scope;
    bool is_id_local = false, is_of_enclosing = false;
    std::uint32_t direction = 0;  // of the flow with bind_id

    void add_category(std::string_view text);
    bool is_counter() const;
    bool is_flow_end() const;
    bool is_asynchronous() const;
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
    bool clears_state = false, needs_state = false, has_flags = false;
  };

  // Work of a GPU as its packet tells it, with what it refers to by number.
  struct Stage {
    std::uint64_t event = 0, context = 0, queue = 0;
    std::int64_t dur_ns = 0, gpu = 0;
    bool has_queue = false;
    std::string queue_name, stage_name, name, track;
    std::vector<std::pair<std::string, std::string>> extras;
    std::vector<std::uint64_t> waits;
    std::vector<PlacedValue> values;
  };
  struct StagePlace {
    std::uint32_t sequence;
    std::uint64_t id;
    TrackRecord* record;
    std::uint32_t event;
  };
  // An event leads to work of a GPU with that number, or the other way round.
  struct StageArrow {
    std::uint32_t sequence;
    std::uint64_t id;
    TrackRecord* record;
    std::uint32_t event;
    bool is_to_stage;
  };
  using PacketParts = std::vector<std::pair<std::uint32_t, protozero::data_view>>;  // field and bytes

  void take_packet(protozero::pbf_reader packet, int depth);
  PacketHead read_head(protozero::pbf_reader packet, PacketParts& parts);
  void take_part(std::uint32_t field, protozero::data_view bytes, const PacketHead& head,
                 std::optional<std::int64_t> at_ns, Sequence& sequence, int depth);
  void take_packed(std::string_view packed, int depth);
  void take_interned(protozero::pbf_reader data, Sequence& sequence);
  static void take_defaults(protozero::pbf_reader defaults, Sequence& sequence);
  void take_descriptor(protozero::pbf_reader descriptor, const PacketHead& head);
  void take_thread_descriptor(protozero::pbf_reader descriptor, Sequence& sequence);
  static void read_process(protozero::pbf_reader process, TrackRecord& read);
  static void read_thread(protozero::pbf_reader thread, TrackRecord& read);
  static void read_counter(protozero::pbf_reader counter, TrackRecord& read);
  void take_clock_snapshot(protozero::pbf_reader snapshot, const PacketHead& head);
  void take_process_tree(protozero::pbf_reader tree);
  void take_chrome_events(protozero::pbf_reader bundle);
  void take_fact(const std::string& json);
  void take_ftrace(protozero::pbf_reader bundle);
  void take_switch(std::uint32_t cpu, std::int64_t at_ns, std::string_view name, std::int64_t pid,
                   std::int64_t priority);
  void take_event(protozero::pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence,
                  const PacketHead& head, bool is_own_flow_end);
  void read_event(protozero::pbf_reader event, Sequence& sequence, EventFields& fields);
  void read_legacy(protozero::pbf_reader legacy, const Sequence& sequence, EventFields& fields);
  static void add_counter_value(std::int64_t at_ns, double value, const Sequence& sequence, TrackRecord& to);
  void add_counter_values(const EventFields& fields, const Sequence& sequence);
  void add_end(EventFields&& fields, TrackRecord& to);
  void add_begin_or_instant(EventFields&& fields, Label label, TrackRecord& to, std::uint32_t sequence);
  void add_flow_marks(const EventFields& fields, TrackRecord& to, std::uint32_t event, bool is_of_end);

  // Events of the older kind.
  void add_flow_end(const EventFields& fields, Label label, TrackRecord& to, bool is_own);
  void add_asynchronous(EventFields&& fields, Label label, TrackRecord& of);
  LegacyId legacy_id(const EventFields& fields, Label label);
  // The number of the process that the record is of, where the id is its own.
  std::int64_t process_of(const LegacyId& id, const TrackRecord& record);
  void pair_asynchronous();
  void link_legacy_flows(std::vector<Flow>& flows);

  Annotation read_annotation(protozero::pbf_reader annotation, const Sequence& sequence);
  void take_annotation(protozero::pbf_reader annotation, const std::string& prefix, const Sequence& sequence,
                       std::vector<PlacedValue>& values, int depth);
  void take_nested(protozero::pbf_reader nested, const std::string& name, std::vector<PlacedValue>& values, int depth);
  // A list or an object as JSON.
  void write_annotation(JsonWriter& json, const Annotation& annotation, const Sequence& sequence, int depth);
  PlacedValue json_value(std::string_view name, std::string_view json);

  // Work and counters of GPUs.
  void take_gpu_interned(std::uint32_t field, protozero::pbf_reader entry, GpuTables& tables);
  static void read_counter_specs(protozero::pbf_reader descriptor, GpuTables::CounterSpecs& specs);
  void take_stage(protozero::pbf_reader message, std::optional<std::int64_t> at_ns, Sequence& sequence,
                  std::uint32_t sequence_number);
  Stage read_stage(protozero::pbf_reader message, const Sequence& sequence);
  void take_stage_specs(protozero::pbf_reader specs);
  void read_launch(protozero::pbf_reader launch, const Sequence& sequence, std::vector<PlacedValue>& values);
  void read_compute_argument(protozero::pbf_reader argument, const Sequence& sequence,
                             std::vector<PlacedValue>& values);
  void add_stage_arguments(Stage& stage, std::optional<std::int64_t> lane);
  TrackRecord* device_record(std::int64_t gpu);
  TrackRecord* lane_record(const Stage& stage, Sequence& sequence);
  void take_gpu_counters(protozero::pbf_reader message, std::optional<std::int64_t> at_ns, Sequence& sequence);
  void link_stages(std::vector<Flow>& flows);
  void link_correlated(std::vector<Flow>& flows) const;

  // On the trace's own clock, from the first time that is seen; none where nobody knows.
  std::optional<std::int64_t> time_of(std::uint64_t timestamp, std::uint32_t clock, std::uint32_t sequence_number,
                                      Sequence& sequence);
  // New where it is not known; null, and counted, where there are too many.
  TrackRecord* record(std::uint64_t uuid);
  // One that the file does not number, by what it is.
  TrackRecord* own_record(const std::string& what);
  TrackRecord* cpu_record(std::uint32_t cpu);
  // The text of that number; "", and counted, where nothing said it.
  std::string_view interned(const std::unordered_map<std::uint64_t, std::string>& table, std::uint64_t iid);
  void skip(const std::string& what, std::uint64_t times = 1) { capture_.skipped[what] += times; }

  // Puts the record, and those above it, among the capture's tracks.
  void place(TrackRecord& record);
  void place_under(TrackRecord& record, std::uint32_t parent);
  std::uint32_t process_track(const TrackRecord& thread);
  // In PyTorch's files: the track that the record shares with work of a device; kNoId where it has one of its own.
  std::uint32_t shared_track(TrackRecord& record);
  // In rocprofv3's files: lanes of agents stand below their devices, and arguments have the names that other traces
  // have.
  void adopt_agents();
  std::string name_of(const TrackRecord& record) const;
  // Leaves out what was read of a track beyond those that there may be.
  void leave_out(TrackRecord& record);
  void apply_description(const TrackRecord& record, Track& track);
  void fill(TrackRecord& record);
  void fill_by_time(TrackRecord& record, Track& track);
  void fill_by_place(TrackRecord& record, Track& track);
  std::uint32_t push_event(TrackRecord& record, Track& track, const Mark& mark);
  void end_event(TrackRecord& record, Track& track, std::uint32_t event, const Mark& mark);
  void leave_open(Track& track, std::span<const std::uint32_t> events) const;
  void fill_counter(TrackRecord& record, Track& track);
  void add_arguments(std::uint32_t track, std::uint32_t event, const std::vector<PlacedValue>& values);
  // The value's column, new where the track has none.
  ArgumentColumn& argument_column(std::uint32_t track, const PlacedValue& value);
  void add_flows(std::vector<Flow>& flows);
  void put_flows(std::vector<Flow> flows);
  void add_facts();

  Capture& capture_;
  StringTable& strings_;
  std::map<std::uint32_t, Sequence> sequences_;
  std::map<std::uint32_t, ClockState> clocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ClockState> sequence_clocks_;  // by sequence and clock
  std::optional<std::int64_t> unix_offset_ns_;                                     // of the trace's clock
  std::optional<std::int64_t> origin_ns_, own_origin_ns_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by uuid
  std::deque<TrackRecord> records_;
  std::map<std::string, std::uint64_t> own_uuids_;                                          // see own_record()
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint64_t> processes_of_sequences_;  // by sequence and number
  std::map<std::int32_t, std::uint64_t> processes_;                                         // by number, the last
  std::map<std::int32_t, std::uint64_t> first_processes_;                                   // likewise, the first
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
  std::vector<AsynchronousMark> asynchronous_;
  std::vector<LegacyFlow> legacy_flows_;
  std::vector<StagePlace> stages_;
  std::vector<StageArrow> stage_arrows_;
  std::vector<std::string> queue_names_, stage_names_;  // of files that number them once for all
  GpuTables::CounterSpecs counter_specs_;               // likewise
  bool has_device_work_ = false, is_of_vizd_ = false;
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
  std::uint32_t generation_ = 0;
  std::uint64_t packet_count_ = 0;
  std::int64_t last_ns_ = 0;
  // What tells PyTorch's encoder.
  bool begins_as_pytorch_ = false;
  std::int64_t bare_descriptors_ = 0, bare_ends_ = 0;  // how many more have no sequence, or flags, than have them
};

}  // namespace vizd::perfetto
