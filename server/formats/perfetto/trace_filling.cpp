// The end of a reading: events and counters go into their tracks, and what leads to what is told.
//
// Ends of slices are paired with their begins by time, as Perfetto does it: an end closes the last slice of its track
// that is open. In files of PyTorch's encoder, whose slices need not nest, they are paired by place: begins of a track
// that follow each other are followed by as many ends in the same order.
#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/perfetto/event_flows.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/span_stack.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

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

std::uint32_t TraceDecoder::push_event(TrackRecord& of, Track& track, const Mark& mark) {
  const auto place = static_cast<std::uint32_t>(track.events.size());
  Event& event = of.events[mark.place];
  if (event.category == StringId{}) event.category = of.usual_category;
  track.events.push_back(event);
  of.places[mark.place] = place;
  add_arguments(of.track, place, of.values[mark.place]);
  return place;
}

void TraceDecoder::end_event(TrackRecord& of, Track& track, std::uint32_t event, const Mark& mark) {
  const std::int64_t dur_ns = std::max<std::int64_t>(mark.at_ns - track.events.start_ns(event), 0);
  track.events.end(event, dur_ns, track.events.kind(event));
  if (mark.place == 0) return;
  of.ended[mark.place - 1] = event;
  add_arguments(of.track, event, of.end_values[mark.place - 1]);
}

void TraceDecoder::fill_by_time(TrackRecord& of, Track& track) {
  std::ranges::stable_sort(of.marks, {}, &Mark::at_ns);
  std::vector<std::uint32_t> open;
  for (const Mark& mark : of.marks) {
    if (mark.type != Mark::Type::kEnd) {
      const std::uint32_t place = push_event(of, track, mark);
      if (mark.type == Mark::Type::kBegin) open.push_back(place);
    } else if (open.empty()) {
      skip("ends of slices that had not begun");
    } else {
      end_event(of, track, open.back(), mark);
      open.pop_back();
    }
  }
  leave_open(track, open);
}

void TraceDecoder::fill_by_place(TrackRecord& of, Track& track) {
  std::vector<std::uint32_t> begun;
  std::size_t ended = 0;  // of those
  const auto leave_rest = [&] {
    leave_open(track, std::span(begun).subspan(ended));
    begun.clear();
    ended = 0;
  };
  for (const Mark& mark : of.marks) {
    if (mark.type != Mark::Type::kEnd) {
      if (ended > 0) leave_rest();
      const std::uint32_t place = push_event(of, track, mark);
      if (mark.type == Mark::Type::kBegin) begun.push_back(place);
    } else if (ended == begun.size()) {
      skip("ends of slices that had not begun");
    } else {
      end_event(of, track, begun[ended++], mark);
    }
  }
  leave_rest();
}

void TraceDecoder::leave_open(Track& track, std::span<const std::uint32_t> events) const {
  for (const std::uint32_t event : events)
    track.events.end(event, std::max<std::int64_t>(last_ns_ - track.events.start_ns(event), 0), EventKind::kUnfinished);
}

void TraceDecoder::fill(TrackRecord& of) {
  if (of.track == kNoId) return;
  Track& track = capture_.profile.tracks[of.track];
  of.places.resize(of.events.size());
  of.ended.assign(of.end_values.size(), kNoId);
  if (is_of_pytorch()) {
    fill_by_place(of, track);
  } else {
    fill_by_time(of, track);
  }
  track.events.settle();
  of.marks = {};
  of.events = {};
  of.values = {};
  of.end_values = {};
  if (!of.counter.at_ns.empty()) fill_counter(of, track);
}

// Values that are differences add up, for each sequence from where its state was cleared.
void TraceDecoder::fill_counter(TrackRecord& of, Track& track) {
  std::unordered_map<std::uint32_t, double> sums;  // by generation
  for (std::size_t i = 0; i < of.counter.value.size(); ++i) {
    double value = of.counter.value[i] * static_cast<double>(of.counter_multiplier);
    if (of.is_incremental) value = sums[of.generations[i]] += value;
    of.counter.value.set(i, value);
  }
  of.generations = {};
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

// A flow goes from each event that has its number to the next that has.
void TraceDecoder::add_flows(std::vector<Flow>& flows) {
  std::ranges::stable_sort(flows_, {},
                           [](const FlowMark& mark) { return std::tuple(mark.is_bound, mark.id, mark.at_ns); });
  struct Place {
    std::uint32_t track, event;
  };
  const auto place_of = [](const FlowMark& mark) {
    const TrackRecord& record = *mark.record;
    return Place{record.track, mark.is_of_end ? record.ended[mark.event - 1] : record.places[mark.event]};
  };
  const FlowMark* last = nullptr;
  for (const FlowMark& mark : flows_) {
    if (mark.record->track == kNoId) continue;
    const Place here = place_of(mark);
    if (here.event == kNoId) continue;
    if (last != nullptr && (last->id != mark.id || last->is_bound != mark.is_bound)) last = nullptr;
    if (last != nullptr && mark.leads_to) {
      Place from = place_of(*last), to = here;
      if (!mark.is_bound && EventFlows::is_turned(mark.id)) std::swap(from, to);
      flows.push_back({from.track, from.event, to.track, to.event});
    }
    if (mark.leads_on) {
      last = &mark;
    } else if (!mark.is_bound) {
      last = nullptr;
    }
  }
}

// What led there twice does so once.
void TraceDecoder::put_flows(std::vector<Flow> flows) {
  const auto key = [](const Flow& flow) {
    return std::tuple(flow.from_track, flow.from_event, flow.to_track, flow.to_event);
  };
  if (has_device_work_) {
    std::ranges::sort(flows, {}, key);
    const auto rest = std::ranges::unique(flows, {}, key);
    flows.erase(rest.begin(), rest.end());
  }
  for (const Flow& flow : flows) capture_.profile.flows.push_back(flow);
}

void TraceDecoder::add_facts() {
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
}

void TraceDecoder::finish() {
  for (auto& [cpu, running] : running_) {
    if (running.pid != 0) take_switch(cpu, last_ns_, "", 0, 0);
  }
  adopt_agents();
  // Processes before the threads that hang on them, and lanes of devices before what may share them.
  const auto turn_of = [](const TrackRecord& record) {
    return record.pid && !record.tid                                                    ? 0
           : record.uuid >= kFirstOwnUuid && record.uuid < kFirstOwnUuid + kMostRecords ? 1
                                                                                        : 2;
  };
  for (const int turn : {0, 1, 2}) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!records_[i].is_placed && turn_of(records_[i]) == turn) place(records_[i]);
    }
  }
  pair_asynchronous();
  for (TrackRecord& of : records_) fill(of);
  std::vector<Flow> flows;
  add_flows(flows);
  link_legacy_flows(flows);
  link_stages(flows);
  if (has_device_work_ && !is_of_vizd_) {
    trace::tell_roles(capture_);
    link_correlated(flows);
  }
  put_flows(std::move(flows));
  for (LegacyFlowEnd& legacy : flow_ends_) {
    if (legacy.record->track == kNoId) continue;
    legacy.end.track = legacy.record->track;
    capture_.profile.flow_ends.push_back(legacy.end);
  }
  add_facts();
  std::int64_t unix_offset_ns = 0;
  if (unix_offset_ns_ && !__builtin_add_overflow(*unix_offset_ns_, origin_ns_.value_or(0), &unix_offset_ns) &&
      is_possible_offset(unix_offset_ns))
    capture_.profile.clock.unix_offset_ns = unix_offset_ns;
}

}  // namespace vizd::perfetto
