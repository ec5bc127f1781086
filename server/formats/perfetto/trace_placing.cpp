// The end of a reading: what was read by track goes among the capture's tracks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/perfetto/event_flows.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/span_stack.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

void TraceDecoder::apply_description(const TrackRecord& of, Track& track) {
  const OwnJson json(of.description);
  if (const auto kind = json.text("kind")) track.kind = track_kind(*kind);
  if (const auto number = json.integer("number")) track.number = *number;
  if (const auto number = json.text("number")) track.number = strings_.add(*number);
}

void TraceDecoder::place(TrackRecord& of) {
  // From the one that is to be placed up to one that is, or has no parent; a circle ends where it closes.
  std::vector<TrackRecord*> path{&of};
  of.is_placed = true;
  while (path.back()->parent != 0) {
    TrackRecord* const above = record(path.back()->parent);
    if (above == nullptr || above->is_placed) break;
    above->is_placed = true;
    path.push_back(above);
  }
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    TrackRecord& next = **at;
    std::uint32_t parent = Track::kNoParent;
    if (const auto above = places_.find(next.parent); next.parent != 0 && above != places_.end())
      parent = records_[above->second].track;
    // A thread whose process has a track hangs on it.
    if (parent == Track::kNoParent && next.tid && next.pid) {
      if (const auto process = process_tracks_.find(*next.pid); process != process_tracks_.end())
        parent = process->second;
    }
    place_under(next, parent);
  }
}

void TraceDecoder::place_under(TrackRecord& of, std::uint32_t parent) {
  std::vector<Track>& tracks = capture_.profile.tracks;
  // Slices that overlap were written beside their track, and a counter is its track's.
  if (parent != Track::kNoParent &&
      (of.description == R"({"kind":"overlapping"})" || (of.is_counter && of.events.empty()))) {
    of.track = parent;
    return;
  }
  if (track_count_ == kMostTracks) return leave_out(of);
  ++track_count_;
  std::string name = of.name;
  const auto known = [](const std::map<std::int32_t, std::string>& names, std::int32_t number) {
    const auto found = names.find(number);
    return found == names.end() ? std::string() : found->second;
  };
  if (name.empty()) name = of.tid ? of.thread_name : of.process_name;
  if (name.empty() && of.tid) name = known(thread_names_, *of.tid);
  if (name.empty() && of.tid) name = fmt::format("thread {}", *of.tid);
  if (name.empty() && of.pid) name = known(process_names_, *of.pid);
  if (name.empty() && of.pid) name = fmt::format("process {}", *of.pid);
  if (name.empty()) name = of.uuid == 0 ? "events without a track" : fmt::format("track {}", of.uuid);
  of.track = static_cast<std::uint32_t>(tracks.size());
  Track& track = tracks.emplace_back();
  track.name = strings_.add(name);
  track.parent = parent;
  track.kind = of.tid ? TrackKind::kThread : of.pid ? TrackKind::kProcess : TrackKind::kOther;
  if (of.tid || of.pid) track.number = std::int64_t{of.tid ? *of.tid : *of.pid};
  track.sort = of.sort.value_or(0);
  apply_description(of, track);
  if (of.pid && !of.tid) process_tracks_[*of.pid] = of.track;
}

void TraceDecoder::leave_out(TrackRecord& of) {
  skip("tracks beyond 65,536");
  const std::size_t events = of.events.size() + of.counter.at_ns.size();
  if (events > 0) skip("events of tracks beyond 65,536", events);
  of.events = {};
  of.values = {};
  of.end_values = {};
  of.marks = {};
  of.counter = {};
}

ArgumentColumn& TraceDecoder::argument_column(std::uint32_t track, const PlacedValue& value) {
  std::vector<ArgumentColumn>& columns = capture_.profile.tracks[track].arguments;
  const ArgumentType type = type_of(value.value);
  // Events of one sort have the same arguments in the same order.
  if (next_argument_ < columns.size()) {
    ArgumentColumn& next = columns[next_argument_];
    if (next.name == value.name && next.unit == value.unit && next.type == type) return ++next_argument_, next;
  }
  const auto [found, is_new] = argument_places_.try_emplace({track, value.name, value.unit, type}, columns.size());
  if (is_new) {
    ArgumentColumn& added = columns.emplace_back();
    added.name = value.name;
    added.unit = value.unit;
    added.type = type;
  }
  next_argument_ = found->second + 1;
  return columns[found->second];
}

