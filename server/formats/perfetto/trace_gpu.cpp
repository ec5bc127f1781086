// Work of GPUs (gpu_render_stage_event), whichever program wrote it, as spans on lanes of devices: what names it, where
// it ran, how it was launched and what it waited for.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_writer.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/gpu_stages.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/perfetto/typed_text.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

namespace {

bool is_handle(Field field) {
  return field == f::stage::kRenderTarget || field == f::stage::kRenderPass || field == f::stage::kCommandBuffer ||
         field == f::stage::kSubpasses || field == f::stage::kRenderPassInstance || field == f::stage::kLogicalQueue;
}

}  // namespace

// It begins with both clocks at its own time, or has launches; and numbers sequences only where it must.
bool TraceDecoder::is_of_pytorch() const { return begins_as_pytorch_ && bare_descriptors_ > 0 && bare_ends_ >= 0; }

void TraceDecoder::take_gpu_interned(Field field, pbf_reader entry, GpuTables& tables) {
  std::uint64_t iid = 0;
  GpuTables::Spec spec;
  GpuTables::Kernel kernel;
  GpuTables::Counters counters;
  std::int64_t pid = 0;
  const bool is_kernel = field == f::interned::kComputeKernels, is_context = field == f::interned::kGraphicsContexts;
  const bool is_counters = field == f::interned::kGpuCounterSets;
  const bool is_named = field == f::interned::kGpuSpecs || field == f::interned::kComputeArgumentNames;
  if (!is_kernel && !is_context && !is_counters && !is_named) return;
  while (entry.next()) {
    const Field tag = entry.tag();
    if (tag == f::interned::kIid) {
      iid = entry.get_uint64();
    } else if (is_context && tag == f::interned::kContextPid) {
      pid = entry.get_int32();
    } else if (is_counters && tag == f::interned::kCounterSet) {
      read_counter_specs(pbf_reader(entry.get_view()), counters.specs);
    } else if (is_counters && tag == f::interned::kCounterSetGpu) {
      counters.gpu = entry.get_int32();
    } else if (is_kernel && tag == f::interned::kKernelDemangled) {
      kernel.name = to_text(entry.get_view());
    } else if (is_kernel && tag == f::interned::kKernelArch) {
      kernel.arch = to_text(entry.get_view());
    } else if (is_kernel && tag == f::interned::kKernelArguments) {
      kernel.arguments.push_back(to_text(entry.get_view()));
    } else if ((is_named || is_kernel) && tag == f::interned::kText) {
      spec.name = to_text(entry.get_view());
    } else if (is_named && tag == f::interned::kSpecDescription) {
      spec.description = to_text(entry.get_view());
    } else {
      entry.skip();
    }
  }
  if (is_kernel && kernel.name.empty()) kernel.name = spec.name;
  if (is_context) tables.processes[iid] = pid;
  if (is_kernel) tables.kernels[iid] = std::move(kernel);
  if (is_counters) tables.counters[iid] = std::move(counters);
  if (field == f::interned::kGpuSpecs) tables.specs[iid] = std::move(spec);
  if (field == f::interned::kComputeArgumentNames) tables.argument_names[iid] = std::move(spec.name);
}

void TraceDecoder::read_compute_argument(pbf_reader argument, const Sequence& sequence,
                                         std::vector<PlacedValue>& values) {
  std::string own_name;
  std::string_view name;
  std::optional<ArgumentValue> value;
  while (argument.next()) {
    switch (argument.tag()) {
      case f::stage::kArgumentNameIid:
        name = interned(sequence.gpu.argument_names, argument.get_uint64());
        break;
      case f::stage::kArgumentName:
        own_name = to_text(argument.get_view());
        name = own_name;
        break;
      case f::stage::kArgumentInt:
      case f::stage::kArgumentUint:
        value = argument.get_int64();
        break;
      case f::stage::kArgumentDouble:
        value = argument.get_double();
        break;
      case f::stage::kArgumentText:
        value = strings_.add(to_text(argument.get_view()));
        break;
      case f::stage::kArgumentTextIid:
        value = strings_.add(interned(sequence.annotation_texts, argument.get_uint64()));
        break;
      default:
        skip("fields of GPUs' work that vizd does not know");
        argument.skip();
    }
  }
  if (!value) return skip("arguments without a value");
  // As PyTorch's traces call it.
  if (name == "registers_per_thread") name = "registers per thread";
  values.push_back({strings_.add(name), {}, *value});
}

