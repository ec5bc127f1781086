// Track events: begins, ends, instants, counters, with their annotations and flows.
#include <fmt/format.h>

#include <limits>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "model/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

void TraceDecoder::take_annotation(pbf_reader annotation, const std::string& prefix, const Sequence& sequence,
                                   std::vector<PlacedValue>& values, int depth) {
  if (depth > kMostDepth) return skip("annotations nested too deep");
  std::string name;
  std::optional<ArgumentValue> value;
  StringId unit{};
  std::vector<protozero::data_view> entries, elements;
  const auto add_json = [&](std::string_view json) {
    value = strings_.add(json);
    unit = strings_.add(argument::kJson);
  };
  while (annotation.next()) {
    switch (annotation.tag()) {
      case f::annotation::kName:
        name = to_text(annotation.get_view());
        break;
      case f::annotation::kNameIid:
        name = interned(sequence.annotation_names, annotation.get_uint64());
        break;
      case f::annotation::kBool:
        add_json(annotation.get_bool() ? "true" : "false");
        break;
      case f::annotation::kUint:
      case f::annotation::kPointer: {
        const std::uint64_t number = annotation.get_uint64();
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          value = static_cast<std::int64_t>(number);
        } else {
          add_json(fmt::format("{}", number));
        }
        break;
      }
      case f::annotation::kInt:
        value = annotation.get_int64();
        break;
      case f::annotation::kDouble:
        value = annotation.get_double();
        break;
      case f::annotation::kText:
        value = strings_.add(to_text(annotation.get_view()));
        break;
      case f::annotation::kTextIid:
        value = strings_.add(interned(sequence.annotation_texts, annotation.get_uint64()));
        break;
      case f::annotation::kJson:
        add_json(to_text(annotation.get_view()));
        break;
      case f::annotation::kDictEntries:
        entries.push_back(annotation.get_view());
        break;
      case f::annotation::kArrayValues:
        elements.push_back(annotation.get_view());
        break;
      default:
        annotation.skip();
    }
  }
  if (!prefix.empty() && !name.empty()) name = prefix + "." + name;
  if (name.empty()) name = prefix;
  if (value) values.push_back({strings_.add(name), unit, *value});
  for (const protozero::data_view entry : entries)
    take_annotation(pbf_reader(entry), name, sequence, values, depth + 1);
  for (std::size_t i = 0; i < elements.size(); ++i)
    take_annotation(pbf_reader(elements[i]), fmt::format("{}[{}]", name, i), sequence, values, depth + 1);
}

