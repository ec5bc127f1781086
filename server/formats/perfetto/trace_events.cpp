// Track events: begins, ends, instants, counters, with their flows. One is read whole, and then put where its kind
// belongs.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

void TraceDecoder::EventFields::add_category(std::string_view text) {
  if (!category.empty()) category += ',';
  category += text;
}

bool TraceDecoder::EventFields::is_counter() const { return type == f::event::kCounter || (type == 0 && number); }
bool TraceDecoder::EventFields::is_flow_end() const { return phase == 's' || phase == 't' || phase == 'f'; }
bool TraceDecoder::EventFields::is_asynchronous() const {
  return type == 0 && std::string_view("benSTpF").find(phase) != std::string_view::npos && phase != '\0';
}
bool TraceDecoder::EventFields::is_end() const { return type == f::event::kEnd || (type == 0 && phase == 'E'); }
bool TraceDecoder::EventFields::is_begin() const {
  return type == f::event::kBegin || (type == 0 && (phase == 'B' || phase == 'X'));
}
bool TraceDecoder::EventFields::is_instant() const {
  return type == f::event::kInstant || phase == 'i' || phase == 'I';
}

void TraceDecoder::read_event(pbf_reader event, Sequence& sequence, EventFields& fields) {
  while (event.next()) {
    const Field tag = event.tag();
    switch (tag) {
      case f::event::kType:
        fields.type = event.get_uint32();
        break;
      case f::event::kTrack:
        fields.track = event.get_uint64();
        break;
      case f::event::kName:
        fields.name = to_text(event.get_view());
        break;
      case f::event::kNameIid:
        fields.name = interned(sequence.names, event.get_uint64());
        break;
      case f::event::kCategories:
        fields.add_category(to_text(event.get_view()));
        break;
      case f::event::kCategoryIids:
        for_each_number(event, false,
                        [&](std::uint64_t iid) { fields.add_category(interned(sequence.categories, iid)); });
        break;
      case f::event::kCounterValue:
        fields.number = static_cast<double>(event.get_int64());
        break;
      case f::event::kDoubleCounterValue:
        fields.number = event.get_double();
        break;
      case f::event::kExtraCounterTracks:
        for_each_number(event, false, [&](std::uint64_t uuid) { fields.counter_tracks.push_back(uuid); });
        break;
      case f::event::kExtraDoubleCounterTracks:
        for_each_number(event, false, [&](std::uint64_t uuid) { fields.double_counter_tracks.push_back(uuid); });
        break;
      case f::event::kExtraCounterValues:
        for_each_number(event, false, [&](std::uint64_t value) {
          fields.counter_values.push_back(static_cast<double>(static_cast<std::int64_t>(value)));
        });
        break;
      case f::event::kExtraDoubleCounterValues:
        for_each_number(event, true, [&](std::uint64_t value) {
          fields.double_counter_values.push_back(std::bit_cast<double>(value));
        });
        break;
      case f::event::kLaunches: {
        pbf_reader launches(event.get_view());
        while (launches.next(f::event::kLaunchedStages))
          for_each_number(launches, false, [&](std::uint64_t stage) { fields.launches.push_back(stage); });
        break;
      }
      case f::event::kAwaits:
        for_each_number(event, false, [&](std::uint64_t stage) { fields.awaits.push_back(stage); });
        break;
      case f::event::kAnnotation:
        take_annotation(pbf_reader(event.get_view()), "", sequence, fields.values, 0);
        break;
      case f::event::kFlowIds:
      case f::event::kOldFlowIds:
        for_each_number(event, tag == f::event::kFlowIds,
                        [&](std::uint64_t flow) { fields.flows.emplace_back(flow, false); });
        break;
      case f::event::kTerminatingFlowIds:
      case f::event::kOldTerminatingFlowIds:
        for_each_number(event, tag == f::event::kTerminatingFlowIds,
                        [&](std::uint64_t flow) { fields.flows.emplace_back(flow, true); });
        break;
      case f::event::kAbsoluteTime_us:
      case f::event::kDeltaTime_us:
        sequence.legacy_us = event.get_int64() + (tag == f::event::kDeltaTime_us ? sequence.legacy_us : 0);
        fields.at_ns = time_of(static_cast<std::uint64_t>(sequence.legacy_us) * 1000, f::clock::kBoottime, 0, sequence);
        break;
      case f::event::kLegacy:
        read_legacy(pbf_reader(event.get_view()), sequence, fields);
        break;
      default:
        skip(fmt::format("fields of track events that vizd does not know ({})", tag));
        event.skip();
    }
  }
}

