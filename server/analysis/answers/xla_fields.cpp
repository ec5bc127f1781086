// Fields of kernels, breakdowns and steps of XLA's profiles.
#include "analysis/answers/xla_answers.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

using enum Unit;

template <typename Line>
Field<Line> host_field() {
  return {text_field("host", "host", "Whose file it is of"),
          [](const Line& line) { return std::string_view(line.host().name); }};
}

template <typename Line>
Field<Line> device_field() {
  return {text_field("device", "device", "As the profiler calls it"),
          [](const Line& line) { return std::string_view(line.device().name); }};
}

std::optional<std::string> if_told(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <typename Line>
void add_busy(Fields<Line>& fields) {
  using R = XlaBusy;
  const Fields<Line> busy = {
      {time_field("busy_ns", "busy", "Some work ran").part_of("span_ns"), &R::busy_ns},
      {time_field("compute_ns", "compute", "Of the innermost ops, those that compute").part_of("span_ns"),
       &R::compute_ns},
      {time_field("communication_ns", "communication", "Collectives, sends and receives").part_of("span_ns"),
       &R::communication_ns},
      {time_field("memory_ns", "memory", "Copies, infeed and outfeed").part_of("span_ns"), &R::memory_ns},
      {time_field("overlap_ns", "overlap", "Computing and communicating at once"), &R::overlap_ns},
      {time_field("exposed_communication_ns", "exposed comm.", "Communicating while nothing computed"),
       &R::exposed_communication_ns},
      {time_field("exposed_memory_ns", "exposed memory", "Busy with neither computing nor communicating"),
       &R::exposed_memory_ns},
      {time_field("infeed_ns", "infeed", "Waiting for input of the host"), &R::infeed_ns},
      {time_field("outfeed_ns", "outfeed", "Waiting for the host to take output"), &R::outfeed_ns},
      {time_field("async_ns", "transfers", "Transfers beside the ops"), &R::async_ns},
      {time_field("async_overlap_ns", "hidden transfers", "Transfers behind compute"), &R::async_overlap_ns},
  };
  fields.insert(fields.end(), busy.begin(), busy.end());
}

}  // namespace

std::string_view xla_class_name(XlaClass work) {
  constexpr std::string_view kNames[] = {"kernel", "memcpy", "memset", "op"};
  return kNames[static_cast<std::size_t>(work)];
}

Fields<XlaKernelLine> xla_kernel_fields() {
  using L = XlaKernelLine;
  using R = XlaKernel;
  return {
      host_field<L>(),
      device_field<L>(),
      {text_field("class", "class", "kernel, memcpy, memset, or an op of XLA's"),
       [](const L& l) { return xla_class_name(l.row.work); }},
      {{"communication", "communication", FieldKind::kFlag, "Whether it moves data between devices"},
       &R::is_communication},
      {count_field("launches", "launches"), [](const L& l) { return l.row.durs.launches; }},
      {time_field("total_ns", "total", "Of all launches, what lies in them included; by the device's own clock"),
       [](const L& l) { return l.row.durs.total_ns; }},
      {amount_field("mean_ns", "mean", kNanoseconds), [](const L& l) { return l.row.durs.mean_ns; }},
      {amount_field("median_ns", "median", kNanoseconds), [](const L& l) { return l.row.durs.median_ns; }},
      {time_field("p90_ns", "p90"), [](const L& l) { return l.row.durs.p90_ns; }},
      {time_field("min_ns", "min"), [](const L& l) { return l.row.durs.min_ns; }},
      {time_field("max_ns", "max"), [](const L& l) { return l.row.durs.max_ns; }},
      {count_field("total_ps", "total ps", "As the host's clock draws it"), &R::total_ps},
      {count_field("self_ps", "self ps", "Without what lies in it, by the device's own clock"), &R::self_ps},
      {real_field("time_percent", "% of work", kPercent, "Of the self time of all work of the device").or_null(),
       &R::time_percent},
      {count_field("bytes_copied", "bytes", "What copies and sets moved", kBytes).or_null(), &R::bytes_copied},
      {count_field("registers", "registers", "Of a thread, in the first launch").or_null(), &R::registers},
      {text_field("grid", "grid", "Blocks, in the first launch").or_null(),
       [](const L& l) { return if_told(l.row.grid); }},
      {text_field("block", "block", "Threads of a block, in the first launch").or_null(),
       [](const L& l) { return if_told(l.row.block); }},
      {time_field("self_ns", "self", "Without what lies in it, by the device's own clock").extra(),
       [](const L& l) { return l.row.self_ps / 1000; }},
      {text_field("name", "name", "Of the kernel or op"), [](const L& l) { return l.capture.strings.get(l.row.name); }},
  };
}

