// Track events: begins, ends, instants, counters, with their annotations and flows. One is read whole, and then put
// where its kind belongs.
#include <fmt/format.h>

#include <limits>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

TraceDecoder::Annotation TraceDecoder::read_annotation(pbf_reader annotation, const Sequence& sequence) {
  Annotation read;
  const auto set_json = [&](std::string_view json) {
    read.value = strings_.add(json);
    read.unit = strings_.add(argument::kJson);
  };
  const auto set_unsigned = [&](std::uint64_t number) {
    const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    fits ? void(read.value = static_cast<std::int64_t>(number)) : set_json(fmt::format("{}", number));
  };
  while (annotation.next()) {
    switch (annotation.tag()) {
      case f::annotation::kName:
        read.name = to_text(annotation.get_view());
        break;
      case f::annotation::kNameIid:
        read.name = interned(sequence.annotation_names, annotation.get_uint64());
        break;
      case f::annotation::kBool:
        set_json(annotation.get_bool() ? "true" : "false");
        break;
      case f::annotation::kUint:
      case f::annotation::kPointer:
        set_unsigned(annotation.get_uint64());
        break;
      case f::annotation::kInt:
        read.value = annotation.get_int64();
        break;
      case f::annotation::kDouble:
        read.value = annotation.get_double();
        break;
      case f::annotation::kText:
        read.value = strings_.add(to_text(annotation.get_view()));
        break;
      case f::annotation::kTextIid:
        read.value = strings_.add(interned(sequence.annotation_texts, annotation.get_uint64()));
        break;
      case f::annotation::kJson:
        set_json(to_text(annotation.get_view()));
        break;
      case f::annotation::kDictEntries:
        read.entries.push_back(annotation.get_view());
        break;
      case f::annotation::kArrayValues:
        read.elements.push_back(annotation.get_view());
        break;
      default:
        skip(fmt::format("fields of arguments that vizd does not know ({})", annotation.tag()));
        annotation.skip();
    }
  }
  const bool is_empty = !read.value && read.entries.empty() && read.elements.empty();
  if (is_empty && read.name.empty()) skip("arguments without a value");
  if (is_empty && !read.name.empty()) set_json("null");
  return read;
}

void TraceDecoder::take_annotation(pbf_reader annotation, const std::string& prefix, const Sequence& sequence,
                                   std::vector<PlacedValue>& values, int depth) {
  if (depth > kMostDepth) return skip("annotations nested too deep");
  Annotation read = read_annotation(annotation, sequence);
  std::string& name = read.name;
  if (!prefix.empty() && !name.empty()) name = prefix + "." + name;
  if (name.empty()) name = prefix;
  if (read.value) values.push_back({strings_.add(name), read.unit, *read.value});
  for (const protozero::data_view entry : read.entries)
    take_annotation(pbf_reader(entry), name, sequence, values, depth + 1);
  for (std::size_t i = 0; i < read.elements.size(); ++i)
    take_annotation(pbf_reader(read.elements[i]), fmt::format("{}[{}]", name, i), sequence, values, depth + 1);
}

void TraceDecoder::EventFields::add_category(std::string_view text) {
  if (!category.empty()) category += ',';
  category += text;
}

bool TraceDecoder::EventFields::is_counter() const { return type == f::event::kCounter || (type == 0 && number); }
bool TraceDecoder::EventFields::is_flow_end() const { return phase == 's' || phase == 't' || phase == 'f'; }
bool TraceDecoder::EventFields::is_end() const { return type == f::event::kEnd || (type == 0 && phase == 'E'); }
bool TraceDecoder::EventFields::is_begin() const {
  return type == f::event::kBegin || (type == 0 && (phase == 'B' || phase == 'X'));
}
bool TraceDecoder::EventFields::is_instant() const {
  return type == f::event::kInstant || phase == 'i' || phase == 'I';
}

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
      case f::legacy::kUnscopedId:
      case f::legacy::kLocalId:
      case f::legacy::kGlobalId:
        fields.id = legacy.get_uint64();
        break;
      case f::legacy::kBindToEnclosing:
        fields.is_of_enclosing = legacy.get_bool();
        break;
      default:
        skip(fmt::format("fields of legacy events that vizd does not know ({})", legacy.tag()));
        legacy.skip();
    }
  }
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

void TraceDecoder::take_event(pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence) {
  EventFields fields;
  fields.at_ns = at_ns;
  fields.track = sequence.default_track;
  read_event(event, sequence, fields);
  if (!fields.at_ns) return skip("track events without a usable time");
  last_ns_ = std::max(last_ns_, *fields.at_ns);
  TrackRecord* const found = record(fields.track);
  if (found == nullptr) return;
  TrackRecord& to = *found;
  const Label label{strings_.add(fields.name), strings_.add(fields.category)};
  if (fields.is_counter()) {
    add_counter_value(fields, to);
  } else if (fields.is_flow_end()) {
    add_flow_end(fields, label.category, to);
  } else if (fields.is_end()) {
    add_end(std::move(fields), to);
  } else {
    add_begin_or_instant(std::move(fields), label, to);
  }
}

void TraceDecoder::add_counter_value(const EventFields& fields, TrackRecord& to) {
  if (!fields.number) return skip("counter events without a number");
  const double value = *fields.number * static_cast<double>(to.counter_multiplier);
  to.last_value = to.is_incremental ? to.last_value + value : value;
  to.is_counter = true;
  to.counter.at_ns.push_back(*fields.at_ns);
  to.counter.value.push_back(to.last_value);
}

void TraceDecoder::add_flow_end(const EventFields& fields, StringId category, TrackRecord& to) {
  FlowEnd end{.at_ns = *fields.at_ns, .category = category};
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
}

void TraceDecoder::add_end(EventFields&& fields, TrackRecord& to) {
  std::uint32_t place = 0;
  if (!fields.values.empty()) {
    to.end_values.push_back(std::move(fields.values));
    place = static_cast<std::uint32_t>(to.end_values.size());
  }
  to.marks.push_back({*fields.at_ns, Mark::Type::kEnd, place});
}

void TraceDecoder::add_begin_or_instant(EventFields&& fields, Label label, TrackRecord& to) {
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
  if (fields.is_begin()) {
    to.marks.push_back({at_ns, Mark::Type::kBegin, place});
    const std::int64_t dur_ns = std::clamp<std::int64_t>(fields.dur_us, 0, kMostTime_ns / 1000) * 1000;
    if (fields.phase == 'X') to.marks.push_back({at_ns + dur_ns, Mark::Type::kEnd, 0});
  } else {
    added.kind = EventKind::kInstant;
    to.marks.push_back({at_ns, Mark::Type::kInstant, place});
    if (!fields.is_instant())
      skip(fmt::format("track events of a kind that vizd does not know, shown as instants ({})",
                       fields.phase != '\0' ? std::string(1, fields.phase) : std::to_string(fields.type)));
  }
  to.events.push_back(added);
  to.values.push_back(std::move(fields.values));
  for (const auto& [flow, is_end] : fields.flows) flows_.push_back({flow, at_ns, &to, place, is_end});
}

}  // namespace vizd::perfetto