void TraceDecoder::read_launch(pbf_reader launch, const Sequence& sequence, std::vector<PlacedValue>& values) {
  const auto add_sizes = [&](std::string_view name, pbf_reader sizes) {
    std::array<std::uint32_t, 3> xyz{1, 1, 1};
    while (sizes.next()) {
      if (sizes.tag() >= 1 && sizes.tag() <= 3) {
        xyz[sizes.tag() - 1] = sizes.get_uint32();
      } else {
        sizes.skip();
      }
    }
    values.push_back(json_value(name, fmt::format("[{}, {}, {}]", xyz[0], xyz[1], xyz[2])));
  };
  while (launch.next()) {
    if (launch.tag() == f::stage::kGrid) {
      add_sizes("grid", pbf_reader(launch.get_view()));
    } else if (launch.tag() == f::stage::kWorkgroup) {
      add_sizes("block", pbf_reader(launch.get_view()));
    } else if (launch.tag() == f::stage::kLaunchArguments) {
      read_compute_argument(pbf_reader(launch.get_view()), sequence, values);
    } else {
      skip("fields of GPUs' work that vizd does not know");
      launch.skip();
    }
  }
}

// Files of older programs number queues and stages once for all.
void TraceDecoder::take_stage_specs(pbf_reader specs) {
  queue_names_.clear();
  stage_names_.clear();
  while (specs.next()) {
    if (specs.tag() != f::stage::kOldQueues && specs.tag() != f::stage::kOldStages) {
      specs.skip();
      continue;
    }
    std::vector<std::string>& names = specs.tag() == f::stage::kOldQueues ? queue_names_ : stage_names_;
    std::string& name = names.emplace_back();
    pbf_reader description(specs.get_view());
    while (description.next()) {
      if (description.tag() == f::stage::kOldName) {
        name = to_text(description.get_view());
      } else {
        description.skip();
      }
    }
  }
}

