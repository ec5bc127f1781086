// Track events of the older kind (legacy_event), as Chrome writes them: asynchronous events, and flows whose ends are
// events of their own. Which belong together is known when all are read.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/trace_words.h"
#include "model/enclosing_spans.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

void TraceDecoder::read_legacy(pbf_reader legacy, const Sequence& sequence, EventFields& fields) {
  while (legacy.next()) {
    switch (legacy.tag()) {
      case f::legacy::kPhase:
        fields.phase = static_cast<char>(legacy.get_int32());
        break;
      case f::legacy::kDuration_us:
        fields.dur_us = legacy.get_int64();
        break;
      case f::legacy::kNameIid:
        fields.name = interned(sequence.names, legacy.get_uint64());
        break;
      case f::legacy::kLocalId:
        fields.is_id_local = true;
        [[fallthrough]];
      case f::legacy::kUnscopedId:
      case f::legacy::kGlobalId:
        fields.id = legacy.get_uint64();
        break;
      case f::legacy::kScope:
        fields.scope = to_text(legacy.get_view());
        break;
      case f::legacy::kBindId:
        fields.bind_id = legacy.get_uint64();
        break;
      case f::legacy::kDirection:
        fields.direction = static_cast<std::uint32_t>(legacy.get_enum());
        break;
      case f::legacy::kBindToEnclosing:
        fields.is_of_enclosing = legacy.get_bool();
        break;
      case f::legacy::kThreadDuration_us:
      case f::legacy::kUsesThreadTimes:
      case f::legacy::kInstantScope:
      case f::legacy::kInstructions:
        legacy.skip();
        break;
      default:
        skip(fmt::format("fields of legacy events that vizd does not know ({})", legacy.tag()));
        legacy.skip();
    }
  }
  if (fields.phase == '\0' && !fields.id && !fields.bind_id) skip("legacy events without a phase");
}

TraceDecoder::LegacyId TraceDecoder::legacy_id(const EventFields& fields, Label label) {
  return {label.category, label.name, strings_.add(fields.scope), fields.id.value_or(0), fields.is_id_local};
}

std::int64_t TraceDecoder::process_of(const LegacyId& id, const TrackRecord& record) {
  if (!id.is_local) return -1;
  const TrackRecord* at = &record;
  for (std::size_t depth = 0; !at->pid && depth < kMostDepth; ++depth) {
    const auto above = places_.find(at->parent);
    if (at->parent == 0 || above == places_.end()) return -1;
    at = &records_[above->second];
  }
  return at->pid.value_or(-1);
}

void TraceDecoder::add_flow_end(const EventFields& fields, Label label, TrackRecord& to, bool is_own) {
  FlowEnd end{.at_ns = *fields.at_ns, .category = label.category};
  end.kind = fields.phase == 's'   ? FlowEnd::Kind::kStart
             : fields.phase == 't' ? FlowEnd::Kind::kStep
                                   : FlowEnd::Kind::kFinish;
  end.is_of_enclosing = fields.is_of_enclosing || fields.phase != 'f';
  end.id = static_cast<std::int64_t>(fields.id.value_or(0));
  if (!fields.id) end.id_type = FlowEnd::IdType::kNone;
  for (const PlacedValue& value : fields.values) {
    if (strings_.get(value.name) != trace::kId || !std::holds_alternative<StringId>(value.value)) continue;
    end.id_type = FlowEnd::IdType::kText;
    end.id = static_cast<std::int64_t>(index(std::get<StringId>(value.value)));
  }
  flow_ends_.push_back({&to, end});
  // Flows of vizd's own writer are beside flows that are numbered.
  if (!is_own && fields.id)
    legacy_flows_.push_back({legacy_id(fields, label), end.at_ns, &to, fields.phase, end.is_of_enclosing});
}