void TraceDecoder::add_arguments(std::uint32_t track, std::uint32_t event, const std::vector<PlacedValue>& values) {
  next_argument_ = 0;
  for (const PlacedValue& value : values) argument_column(track, value).push_back(event, value.value);
}

void TraceDecoder::fill(TrackRecord& of) {
  if (of.track == kNoId) return;
  Track& track = capture_.profile.tracks[of.track];
  std::ranges::stable_sort(of.marks, {}, &Mark::at_ns);
  of.places.resize(of.events.size());
  SpanStack open;
  for (const Mark& mark : of.marks) {
    if (mark.type == Mark::Type::kEnd) {
      const auto ended = open.close(track.events, mark.at_ns);
      if (!ended) skip("ends of slices that had not begun");
      if (ended && mark.place != 0) add_arguments(of.track, *ended, of.end_values[mark.place - 1]);
      continue;
    }
    const auto place = static_cast<std::uint32_t>(track.events.size());
    if (mark.type == Mark::Type::kBegin) {
      open.open(track.events, of.events[mark.place]);
    } else {
      track.events.push_back(of.events[mark.place]);
    }
    of.places[mark.place] = place;
    add_arguments(of.track, place, of.values[mark.place]);
  }
  open.finish(track.events, last_ns_);
  of.marks = {};
  of.events = {};
  of.values = {};
  if (of.counter.at_ns.empty()) return;
  of.counter.name = strings_.add(of.name.empty() ? "counter" : of.name);
  of.counter.unit = strings_.add(of.counter_unit);
  const OwnJson json(of.description);
  const auto take = [&](const char* key, StringId& to) {
    if (const auto text = json.text(key)) to = strings_.add(*text);
  };
  take("counter", of.counter.name);
  take("series", of.counter.series);
  take("category", of.counter.category);
  track.counters.push_back(std::move(of.counter));
}

void TraceDecoder::add_flows() {
  Profile& profile = capture_.profile;
  // A flow goes from each event that has its number to the next that has.
  std::ranges::stable_sort(flows_, {}, [](const FlowMark& mark) { return std::pair(mark.id, mark.at_ns); });
  const FlowMark* last = nullptr;
  for (const FlowMark& mark : flows_) {
    if (mark.record->track == kNoId) continue;
    if (last != nullptr && last->id == mark.id) {
      const FlowMark *from = last, *to = &mark;
      if (EventFlows::is_turned(mark.id)) std::swap(from, to);
      profile.flows.push_back(
          {from->record->track, from->record->places[from->event], to->record->track, to->record->places[to->event]});
    }
    last = mark.is_end ? nullptr : &mark;
  }
}

void TraceDecoder::finish() {
  for (auto& [cpu, running] : running_) {
    if (running.pid != 0) take_switch(cpu, last_ns_, "", 0, 0);
  }
  // Processes before the threads that hang on them.
  for (const bool is_process : {true, false}) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!records_[i].is_placed && (records_[i].pid && !records_[i].tid) == is_process) place(records_[i]);
    }
  }
  for (TrackRecord& of : records_) fill(of);
  add_flows();
  for (LegacyFlowEnd& legacy : flow_ends_) {
    if (legacy.record->track == kNoId) continue;
    legacy.end.track = legacy.record->track;
    capture_.profile.flow_ends.push_back(legacy.end);
  }
  for (PendingFact& pending : facts_) {
    const auto found = places_.find(pending.track);
    if (pending.track != 0 && found != places_.end()) {
      pending.fact.track = records_[found->second].track;
      if (pending.fact.track == kNoId) continue;
    }
    const std::string_view name = strings_.get(pending.fact.name);
    auto* const number = std::get_if<std::int64_t>(&pending.fact.value);
    const bool is_offset = number != nullptr && name == fact::kTimeOffset_ns;
    if ((is_offset && __builtin_add_overflow(*number, origin_ns_.value_or(0), number)) ||
        !trace::is_possible_fact(name, pending.fact.value)) {
      skip("facts that cannot be true");
      continue;
    }
    capture_.facts.push_back(pending.fact);
  }
  std::int64_t unix_offset_ns = 0;
  if (unix_offset_ns_ && !__builtin_add_overflow(*unix_offset_ns_, origin_ns_.value_or(0), &unix_offset_ns) &&
      is_possible_offset(unix_offset_ns))
    capture_.profile.clock.unix_offset_ns = unix_offset_ns;
}

}  // namespace vizd::perfetto