TraceDecoder::Stage TraceDecoder::read_stage(pbf_reader message, const Sequence& sequence) {
  Stage stage;
  std::string kernel_name;
  const auto named = [](const std::vector<std::string>& names, std::uint64_t number) {
    return number < names.size() ? names[number] : std::string();
  };
  const auto spec = [&](std::uint64_t iid) -> const GpuTables::Spec* {
    const auto found = sequence.gpu.specs.find(iid);
    if (found != sequence.gpu.specs.end()) return &found->second;
    skip("queues and stages of GPUs that are told by a number without a name");
    return nullptr;
  };
  while (message.next()) {
    switch (message.tag()) {
      case f::stage::kEvent:
        stage.event = message.get_uint64();
        break;
      case f::stage::kDuration:
        stage.dur_ns = static_cast<std::int64_t>(
            std::min<std::uint64_t>(message.get_uint64(), static_cast<std::uint64_t>(kMostTime_ns)));
        break;
      case f::stage::kOldQueue:
        stage.queue = message.get_uint64();
        stage.queue_name = named(queue_names_, stage.queue);
        stage.has_queue = true;
        break;
      case f::stage::kOldStage:
        stage.stage_name = named(stage_names_, message.get_uint64());
        stage.has_queue = true;
        break;
      case f::stage::kContext:
        stage.context = message.get_uint64();
        break;
      case f::stage::kGpu:
        stage.gpu = message.get_int32();
        break;
      case f::stage::kQueueIid:
        stage.queue = message.get_uint64();
        stage.has_queue = true;
        if (const auto* const found = spec(stage.queue)) {
          stage.queue_name = found->name;
          stage.track = found->description;
        }
        break;
      case f::stage::kStageIid:
        stage.has_queue = true;
        if (const auto* const found = spec(message.get_uint64())) stage.stage_name = found->name;
        break;
      case f::stage::kName:
        stage.name = to_text(message.get_view());
        break;
      case f::stage::kNameIid:
        stage.name = interned(sequence.names, message.get_uint64());
        break;
      case f::stage::kKernelIid: {
        const auto found = sequence.gpu.kernels.find(message.get_uint64());
        if (found == sequence.gpu.kernels.end()) {
          skip("kernels that are told by a number without a name");
          break;
        }
        kernel_name = found->second.name;
        if (!found->second.arch.empty()) stage.extras.emplace_back("arch", found->second.arch);
        for (const std::string& argument : found->second.arguments)
          read_compute_argument(pbf_reader(argument), sequence, stage.values);
        break;
      }
      case f::stage::kWaits:
        for_each_number(message, false, [&](std::uint64_t event) { stage.waits.push_back(event); });
        break;
      case f::stage::kLaunch:
        read_launch(pbf_reader(message.get_view()), sequence, stage.values);
        break;
      case f::stage::kExtra: {
        auto& [name, value] = stage.extras.emplace_back();
        pbf_reader extra(message.get_view());
        while (extra.next()) {
          if (extra.tag() == f::stage::kExtraName) {
            name = to_text(extra.get_view());
          } else if (extra.tag() == f::stage::kExtraValue) {
            value = to_text(extra.get_view());
          } else {
            skip("fields of GPUs' work that vizd does not know");
            extra.skip();
          }
        }
        break;
      }
      case f::stage::kOldSpecs:
        take_stage_specs(pbf_reader(message.get_view()));
        break;
      case f::stage::kSubmission:
        stage.extras.emplace_back("submission id", std::to_string(message.get_uint64()));
        break;
      default:
        // Handles of graphics alone are numbers.
        if (!is_handle(message.tag()) || message.wire_type() == protozero::pbf_wire_type::length_delimited)
          skip("fields of GPUs' work that vizd does not know");
        message.skip();
    }
  }
  if (stage.name.empty()) stage.name = kernel_name.empty() ? stage.stage_name : kernel_name;
  if (stage.name.empty()) stage.name = "GPU work";
  return stage;
}

TraceDecoder::TrackRecord* TraceDecoder::device_record(std::int64_t gpu) {
  TrackRecord* const device = own_record(fmt::format("GPU {}", gpu));
  if (device != nullptr && device->name.empty()) {
    device->name = fmt::format("GPU {}", gpu);
    device->description = fmt::format(R"({{"kind":"device","number":{}}})", gpu);
    device->sort = static_cast<std::int32_t>(gpu) + 1;  // behind what the file describes
  }
  return device;
}

// vizd's own writer says in the queue's description which track it is of.
TraceDecoder::TrackRecord* TraceDecoder::lane_record(const Stage& stage, Sequence& sequence) {
  const auto [known, is_new] = sequence.lanes.try_emplace({stage.gpu, stage.context, stage.queue}, nullptr);
  if (!is_new && known->second != nullptr) return known->second;
  if (!stage.track.empty()) {
    if (const auto uuid = OwnJson(stage.track).integer("track"))
      return known->second = record(static_cast<std::uint64_t>(*uuid));
  }
  const QueueName queue = parse_queue(stage.queue_name);
  const auto process = sequence.gpu.processes.find(stage.context);
  const std::int64_t pid = process == sequence.gpu.processes.end() ? 0 : process->second;
  TrackRecord* const device = device_record(stage.gpu);
  TrackRecord* const lane =
      own_record(queue.number ? fmt::format("stream {} {} {}", stage.gpu, pid, *queue.number)
                              : fmt::format("queue {} {} {} {}", stage.gpu, pid, queue.name,
                                            queue.name.empty() ? std::to_string(stage.queue) : ""));
  if (device == nullptr || lane == nullptr) return nullptr;
  if (lane->parent == 0) {
    lane->parent = device->uuid;
    lane->name = queue.name.empty() ? fmt::format("queue {}", stage.queue) : std::string(queue.name);
    JsonWriter json(lane->description);
    json.begin_object().key("kind").text("stream").key("number");
    queue.number ? json.number(*queue.number) : json.text(lane->name);
    json.end_object();
    if (queue.number) lane->sort = static_cast<std::int32_t>(std::clamp<std::int64_t>(*queue.number, 0, 1 << 30));
  }
  return known->second = lane;
}