void TraceDecoder::take_event(pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence) {
  std::uint32_t type = 0;
  std::uint64_t uuid = sequence.default_track;
  std::string name, category;
  std::optional<double> number;
  std::vector<PlacedValue> values;
  std::vector<std::pair<std::uint64_t, bool>> flows;  // and whether they end here
  char phase = '\0';
  std::int64_t dur_us = 0;
  std::optional<std::uint64_t> id;
  bool is_of_enclosing = false;
  const auto add_category = [&](std::string_view text) {
    if (!category.empty()) category += ',';
    category += text;
  };
  while (event.next()) {
    switch (event.tag()) {
      case f::event::kType:
        type = event.get_uint32();
        break;
      case f::event::kTrack:
        uuid = event.get_uint64();
        break;
      case f::event::kName:
        name = to_text(event.get_view());
        break;
      case f::event::kNameIid:
        name = interned(sequence.names, event.get_uint64());
        break;
      case f::event::kCategories:
        add_category(to_text(event.get_view()));
        break;
      case f::event::kCategoryIids:
        for_each_number(event, false, [&](std::uint64_t iid) { add_category(interned(sequence.categories, iid)); });
        break;
      case f::event::kCounterValue:
        number = static_cast<double>(event.get_int64());
        break;
      case f::event::kDoubleCounterValue:
        number = event.get_double();
        break;
      case f::event::kAnnotation:
        take_annotation(pbf_reader(event.get_view()), "", sequence, values, 0);
        break;
      case f::event::kFlowIds:
      case f::event::kOldFlowIds:
        for_each_number(event, event.tag() == f::event::kFlowIds,
                        [&](std::uint64_t flow) { flows.emplace_back(flow, false); });
        break;
      case f::event::kTerminatingFlowIds:
      case f::event::kOldTerminatingFlowIds:
        for_each_number(event, event.tag() == f::event::kTerminatingFlowIds,
                        [&](std::uint64_t flow) { flows.emplace_back(flow, true); });
        break;
      case f::event::kAbsoluteTime_us:
        sequence.legacy_us = event.get_int64();
        at_ns = time_of(static_cast<std::uint64_t>(sequence.legacy_us) * 1000, f::clock::kBoottime, 0, sequence);
        break;
      case f::event::kDeltaTime_us:
        sequence.legacy_us += event.get_int64();
        at_ns = time_of(static_cast<std::uint64_t>(sequence.legacy_us) * 1000, f::clock::kBoottime, 0, sequence);
        break;
      case f::event::kLegacy: {
        pbf_reader legacy(event.get_view());
        while (legacy.next()) {
          if (legacy.tag() == f::legacy::kPhase) {
            phase = static_cast<char>(legacy.get_int32());
          } else if (legacy.tag() == f::legacy::kDuration_us) {
            dur_us = legacy.get_int64();
          } else if (legacy.tag() == f::legacy::kNameIid) {
            name = interned(sequence.names, legacy.get_uint64());
          } else if (legacy.tag() == f::legacy::kUnscopedId || legacy.tag() == f::legacy::kLocalId ||
                     legacy.tag() == f::legacy::kGlobalId) {
            id = legacy.get_uint64();
          } else if (legacy.tag() == f::legacy::kBindToEnclosing) {
            is_of_enclosing = legacy.get_bool();
          } else {
            legacy.skip();
          }
        }
        break;
      }
      default:
        event.skip();
    }
  }
  if (!at_ns) return skip("track events without a usable time");
  last_ns_ = std::max(last_ns_, *at_ns);
  TrackRecord& to = record(uuid);
  const StringId name_id = strings_.add(name), category_id = strings_.add(category);
  if (type == f::event::kCounter || (type == 0 && number)) {
    if (!number) return skip("counter events without a number");
    const double value = *number * static_cast<double>(to.counter_multiplier);
    to.last_value = to.is_incremental ? to.last_value + value : value;
    to.is_counter = true;
    to.counter.at_ns.push_back(*at_ns);
    to.counter.value.push_back(to.last_value);
    return;
  }
  if (phase == 's' || phase == 't' || phase == 'f') {
    FlowEnd end{.at_ns = *at_ns, .category = category_id};
    end.kind = phase == 's' ? FlowEnd::Kind::kStart : phase == 't' ? FlowEnd::Kind::kStep : FlowEnd::Kind::kFinish;
    end.is_of_enclosing = is_of_enclosing || phase != 'f';
    end.id = static_cast<std::int64_t>(id.value_or(0));
    if (!id) end.id_type = FlowEnd::IdType::kNone;
    for (const PlacedValue& value : values) {
      if (strings_.get(value.name) != trace::kId || !std::holds_alternative<StringId>(value.value)) continue;
      end.id_type = FlowEnd::IdType::kText;
      end.id = static_cast<std::int64_t>(index(std::get<StringId>(value.value)));
    }
    flow_ends_.push_back({&to, end});
    return;
  }
  if (type == f::event::kEnd || (type == 0 && phase == 'E')) {
    std::uint32_t place = 0;
    if (!values.empty()) {
      to.end_values.push_back(std::move(values));
      place = static_cast<std::uint32_t>(to.end_values.size());
    }
    to.marks.push_back({*at_ns, Mark::Type::kEnd, place});
    return;
  }
  const auto place = static_cast<std::uint32_t>(to.events.size());
  Event added{.start_ns = *at_ns, .name = name_id, .category = category_id};
  added.order = ++order_;
  std::erase_if(values, [&](const PlacedValue& value) {
    const std::string_view flag = strings_.get(value.name);
    if (flag == trace::kAsynchronous) added.kind = EventKind::kAsynchronous;
    if (flag == trace::kError) added.is_error = true;
    return flag == trace::kAsynchronous || flag == trace::kError;
  });
  if (type == f::event::kBegin || (type == 0 && (phase == 'B' || phase == 'X'))) {
    to.marks.push_back({*at_ns, Mark::Type::kBegin, place});
    if (phase == 'X')
      to.marks.push_back(
          {*at_ns + std::clamp<std::int64_t>(dur_us, 0, kMostTime_ns / 1000) * 1000, Mark::Type::kEnd, 0});
  } else {
    added.kind = EventKind::kInstant;
    to.marks.push_back({*at_ns, Mark::Type::kInstant, place});
    if (type != f::event::kInstant && phase != 'i' && phase != 'I')
      skip(fmt::format("track events of a kind that vizd does not know, shown as instants ({})",
                       phase != '\0' ? std::string(1, phase) : std::to_string(type)));
  }
  to.events.push_back(added);
  to.values.push_back(std::move(values));
  for (const auto& [flow, is_end] : flows) flows_.push_back({flow, *at_ns, &to, place, is_end});
}

}  // namespace vizd::perfetto
