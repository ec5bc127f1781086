#include "formats/chrome_trace/trace_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "formats/chrome_trace/copy_names.h"
#include "formats/chrome_trace/recorded_event.h"
#include "formats/chrome_trace/trace_members.h"
#include "formats/chrome_trace/trace_roots.h"
#include "formats/chrome_trace/value_writer.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "model/track_numbers.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kPart_bytes = std::size_t{1} << 20;
// For records that a capture only counts: the count may be anything, whatever the capture holds.
constexpr std::size_t kMostRepeatedBytes = std::size_t{64} << 20;

class RecordWriter {
 public:
  RecordWriter(const Capture& capture, const ProfilePart& part, const WriteText& write)
      : capture_(capture),
        strings_(capture.strings),
        tracks_(capture.profile.tracks),
        selection_(capture, part),
        write_(write),
        roots_(capture),
        values_(strings_) {}

  void write_all() {
    text_ = "{" + trace_members(capture_, roots_, values_);
    text_ += text_.size() > 1 ? ",\n\"traceEvents\":[" : "\"traceEvents\":[";
    put_metadata();
    put_events();
    put_counters();
    put_flow_ends();
    put_events_without_time();
    for (const Marker& marker : capture_.profile.markers) put_marker(marker);
    text_ += "\n]}\n";
    write_(text_);
  }

 private:
  std::string_view text(StringId id) const { return strings_.get(id); }

  // Writes one record: what make(json) adds to its phase, process and thread.
  template <typename Make>
  void put(std::string_view phase, std::uint32_t track, const std::optional<ArgumentValue>& thread, Make&& make) {
    put_plain([&](JsonWriter& json) {
      if (phase != trace::kMissing) json.key("ph").text(phase);
      const std::string& prefix = roots_.of(track).prefix;
      if (const auto process = process_number(tracks_, track)) {
        if (prefix.empty()) {
          write_number(json.key("pid"), *process, strings_);
        } else {
          json.key("pid").text(prefix + value_text(*process, strings_));
        }
      } else if (!prefix.empty()) {
        json.key("pid").text(prefix);
      }
      if (thread) write_number(json.key("tid"), *thread, strings_);
      make(json);
    });
  }

  void write_full_part() {
    if (text_.size() < kPart_bytes) return;
    write_(text_);
    written_bytes_ += text_.size();
    text_.clear();
  }

  // Writes a record so many times, as far as there is room for repeats, and says how many more there were.
  template <typename Write>
  void repeat(std::uint64_t times, Write&& write) {
    for (std::uint64_t i = 0; i < times; ++i) {
      if (i > 0 && repeated_bytes_ >= kMostRepeatedBytes) {
        return put_plain([&](JsonWriter& json) {
          json.key("vizd").text(fmt::format("{} more records like the last are left out", times - i));
        });
      }
      const std::size_t before = written_bytes_ + text_.size();
      write();
      if (i > 0) repeated_bytes_ += written_bytes_ + text_.size() - before;
    }
  }

  template <typename Make>
  void put_plain(Make&& make) {
    if (!std::exchange(is_first_, false)) text_ += ',';
    text_ += '\n';
    JsonWriter json(text_);
    json.begin_object();
    make(json);
    json.end_object();
    write_full_part();
  }

  template <typename Make>
  void put(std::string_view phase, std::uint32_t track, Make&& make) {
    put(phase, track, thread_number(tracks_, track), make);
  }

  void put_time(JsonWriter& json, std::uint32_t track, std::int64_t at_ns) const {
    json.key("ts").raw(as_us(at_ns + roots_.of(track).offset_ns));
  }

  static std::string_view key_of_metadata(std::string_view name) {
    if (name == "process_labels") return "labels";
    if (name == "process_sort_index" || name == "thread_sort_index") return "sort_index";
    return "name";
  }

  void put_metadata() {
    for (const Fact& fact : capture_.facts) {
      if (fact.track == kNoId || fact.track == roots_.of(fact.track).track) continue;
      const std::string_view name = trace::fact_name(text(fact.name), fact.is_hidden);
      if (name.empty() && text(fact.name) != name) continue;
      repeat(fact.times, [&] {
        put("M", fact.track, [&](JsonWriter& json) {
          if (name != trace::kMissing) json.key("name").text(name);
          json.key("args");
          const StringId* const object = values_.json_of(fact.value, fact.unit);
          if (object != nullptr && text(*object).starts_with('{')) {
            json.raw(text(*object));
          } else {
            values_.put(json.begin_object().key(key_of_metadata(name)), fact.value, fact.unit);
            json.end_object();
          }
        });
      });
    }
  }

  void put_events() {
    struct Place {
      std::uint32_t order, track, event;
    };
    LargeVector<Place> places;
    selection_.for_each_event([&](std::uint32_t track, std::uint32_t i, const Event& event) {
      places.push_back({event.order, track, i});
    });
    std::ranges::stable_sort(places, {}, &Place::order);
    for (const Place& place : places) put_event(place.track, place.event);
  }