// An argument that is told again replaces what was told of it before.
void TraceDecoder::add_stage_arguments(Stage& stage, std::optional<std::int64_t> lane) {
  constexpr std::string_view kOfProcess[] = {"process_id", "process_name"};
  std::vector<PlacedValue> values;
  const auto put = [&](std::string_view name, StringId unit, ArgumentValue value) {
    const StringId id = strings_.add(name);
    std::erase_if(values, [&](const PlacedValue& known) { return known.name == id; });
    values.push_back({id, unit, value});
  };
  std::optional<std::int64_t> stream;
  for (const auto& [extra, text] : stage.extras) {
    const std::string_view name = trace_argument(extra);
    if (name == extra) continue;
    const TypedText typed = typed_text(text, strings_);
    put(name, typed.unit, typed.value);
    const auto* const number = std::get_if<std::int64_t>(&typed.value);
    if (name == "stream" && number != nullptr) stream = *number;
  }
  for (const PlacedValue& value : stage.values) put(strings_.get(value.name), value.unit, value.value);
  for (const auto& [extra, text] : stage.extras) {
    if (trace_argument(extra) != extra || std::ranges::find(kOfProcess, extra) != std::end(kOfProcess)) continue;
    const TypedText typed = typed_text(text, strings_);
    put(extra, typed.unit, typed.value);
  }
  if (stream && lane && *stream != *lane) {
    put("stream", {}, *lane);
    put("original_stream", {}, *stream);
  }
  stage.values = std::move(values);
}

void TraceDecoder::take_stage(pbf_reader message, std::optional<std::int64_t> at_ns, Sequence& sequence,
                              std::uint32_t sequence_number) {
  Stage stage = read_stage(message, sequence);
  if (!stage.has_queue) return;  // it only described what others refer to
  if (!at_ns) return skip("work of GPUs without a usable time");
  TrackRecord* const to = lane_record(stage, sequence);
  if (to == nullptr) return;
  const std::string_view category = category_of_stage(stage.stage_name);
  // A stage of another program's says more than that it is a kernel.
  if (stage_of_category(category) != stage.stage_name && !stage.stage_name.empty() && stage.name != stage.stage_name)
    stage.extras.emplace_back("stage", stage.stage_name);
  add_stage_arguments(stage, stage.track.empty() ? parse_queue(stage.queue_name).number : std::nullopt);
  if (stage.stage_name == "HostNode" && stage.name == stage.stage_name) {
    for (const auto& [name, value] : stage.extras) {
      if (name == "host fn") stage.name = fmt::format("HostNode: {}", value);
    }
  }
  has_device_work_ = true;
  last_ns_ = std::max(last_ns_, *at_ns + stage.dur_ns);
  const auto place = static_cast<std::uint32_t>(to->events.size());
  Event added{.start_ns = *at_ns, .dur_ns = stage.dur_ns, .name = strings_.add(stage.name)};
  added.category = strings_.add(category);
  added.order = ++order_;
  added.is_error = std::erase_if(stage.values, [&](const PlacedValue& value) {
                     return strings_.get(value.name) == trace::kError;
                   }) > 0;
  to->events.push_back(added);
  to->marks.push_back({*at_ns, Mark::Type::kWhole, place});
  to->values.push_back(std::move(stage.values));
  stages_.push_back({sequence_number, stage.event, to, place});
  for (const std::uint64_t event : stage.waits) stage_arrows_.push_back({sequence_number, event, to, place, false});
}

}  // namespace vizd::perfetto