Fields<XlaBreakdownLine> xla_breakdown_fields() {
  using L = XlaBreakdownLine;
  using R = XlaBreakdown;
  Fields<L> fields = {
      host_field<L>(),
      device_field<L>(),
      {number_field("stream", "stream", "A GPU's stream, a CPU's thread; none: all of the device"),
       [](const L& l) -> FieldValue {
         if (!l.row.stream) return {};
         if (const auto* const number = std::get_if<std::int64_t>(&*l.row.stream)) return *number;
         return l.capture.strings.get(std::get<StringId>(*l.row.stream));
       }},
      {text_field("device_name", "device's name", "What kind of device it is").or_null(),
       [](const L& l) { return l.row.stream ? std::nullopt : if_told(l.device().type); }},
      {count_field("events", "work", "Pieces of work"), &R::events},
      {count_field("start_ns", "start", "Of the first work, on the file's clock"), &R::start_ns},
      {count_field("end_ns", "end", "Of the last work, on the file's clock"), &R::end_ns},
      {time_field("span_ns", "span", "From the first work to the end of the last"),
       [](const L& l) { return l.row.end_ns - l.row.start_ns; }},
  };
  add_busy(fields);
  const Fields<L> idle = {
      {time_field("idle_ns", "idle", "Nothing ran").part_of("span_ns"), &R::idle_ns},
      {time_field("idle_host_ns", "idle: host", "The host launched what came next too late").part_of("span_ns"),
       &R::idle_host_ns},
      {time_field("idle_kernel_ns", "idle: kernel", "Short, from work to work").part_of("span_ns"), &R::idle_kernel_ns},
      {time_field("idle_other_ns", "idle: other", "Of another cause").part_of("span_ns"), &R::idle_other_ns},
      {count_field("gaps", "gaps", "How often it became idle"), &R::gaps},
  };
  fields.insert(fields.end(), idle.begin(), idle.end());
  return fields;
}

Fields<XlaStepLine> xla_step_fields() {
  using L = XlaStepLine;
  using R = XlaStepRow;
  const auto step = [](const L& l) -> const XlaStep& { return l.host().steps[l.row.step]; };
  Fields<L> fields = {
      host_field<L>(),
      device_field<L>(),
      {text_field("plane", "plane", "Of the file, which tells the step"),
       [=](const L& l) { return std::string_view(step(l).plane); }},
      {count_field("line", "line", "Likewise"), [=](const L& l) { return step(l).line; }},
      {text_field("name", "name", "Of the step"), [=](const L& l) { return l.capture.strings.get(step(l).name); }},
      {count_field("step", "step", "Its number, where the host tells it").or_null(),
       [=](const L& l) { return step(l).number; }},
      {count_field("start_ns", "start", "On the file's clock"), &R::start_ns},
      {time_field("span_ns", "span", "How long it took"), &R::span_ns},
  };
  add_busy(fields);
  fields.push_back({time_field("idle_ns", "idle", "Nothing ran").part_of("span_ns"), &R::idle_ns});
  return fields;
}

}  // namespace vizd