  void put_event(std::uint32_t track, std::uint32_t i) {
    const Event event = tracks_[track].events[i];
    recorded_.read(selection_, strings_, roots_, track, i);
    std::string_view phase = "X", end;
    switch (event.kind) {
      case EventKind::kSpan:
        if (recorded_.phase) phase = "B", end = "E";
        break;
      case EventKind::kInstant:
        phase = recorded_.phase.value_or("i");
        break;
      case EventKind::kUnfinished:
        phase = recorded_.phase.value_or("B");
        break;
      case EventKind::kAsynchronous:
        phase = recorded_.phase == "S" ? "S" : "b";
        end = phase == "S" ? "F" : "e";
        break;
    }
    const bool needs_id = event.kind == EventKind::kAsynchronous && !recorded_.has_id;
    const auto own_thread = recorded_.thread ? thread_of(*recorded_.thread) : thread_number(tracks_, track);
    put(phase, track, own_thread, [&](JsonWriter& json) {
      put_name(json, event);
      put_time(json, track, event.start_ns);
      if (phase == "X") json.key("dur").raw(as_us(event.dur_ns, event.dur_ps));
      if (phase == "i" && !recorded_.has_scope) json.key("s").text("t");
      put_recorded(json);
      if (needs_id) json.key("id").number(asynchronous_);
    });
    if (end.empty()) return;
    const auto thread = recorded_.end_thread ? thread_of(*recorded_.end_thread) : thread_number(tracks_, track);
    put(end, track, thread, [&](JsonWriter& json) {
      if (end == "E") {
        if (recorded_.end_category) write_value(json.key("cat"), *recorded_.end_category, strings_);
      } else {
        put_name(json, event);
        for (const auto& [name, value, unit] : recorded_.members) {
          if (name == "id" || name == "id2") values_.put(json.key(name), value, unit);
        }
        if (needs_id) json.key("id").number(asynchronous_);
      }
      put_time(json, track, event.start_ns + event.dur_ns);
    });
    if (needs_id) ++asynchronous_;
  }

  std::optional<ArgumentValue> thread_of(const ArgumentValue& value) const {
    const auto* const name = std::get_if<StringId>(&value);
    return name != nullptr && text(*name) == "null" ? std::nullopt : std::optional(value);
  }

  void put_name(JsonWriter& json, const Event& event) {
    const bool has_copy_kind = std::ranges::any_of(
        recorded_.arguments, [](const auto& argument) { return std::get<0>(argument) == kCopyKind; });
    std::string name(recorded_copy_name(text(event.name), has_copy_kind));
    json.key("name").text(name.append(recorded_.name_end));
    if (recorded_.category) {
      values_.put(json.key("cat"), recorded_.category->first, recorded_.category->second);
    } else if (event.category != StringId{}) {
      json.key("cat").text(text(event.category));
    }
  }

  std::string_view category_text(StringId category) const {
    return text(category) == trace::kEmptyCategory ? std::string_view() : text(category);
  }

  // For a flow's end or a counter.
  void put_category(JsonWriter& json, StringId category) const {
    if (category != StringId{}) json.key("cat").text(category_text(category));
  }

  void put_recorded(JsonWriter& json) {
    for (const auto& [name, value, unit] : recorded_.members) values_.put(json.key(name), value, unit);
    if (recorded_.other_arguments) {
      values_.put(json.key("args"), recorded_.other_arguments->first, recorded_.other_arguments->second);
    } else if (!recorded_.arguments.empty()) {
      json.key("args").begin_object();
      for (const auto& [name, value, unit] : recorded_.arguments) values_.put(json.key(name), value, unit);
      json.end_object();
    }
  }

