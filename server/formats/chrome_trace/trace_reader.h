// TraceReader: one trace's events and members, in the order of the file, as a profile. What it reads lies in lanes
// until all is there; finish() then adds it to the capture. One thread.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/chrome_trace/event_parser.h"
#include "formats/chrome_trace/lane.h"
#include "formats/chrome_trace/trace_splitter.h"
#include "formats/chrome_trace/tracks.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// What is known of a trace beside its events, once it is read.
struct TraceFacts {
  std::optional<std::int64_t> base_time_ns;  // Unix time of its time 0
  std::int64_t origin_ns = 0;                // of its own times, the one that is the lanes' 0
  std::optional<ArgumentValue> rank;
  bool is_wide = false;  // its times lie many years apart
};

class TraceReader final : public TraceParts {
 public:
  explicit TraceReader(Capture& capture) : capture_(capture), strings_(capture.strings) {}

  bool take_event(std::string_view json) override;
  void take_stranger() override;
  void take_member(std::string_view key, std::string_view value) override;

  std::uint64_t event_count() const { return records_; }
  const TraceFacts& facts() const { return facts_; }

  // Adds to the capture's profile what was read, shift_ns later; below a track of that name where the trace has no rank
  // and the name is not empty. Once.
  void finish(std::int64_t shift_ns, const std::string& root_name);

 private:
  struct PendingFact {
    std::uint32_t lane = kNoId;  // of which it is; kNoId: of the trace
    Fact fact;
    std::size_t root = 0;  // of several that were combined
  };
  struct OpenAsynchronous {
    std::uint32_t lane, base_lane;
    std::uint32_t event;  // among the lane's
  };
  // What one id of asynchronous events has open, and ends of it that found no begin.
  struct Asynchronous {
    NamedStack<OpenAsynchronous> open;
    std::vector<StrayEnd> stray_ends;
  };
  // A record that is understood once all are there.
  struct PutOff {
    std::string json;
    std::uint64_t order = 0;
  };

  // Whether the record is work whose recorder may not have known its time: it stands at 0, or years before that.
  bool may_lack_time(std::string_view phase) const;
  // Takes such work, or leaves it out where all else is much later.
  void take_untimed();
  // The thread that the record is of: its own, or its stream where it is work of no process.
  std::string_view thread_of_record();
  // The lane of the record's process and that thread; kNoId, and counted, where there are too many.
  std::uint32_t find_lane(std::string_view thread);
  void take_metadata();
  void take_timed(std::string_view phase, std::int64_t at_ns);
  void take_complete(std::int64_t at_ns);
  void take_begin(std::int64_t at_ns);
  void take_end(std::int64_t at_ns);
  void take_asynchronous(std::string_view phase, std::int64_t at_ns);
  // What pairs an asynchronous record with others, in pairing_.
  void find_pairing(bool is_legacy);
  // What the record that is read tells of the span, or asynchronous event, that it ends.
  void add_end(std::uint32_t lane, std::uint32_t event);
  void add_asynchronous_end(const OpenAsynchronous& begun, std::int64_t at_ns);
  std::int64_t start_ns(const OpenAsynchronous& begun) { return lanes_[begun.lane].events.start_ns(begun.event); }
  // The name that the end that is read asks for.
  StringId name_of_end() { return text_or_empty(parsed_.name).empty() ? kAnyName : intern(parsed_.name); }

  // Puts off the record that is read; its place among those that are.
  std::size_t put_off();
  // Reads such a record once more: parsed_ and lane_ are its.
  void read_again(std::size_t put_off);
  // Pairs by time what the order of the file has left over; ends that are of nothing become instants.
  void pair_by_times();
  void pair_asynchronous(Asynchronous& of);
  void take_instant(std::uint32_t lane, std::string_view phase, std::int64_t at_ns);
  void take_counter(std::int64_t at_ns);
  void take_flow_end(std::string_view phase, std::int64_t at_ns);