void TraceDecoder::add_asynchronous(EventFields&& fields, Label label, TrackRecord& of) {
  TrackRecord* const to = own_record(fmt::format("asynchronous {}", of.uuid));
  if (to == nullptr) return;
  to->parent = of.uuid;
  to->name = "asynchronous";
  LegacyId id = legacy_id(fields, label);
  // Events of the first kind know each other by their names too; of the second an end may have none.
  const bool is_first_kind = fields.phase == 'S' || fields.phase == 'T' || fields.phase == 'p' || fields.phase == 'F';
  if (!is_first_kind) id.name = StringId{};
  const bool is_end = fields.phase == 'e' || fields.phase == 'F', is_begin = fields.phase == 'b' || fields.phase == 'S';
  const auto event = static_cast<std::uint32_t>(to->events.size());
  if (is_end) {
    asynchronous_.push_back({id, label.name, *fields.at_ns, &of, to, true, event, std::move(fields.values)});
    return;
  }
  Event added{.start_ns = *fields.at_ns, .name = label.name, .category = label.category};
  added.kind = is_begin ? EventKind::kAsynchronous : EventKind::kInstant;
  added.order = ++order_;
  to->events.push_back(added);
  to->marks.push_back({added.start_ns, Mark::Type::kWhole, event});
  add_flow_marks(fields, *to, event, false);
  to->values.push_back(std::move(fields.values));
  if (is_begin) asynchronous_.push_back({id, label.name, added.start_ns, &of, to, false, event, {}});
}

void TraceDecoder::pair_asynchronous() {
  std::ranges::stable_sort(asynchronous_, {}, &AsynchronousMark::at_ns);
  std::map<std::pair<LegacyId, std::int64_t>, std::vector<AsynchronousMark*>> open;
  for (AsynchronousMark& mark : asynchronous_) {
    std::vector<AsynchronousMark*>& of_id = open[{mark.id, process_of(mark.id, *mark.of)}];
    if (!mark.is_end) {
      of_id.push_back(&mark);
      continue;
    }
    if (of_id.empty()) {
      skip("ends of asynchronous events that had not begun");
      continue;
    }
    auto begun = std::ranges::find(of_id.rbegin(), of_id.rend(), mark.name, &AsynchronousMark::name);
    if (begun == of_id.rend()) begun = of_id.rbegin();
    TrackRecord& record = *(*begun)->record;
    const std::uint32_t event = (*begun)->event;
    of_id.erase(std::next(begun).base());
    record.events[event].dur_ns = mark.at_ns - record.events[event].start_ns;
    std::ranges::move(mark.values, std::back_inserter(record.values[event]));
  }
  for (auto& [id, of_id] : open) {
    for (const AsynchronousMark* const begun : of_id) {
      Event& event = begun->record->events[begun->event];
      event.dur_ns = std::max<std::int64_t>(last_ns_ - event.start_ns, 0);
      event.kind = EventKind::kUnfinished;
    }
  }
  asynchronous_ = {};
}

// A start leads to the steps and the finish of its id that come after it, each to the next; they are of the slices
// around them, but for a finish that says otherwise, which is of the next one.
void TraceDecoder::link_legacy_flows(std::vector<Flow>& flows) {
  struct End {
    std::pair<LegacyId, std::int64_t> key;
    std::int64_t at_ns;
    char phase;
    std::uint32_t track, event;
  };
  std::vector<End> ends;
  std::ranges::stable_sort(legacy_flows_, {},
                           [](const LegacyFlow& flow) { return std::pair(flow.record->track, flow.at_ns); });
  for (std::size_t i = 0; i < legacy_flows_.size();) {
    const std::uint32_t track = legacy_flows_[i].record->track;
    if (track == kNoId) break;  // tracks that are left out come last
    const EventColumns& events = capture_.profile.tracks[track].events;
    EnclosingSpans around(events, [](std::uint32_t) { return true; });
    EnclosingSpans after(events, [](std::uint32_t) { return true; });
    for (; i < legacy_flows_.size() && legacy_flows_[i].record->track == track; ++i) {
      const LegacyFlow& flow = legacy_flows_[i];
      const auto event = flow.is_of_enclosing ? around.at(flow.at_ns) : after.next(flow.at_ns);
      if (event) ends.push_back({{flow.id, process_of(flow.id, *flow.record)}, flow.at_ns, flow.phase, track, *event});
    }
  }
  std::ranges::stable_sort(ends, {}, [](const End& end) { return std::pair(end.key, end.at_ns); });
  const End* last = nullptr;
  for (const End& end : ends) {
    if (last != nullptr && last->key != end.key) last = nullptr;
    if (end.phase != 's' && last != nullptr) flows.push_back({last->track, last->event, end.track, end.event});
    if (end.phase != 'f') last = &end;
  }
  legacy_flows_ = {};
}

}  // namespace vizd::perfetto