void TraceDecoder::take_event(pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence,
                              const PacketHead& head, bool is_own_flow_end) {
  EventFields fields;
  fields.at_ns = at_ns;
  fields.track = sequence.default_track;
  read_event(event, sequence, fields);
  if (!fields.at_ns) return skip("track events without a usable time");
  last_ns_ = std::max(last_ns_, *fields.at_ns);
  TrackRecord* const found = record(fields.track);
  if (found == nullptr) return;
  TrackRecord& to = *found;
  if (!fields.counter_values.empty() || !fields.double_counter_values.empty()) add_counter_values(fields, sequence);
  if (fields.is_end()) {
    bare_ends_ += head.has_flags ? -1 : 1;
    return add_end(std::move(fields), to);
  }
  const Label label{strings_.add(fields.name), strings_.add(fields.category)};
  if (fields.is_counter()) {
    if (!fields.number) return skip("counter events without a number");
    to.is_counter = true;
    add_counter_value(*fields.at_ns, *fields.number, sequence, to);
  } else if (fields.is_flow_end()) {
    add_flow_end(fields, label, to, is_own_flow_end);
  } else if (fields.is_asynchronous()) {
    add_asynchronous(std::move(fields), label, to);
  } else {
    add_begin_or_instant(std::move(fields), label, to, head.sequence);
  }
}

void TraceDecoder::add_counter_value(std::int64_t at_ns, double value, const Sequence& sequence, TrackRecord& to) {
  to.counter.at_ns.push_back(at_ns);
  to.counter.value.push_back(value);
  to.generations.push_back(sequence.generation);
}

// Each value is of the track at its place in the list that the event has, or else its sequence.
void TraceDecoder::add_counter_values(const EventFields& fields, const Sequence& sequence) {
  const auto add = [&](const std::vector<double>& values, const std::vector<std::uint64_t>& own,
                       const std::vector<std::uint64_t>& usual) {
    const std::vector<std::uint64_t>& tracks = own.empty() ? usual : own;
    for (std::size_t i = 0; i < values.size(); ++i) {
      TrackRecord* const to = i < tracks.size() ? record(tracks[i]) : nullptr;
      if (to == nullptr) {
        skip("values of counters without a track");
        continue;
      }
      to->is_counter = true;
      add_counter_value(*fields.at_ns, values[i], sequence, *to);
    }
  };
  add(fields.counter_values, fields.counter_tracks, sequence.counter_tracks);
  add(fields.double_counter_values, fields.double_counter_tracks, sequence.double_counter_tracks);
}

void TraceDecoder::add_end(EventFields&& fields, TrackRecord& to) {
  std::uint32_t place = 0;
  if (!fields.values.empty() || !fields.flows.empty()) {
    place = static_cast<std::uint32_t>(to.end_values.size() + 1);
    add_flow_marks(fields, to, place, true);
    to.end_values.push_back(std::move(fields.values));
  }
  to.marks.push_back({*fields.at_ns, Mark::Type::kEnd, place});
}

void TraceDecoder::add_begin_or_instant(EventFields&& fields, Label label, TrackRecord& to, std::uint32_t sequence) {
  const std::int64_t at_ns = *fields.at_ns;
  const auto place = static_cast<std::uint32_t>(to.events.size());
  Event added{.start_ns = at_ns, .name = label.name, .category = label.category};
  added.order = ++order_;
  std::erase_if(fields.values, [&](const PlacedValue& value) {
    const std::string_view flag = strings_.get(value.name);
    if (flag == trace::kAsynchronous) added.kind = EventKind::kAsynchronous;
    if (flag == trace::kError) added.is_error = true;
    return flag == trace::kAsynchronous || flag == trace::kError;
  });
  Mark::Type type = Mark::Type::kBegin;
  if (fields.phase == 'X') {
    type = Mark::Type::kWhole;
    added.dur_ns = std::clamp<std::int64_t>(fields.dur_us, 0, kMostTime_ns / 1000) * 1000;
    last_ns_ = std::max(last_ns_, at_ns + added.dur_ns);
  } else if (!fields.is_begin()) {
    type = Mark::Type::kWhole;
    added.kind = EventKind::kInstant;
    if (!fields.is_instant())
      skip(fmt::format("track events of a kind that vizd does not know, shown as instants ({})",
                       fields.phase != '\0' ? std::string(1, fields.phase) : std::to_string(fields.type)));
  }
  to.marks.push_back({at_ns, type, place});
  to.events.push_back(added);
  add_flow_marks(fields, to, place, false);
  for (const std::uint64_t stage : fields.launches) stage_arrows_.push_back({sequence, stage, &to, place, true});
  for (const std::uint64_t stage : fields.awaits) stage_arrows_.push_back({sequence, stage, &to, place, false});
  to.values.push_back(std::move(fields.values));
}

void TraceDecoder::add_flow_marks(const EventFields& fields, TrackRecord& to, std::uint32_t event, bool is_of_end) {
  for (const auto& [flow, is_end] : fields.flows)
    flows_.push_back({false, flow, *fields.at_ns, &to, event, is_of_end, true, !is_end});
  if (!fields.bind_id || fields.direction == 0) return;
  flows_.push_back({true, *fields.bind_id, *fields.at_ns, &to, event, is_of_end,
                    (fields.direction & f::legacy::kLeadsHere) != 0, (fields.direction & f::legacy::kLeadsOn) != 0});
}

}  // namespace vizd::perfetto