  // The role of an event of that category and name.
  EventRole role_of(StringId category, StringId name);
  // The event that is being read: what all kinds have. Its values are in values_.
  Event event(std::uint32_t lane, std::int64_t at_ns, EventKind kind);
  void add_arguments(Lane& lane);
  void add_argument(Lane& lane, const Member& argument) { add_value(lane, argument.key, argument.value, false); }
  void add_value(Lane& lane, std::string_view key, std::string_view token, bool is_hidden = true);
  void add_text(Lane& lane, std::string_view key, std::string_view text);
  StringId intern(std::string_view token) { return strings_.add(text_or_empty(token)); }
  StringId intern_word(std::string_view token);
  // The category of a record that has no arguments of its own to keep it in.
  StringId category_of_record();
  std::string_view text_or_empty(std::string_view token);
  // What the token means, in scratch_ where it has escapes.
  std::string_view meaning_of(std::string_view token);
  ArgumentValue value_of(std::string_view token, bool& is_json);
  // Whether the time can be kept: the first that can says what the lanes' 0 is.
  std::optional<std::int64_t> time_of(std::string_view token);
  // Counts all times from between the earliest and the latest, that one among them; false where they do not fit.
  bool move_origin(std::int64_t time_ns);
  void add_fact(std::string_view subject, std::string_view name, std::string_view token, std::uint32_t lane = kNoId);
  void close_open_events();
  // Puts the samples that the trace lists into the lanes of their threads.
  void take_samples();
  // What people need to know of the records as a whole.
  void add_notes();
  // Takes back what a member of that name said: of two the last counts.
  void forget(const std::string& key);
  // What a trace that was made of several says of each of them.
  void take_combined(std::string_view list);
  // An object's members: of one that is damaged those that are not, the others counted.
  void read_object(std::string_view json, std::vector<Member>& members);
  void take_combined_facts(std::size_t root, std::string_view facts);
  std::vector<TraceRoot> roots(const std::string& root_name) const;
  // The ranks whose labels ("[TP01] ") all processes' numbers begin with; none where one has no label.
  std::vector<TraceRoot> labelled_roots();
  // Takes those for the traces that this one was made of.
  void take_labels();
  void add_counter_threads();
  void add_flow_ends(const Tracks& tracks, std::int64_t shift_ns);

  Capture& capture_;
  StringTable& strings_;
  EventParser parser_;
  ParsedEvent parsed_;
  LaneTable lanes_;
  std::vector<PlacedValue> values_;
  std::unordered_map<std::string, Asynchronous> asynchronous_;  // by what pairs them
  std::vector<PutOff> put_off_;
  std::vector<std::size_t> untimed_;  // work whose time may not be known, among those
  std::uint64_t empty_records_ = 0;   // {}
  std::uint64_t ends_alone_ = 0;      // that have no begin
  std::uint64_t negative_durations_ = 0;
  std::uint64_t unescaped_texts_ = 0;                               // whose backslashes are not escaped
  std::map<std::string, std::uint64_t, std::less<>> without_time_;  // by phase
  std::map<std::tuple<std::uint32_t, StringId, StringId, StringId>, std::size_t>
      counter_places_;  // of each lane's, by name, series and category
  // By lane and name the thread whose records a counter's are, as a token; none where several write it.
  std::map<std::pair<std::uint32_t, StringId>, std::optional<std::string>> counter_threads_;
  std::unordered_map<StringId, EventRole> roles_;  // by category
  FlowEnds flow_ends_;                             // of lanes' numbers
  Column<std::uint32_t> flow_end_names_;           // of each, a StringId
  std::map<StringId, StringId> flow_names_;        // by category; kNoId: they have several
  std::vector<PendingFact> pending_facts_;
  std::set<std::string> members_;  // that were read, of the root whose facts are read
  std::map<std::tuple<std::uint32_t, std::size_t, StringId, StringId, std::size_t, std::int64_t>, std::size_t>
      fact_places_;  // by lane, root, subject, name and value
  TraceFacts facts_;
  std::string samples_, stack_frames_;  // the members of these names
  std::vector<TraceRoot> combined_;
  std::size_t root_ = 0;  // whose facts are read
  int origins_ = 0;       // so many times it was said what the lanes' 0 is
  std::uint64_t records_ = 0;
  std::uint32_t lane_ = kNoId;                                           // of the event that is read
  std::int64_t first_ns_ = 0, last_ns_ = 0;                              // of the times kept, and 0
  std::int64_t earliest_ns_ = std::numeric_limits<std::int64_t>::max();  // in the file's times
  std::string_view record_;                                              // the text of the event that is read
  std::string scratch_, phase_scratch_, json_, pairing_, shortened_, stream_;
};

}  // namespace vizd::chrome_trace
