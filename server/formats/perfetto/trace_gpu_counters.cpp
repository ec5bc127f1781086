// Counters of GPUs (gpu_counter_event), and what leads to the work of GPUs and from it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

namespace {

// By their number in Perfetto's protocol.
constexpr std::array<std::string_view, 41> kUnits = {
    "",   "bit", "Kbit", "Mbit",     "Gbit",   "Tbit",       "Pbit",      "B",           "KB", "MB", "GB",
    "TB", "PB",  "Hz",   "kHz",      "MHz",    "GHz",        "THz",       "PHz",         "ns", "us", "ms",
    "s",  "min", "h",    "vertices", "pixels", "triangles",  "mW",        "W",           "kW", "J",  "V",
    "A",  "°C",  "°F",   "K",        "%",      "primitives", "fragments", "instructions"};

std::string unit_text(const std::vector<std::uint64_t>& units) {
  std::string text;
  for (const std::uint64_t unit : units) {
    if (unit == 0 || unit >= kUnits.size()) continue;
    if (!text.empty()) text += ' ';
    text += kUnits[unit];
  }
  return text;
}

}  // namespace

void TraceDecoder::read_counter_specs(pbf_reader descriptor, GpuTables::CounterSpecs& specs) {
  while (descriptor.next()) {
    if (descriptor.tag() != f::gpu_counter::kSpecs) {
      descriptor.skip();
      continue;
    }
    std::uint64_t id = 0;
    GpuTables::CounterSpec read;
    std::vector<std::uint64_t> of, per;
    pbf_reader spec(descriptor.get_view());
    while (spec.next()) {
      if (spec.tag() == f::gpu_counter::kSpecId) {
        id = spec.get_uint64();
      } else if (spec.tag() == f::gpu_counter::kSpecName) {
        read.name = to_text(spec.get_view());
      } else if (spec.tag() == f::gpu_counter::kSpecNumerator) {
        for_each_number(spec, false, [&](std::uint64_t unit) { of.push_back(unit); });
      } else if (spec.tag() == f::gpu_counter::kSpecDenominator) {
        for_each_number(spec, false, [&](std::uint64_t unit) { per.push_back(unit); });
      } else {
        spec.skip();
      }
    }
    read.unit = unit_text(of);
    if (const std::string below = unit_text(per); !below.empty()) read.unit += "/" + below;
    specs[id] = std::move(read);
  }
}

void TraceDecoder::take_gpu_counters(pbf_reader message, std::optional<std::int64_t> at_ns, Sequence& sequence) {
  const GpuTables::CounterSpecs* specs = &counter_specs_;
  std::int64_t gpu = 0;
  std::vector<protozero::data_view> values;
  while (message.next()) {
    switch (message.tag()) {
      case f::gpu_counter::kDescriptor:
        read_counter_specs(pbf_reader(message.get_view()), counter_specs_);
        break;
      case f::gpu_counter::kValues:
        values.push_back(message.get_view());
        break;
      case f::gpu_counter::kGpu:
        gpu = message.get_int32();
        break;
      case f::gpu_counter::kDescriptorIid: {
        const auto found = sequence.gpu.counters.find(message.get_uint64());
        if (found == sequence.gpu.counters.end()) return skip("counters of GPUs that nothing describes");
        specs = &found->second.specs;
        gpu = found->second.gpu;
        break;
      }
      default:
        skip("fields of GPUs' counters that vizd does not know");
        message.skip();
    }
  }
  if (!at_ns && !values.empty()) return skip("counters of GPUs without a usable time");
  for (const protozero::data_view view : values) {
    std::uint64_t id = 0;
    std::optional<double> number;
    pbf_reader value(view);
    while (value.next()) {
      if (value.tag() == f::gpu_counter::kId) {
        id = value.get_uint64();
      } else if (value.tag() == f::gpu_counter::kInt) {
        number = static_cast<double>(value.get_int64());
      } else if (value.tag() == f::gpu_counter::kDouble) {
        number = value.get_double();
      } else {
        skip("fields of GPUs' counters that vizd does not know");
        value.skip();
      }
    }
    const auto spec = specs->find(id);
    if (spec == specs->end()) {
      skip("counters of GPUs that nothing describes");
      continue;
    }
    TrackRecord* const device = device_record(gpu);
    TrackRecord* const to = own_record(fmt::format("counter {} {}", gpu, spec->second.name));
    if (device == nullptr || to == nullptr) return;
    to->parent = device->uuid;
    to->name = spec->second.name;
    to->counter_unit = spec->second.unit;
    to->is_counter = true;
    last_ns_ = std::max(last_ns_, *at_ns);
    add_counter_value(*at_ns, number.value_or(0), sequence, *to);
  }
}

void TraceDecoder::link_stages(std::vector<Flow>& flows) {
  const auto key = [](const auto& of) { return std::pair(of.sequence, of.id); };
  if (stage_arrows_.empty()) return;
  if (!std::ranges::is_sorted(stages_, {}, key)) std::ranges::stable_sort(stages_, {}, key);
  const StringId range = strings_.find("gpu_user_annotation");
  for (const StageArrow& arrow : stage_arrows_) {
    const auto stage = std::ranges::lower_bound(stages_, key(arrow), {}, key);
    if (stage == stages_.end() || key(*stage) != key(arrow)) {
      skip("arrows to work of GPUs that is not there");
      continue;
    }
    if (stage->record->track == kNoId || arrow.record->track == kNoId) continue;
    Flow flow{stage->record->track, stage->record->places[stage->event], arrow.record->track,
              arrow.record->places[arrow.event]};
    if (arrow.is_to_stage) {
      flow = {flow.to_track, flow.to_event, flow.from_track, flow.from_event};
      // Ranges on devices are spans of what was launched, and not launched themselves.
      if (is_of_pytorch() && capture_.profile.tracks[flow.to_track].events.category(flow.to_event) == range) continue;
    }
    flows.push_back(flow);
  }
}

// A call leads to all work with its correlation, of which a launch of a graph names some.
void TraceDecoder::link_correlated(std::vector<Flow>& flows) const {
  struct Numbered {
    std::int64_t correlation;
    std::uint32_t order, track, event;
  };
  std::vector<Numbered> calls, works;
  const std::vector<Track>& tracks = capture_.profile.tracks;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    for (const ArgumentColumn& column : tracks[t].arguments) {
      if (column.type != ArgumentType::kInteger || strings_.get(column.name) != "correlation") continue;
      for (std::size_t i = 0; i < column.size(); ++i) {
        const std::uint32_t event = column.event(i);
        const EventRole role = tracks[t].events.role(event);
        if (role != EventRole::kCall && !is_work(role)) continue;
        (is_work(role) ? works : calls).push_back({column.integer(i), tracks[t].events.order(event), t, event});
      }
    }
  }
  std::ranges::sort(calls, {}, [](const Numbered& call) { return std::pair(call.correlation, call.order); });
  for (const Numbered& work : works) {
    const auto call = std::ranges::lower_bound(calls, work.correlation, {}, &Numbered::correlation);
    if (call != calls.end() && call->correlation == work.correlation)
      flows.push_back({call->track, call->event, work.track, work.event});
  }
}

}  // namespace vizd::perfetto