  // The values of one name and time are one record, those of one series another each.
  void put_counters() {
    struct Value {
      std::int64_t at_ns;
      std::uint32_t record;  // among those of its time
      const Counter* counter;
      double value;
    };
    const std::map<std::pair<std::uint32_t, StringId>, ArgumentValue> threads = counter_threads();
    const bool has_memory_events = strings_.find(trace::kMemoryEvent) != StringId{kNoId};
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!selection_.takes(tracks_[t])) continue;
      if (tracks_[t].kind == TrackKind::kMemory && has_memory_events) continue;  // made of events
      std::map<std::pair<StringId, StringId>, std::vector<Value>> by_counter;
      for (const Counter& counter : tracks_[t].counters) {
        std::map<std::int64_t, std::uint32_t> seen;
        for (std::size_t i = 0; i < counter.at_ns.size(); ++i) {
          if (!selection_.takes(counter.at_ns[i], counter.at_ns[i])) continue;
          by_counter[{counter.name, counter.category}].push_back(
              {counter.at_ns[i], seen[counter.at_ns[i]]++, &counter, counter.value[i]});
        }
      }
      for (auto& [name, values] : by_counter) {
        std::ranges::stable_sort(values, {}, [](const Value& v) { return std::pair(v.at_ns, v.record); });
        for (std::size_t i = 0; i < values.size();) {
          const Value first = values[i];
          const auto thread = threads.find({t, first.counter->name});
          put("C", t, thread == threads.end() ? thread_number(tracks_, t) : std::optional(thread->second),
              [&](JsonWriter& json) {
                json.key("name").text(text(first.counter->name));
                put_category(json, first.counter->category);
                put_time(json, t, first.at_ns);
                json.key("args").begin_object();
                for (; i < values.size() && values[i].at_ns == first.at_ns && values[i].record == first.record; ++i) {
                  const std::string_view series = text(values[i].counter->series);
                  json.key(series.empty() ? "value" : series).real(values[i].value);
                }
                json.end_object();
              });
        }
      }
    }
  }

  // By track and name of a counter the thread that its records are of.
  std::map<std::pair<std::uint32_t, StringId>, ArgumentValue> counter_threads() const {
    std::map<std::pair<std::uint32_t, StringId>, ArgumentValue> threads;
    for (const Fact& fact : capture_.facts) {
      if (fact.is_hidden && text(fact.name) == kCounterThread) threads[{fact.track, fact.subject}] = fact.value;
    }
    return threads;
  }

  // By category what its flows are called.
  std::map<StringId, StringId> flow_names() const {
    std::map<StringId, StringId> names;
    for (const Fact& fact : capture_.facts) {
      const auto* const name = std::get_if<StringId>(&fact.value);
      if (fact.is_hidden && name != nullptr && text(fact.name) == kFlowName) names[fact.subject] = *name;
    }
    return names;
  }

  void put_flow_ends() {
    const FlowEnds& ends = capture_.profile.flow_ends;
    const std::map<StringId, StringId> names = flow_names();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const FlowEnd end = ends[i];
      if (!selection_.takes(tracks_[end.track]) || !selection_.takes(end.at_ns, end.at_ns)) continue;
      const bool is_finish = end.kind == FlowEnd::Kind::kFinish;
      put(is_finish                           ? "f"
          : end.kind == FlowEnd::Kind::kStart ? "s"
                                              : "t",
          end.track, [&](JsonWriter& json) {
            const auto named = names.find(end.category);
            json.key("name").text(named != names.end()         ? text(named->second)
                                  : end.category == StringId{} ? "flow"
                                                               : category_text(end.category));
            put_category(json, end.category);
            put_time(json, end.track, end.at_ns);
            const std::string& prefix = roots_.of(end.track).prefix;
            if (end.id_type == FlowEnd::IdType::kInteger && prefix.empty()) json.key("id").number(end.id);
            if (end.id_type == FlowEnd::IdType::kInteger && !prefix.empty())
              json.key("id").text(fmt::format("{}{}", prefix, end.id));
            if (end.id_type == FlowEnd::IdType::kText)
              json.key("id").text(prefix + std::string(text(to_id<StringId>(static_cast<std::size_t>(end.id)))));
            if (is_finish && end.is_of_enclosing) json.key("bp").text("e");
          });
    }
  }

  // They had nothing that can be shown, but count.
  void put_events_without_time() {
    for (const Fact& fact : capture_.facts) {
      const auto root = std::ranges::find(roots_.all(), fact.track, &Root::track);
      const auto* const times = std::get_if<std::int64_t>(&fact.value);
      if (!fact.is_hidden || text(fact.name) != trace::kWithoutTime || root == roots_.all().end() || times == nullptr)
        continue;
      repeat(static_cast<std::uint64_t>(std::max<std::int64_t>(*times, 0)), [&] {
        put_plain([&](JsonWriter& json) {
          if (text(fact.subject) != trace::kMissing) json.key("ph").text(text(fact.subject));
          if (!root->prefix.empty()) json.key("pid").text(root->prefix);
        });
      });
    }
  }

  void put_marker(const Marker& marker) {
    if (!selection_.takes(marker.at_ns, marker.at_ns) || tracks_.empty()) return;
    put("i", 0, [&](JsonWriter& json) {
      json.key("name").text(text(marker.name));
      put_time(json, 0, marker.at_ns);
      json.key("s").text("g");
    });
  }

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const ProfileSelection selection_;
  const WriteText& write_;
  const TraceRoots roots_;
  ValueWriter values_;
  RecordedEvent recorded_;
  std::string text_;  // is not handed on yet, after so many bytes that are
  std::size_t written_bytes_ = 0, repeated_bytes_ = 0;
  bool is_first_ = true;
  std::uint64_t asynchronous_ = 0;  // so many were written that had no id
};

}  // namespace

void write_trace(const Capture& capture, const ProfilePart& part, const WriteText& write) {
  RecordWriter(capture, part, write).write_all();
}

std::string as_us(std::int64_t ns, std::uint32_t ps) {
  const std::int64_t fraction = std::abs(ns % 1000);
  const char* sign = ns < 0 && ns > -1000 ? "-" : "";
  if (ps != 0 && ns >= 0) return fmt::format("{}.{:03}{:03}", ns / 1000, fraction, ps);
  return fraction == 0 ? std::to_string(ns / 1000) : fmt::format("{}{}.{:03}", sign, ns / 1000, fraction);
}

}  // namespace vizd::chrome_trace
