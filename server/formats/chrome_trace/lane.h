// Lane: what a trace says of one process's thread, or of a process by itself, while it is read: it becomes a track at
// the end, when it is known whose. LaneTable: all of one trace. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/chrome_trace/pairs.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// A value of an argument with the column it goes to.
struct PlacedValue {
  std::uint32_t column;  // place in Lane::arguments
  ArgumentValue value;
};

class Lane {
 public:
  static constexpr std::uint32_t kNoColumn = kNoId;

  Lane(std::optional<ArgumentValue> process, std::optional<ArgumentValue> thread)
      : process_number(std::move(process)), thread_number(std::move(thread)) {}

  const std::optional<ArgumentValue> process_number, thread_number;
  EventColumns events;
  std::vector<ArgumentColumn> arguments;
  std::vector<Counter> counters;
  StackSamples samples;
  std::vector<StrayEnd> stray_ends;       // that found no open span yet
  StringId name{}, labels{};              // as the metadata has them last
  std::optional<std::int64_t> sort;       // likewise
  bool has_device_work = false;           // or other things that only devices' streams have
  std::uint32_t asynchronous = kNoId;     // the lane of its asynchronous events, in the table
  std::uint32_t asynchronous_of = kNoId;  // or the lane that it is of

  // The place of the column of that key, as it stands in the file, and type; added where there is none. A text is JSON
  // or plain.
  std::uint32_t column(std::string_view key, bool is_hidden, ArgumentType type, bool is_json, StringTable& strings);
  void push_back(const Event& event, const std::vector<PlacedValue>& values);
  // Appends a span that begins: where spans have the same times the outer comes first, as model/event_columns.h asks.
  void open(const Event& begun, const std::vector<PlacedValue>& values);
  // Ends the innermost open span of that name (of any, for kAnyName) that began by then. Returns its place; none where
  // no such span is open.
  std::optional<std::uint32_t> close(std::int64_t at_ns, StringId of_name);
  // After the last record: ends what is open by the stray ends, by time, where the records of begins and ends did not
  // come in its order. Returns the places of spans with the records of their ends; those ends are stray no longer.
  // phase: the name of the argument that all spans have which came as a begin.
  std::vector<std::pair<std::uint32_t, std::size_t>> close_by_time(StringId phase);
  // For everything in the lane.
  void shift_times(std::int64_t by_ns);
  // Arguments of an event that is there.
  void add_arguments(std::uint32_t event, const std::vector<PlacedValue>& values);
  // No more events are to come, nor ends: those that are open were so at end_ns. Durations can be read, and arguments
  // are in order, afterwards.
  void finish(std::int64_t end_ns);

 private:
  struct Key {
    std::string text;
    StringId name;
    bool is_hidden;
    std::uint32_t columns[4] = {kNoColumn, kNoColumn, kNoColumn, kNoColumn};  // integers, reals, texts, JSON
    std::uint32_t next = 0;  // the key that came after it the last time
  };

  struct Begun {
    std::uint32_t place;
    bool is_open;
  };

  void note_mark(std::int64_t at_ns);
  std::vector<Begun> begun_spans(StringId phase) const;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pair_again(const std::vector<Begun>& begun) const;

  NamedStack<std::uint32_t> open_;  // places among the events
  std::int64_t last_mark_ns_ = std::numeric_limits<std::int64_t>::min();
  bool has_disorder_ = false;  // begins and ends do not come in the order of time
  bool has_unnamed_ends_ = false;
  std::deque<Key> keys_;
  std::unordered_map<std::string_view, std::uint32_t> key_places_[2];  // of shown ones, and of hidden ones
  std::uint32_t last_key_ = 0;
  bool has_late_arguments_ = false;  // of events before the last
};

class LaneTable {
 public:
  // Each takes some kilobytes.
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  // Finds the lane of a process and a thread, given as tokens; adds one if there is none; kNoId if there are kMost.
  std::uint32_t find_or_add(std::string_view process, std::string_view thread, StringTable& strings);
  // The first of a thread, as a token, of whichever process; kNoId where there is none.
  std::uint32_t first_of_thread(std::string_view thread);
  std::uint32_t asynchronous_of(std::uint32_t lane);
  // Shifts all times in the lanes.
  void shift_times(std::int64_t by_ns);

  Lane& operator[](std::uint32_t lane) { return lanes_[lane]; }
  std::size_t size() const { return lanes_.size(); }

 private:
  std::deque<Lane> lanes_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::unordered_map<std::string, std::uint32_t>
      threads_;  // the first of each; of those that were there when it was made
  // The lanes found last: events of two or three lanes take turns.
  struct Recent {
    std::string process, thread;
    std::uint32_t lane = kNoId;
  };
  Recent recent_[4];
  unsigned oldest_ = 0;
  std::string key_;
};

}  // namespace vizd::chrome_trace
