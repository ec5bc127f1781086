// Fields of the work of devices by HLO op.
#include <string>
#include <utility>

#include "analysis/answers/field_values.h"
#include "analysis/answers/xla_answers.h"

namespace vizd {
namespace {

using enum Unit;

// A text of the op's instruction.
auto text_of(std::string_view hlo::Instruction::*text) {
  return [text](const HloOpLine& l) {
    return l.row.instruction == nullptr ? std::nullopt : text_or_none(l.row.instruction->*text);
  };
}

FieldInfo picoseconds_field(std::string_view name, std::string_view title, std::string_view about) {
  return count_field(name, title, about, kPicoseconds);
}

// The fields that identify an op, and how often and how long it ran.
Fields<HloOpLine> op_time_fields() {
  using L = HloOpLine;
  return {
      {text_field("host", "host", "The machine that recorded it"),
       [](const L& l) { return std::string_view(l.host.name); }},
      {text_field("device", "device"), [](const L& l) { return std::string_view(l.host.devices[l.row.device].name); }},
      {number_field("program_id", "program", "The program's number, which may take 64 bits"),
       [](const L& l) { return program_number(l.row.program_id); }},
      {text_field("module", "module").or_null(), &HloOpRow::module},
      {text_field("op", "HLO op"), &HloOpRow::op},
      {text_field("category", "category", "The compiler's, where the profile has it").or_null(),
       [](const L& l) { return text_or_none(l.row.category); }},
      {text_field("opcode", "opcode").or_null(), text_of(&hlo::Instruction::opcode)},
      {text_field("fusion_kind", "fusion").or_null(), text_of(&hlo::Instruction::fusion_kind)},
      {count_field("fused_instructions", "fused", "Instructions that the fusion holds").or_null(),
       &HloOpRow::fused_instructions},
      {count_field("launches", "launches", "Pieces of work: kernels, or ops where these were recorded"),
       &HloOpRow::launches},
      {count_field("kernels", "kernels", "Different kernels that it is; null where ops were recorded").or_null(),
       &HloOpRow::kernels},
      {count_field("executions", "executions", "Of several kernels, the launches of the one with the fewest"),
       &HloOpRow::executions},
      {picoseconds_field("total_ps", "total", "By the device's own clock, where the profile has it"),
       &HloOpRow::total_ps},
      {picoseconds_field("drawn_ps", "drawn", "By the host's clock, as the timeline shows it"), &HloOpRow::drawn_ps},
      {picoseconds_field("self_ps", "self time", "Without the ops that lie within it; by the device's own clock"),
       &HloOpRow::self_ps},
      {real_field("time_percent", "share", kPercent, "Self time, of that of all work of the device").or_null(),
       &HloOpRow::time_percent},
  };
}

// How much it did, and what it was for.
Fields<HloOpLine> op_work_fields() {
  using L = HloOpLine;
  const auto name_of_source = [](PeakSource source) {
    return text_or_none(kPeakSourceNames[static_cast<std::size_t>(source)]);
  };
  return {
      {count_field("flops", "FLOP", "Of all executions, as the compiler counted", kFlop).or_null(), &HloOpRow::flops},
      {count_field("model_flops", "model FLOP", "Without what was computed again", kFlop).or_null(),
       &HloOpRow::model_flops},
      {count_field("bytes_accessed", "bytes", "Of all executions, as the compiler counted", kBytes).or_null(),
       &HloOpRow::bytes_accessed},
      {count_field("dot_flops", "dot FLOP", "Of all executions, from the shapes of dots", kFlop).or_null(),
       &HloOpRow::dot_flops},
      {amount_field("peak_flops", "peak FLOP/s", kFlopPerSecond, "Of the device, in bf16").or_null(),
       [](const L& l) { return l.row.peaks.flops; }},
      {amount_field("peak_bytes_per_s", "peak bytes/s", kBytesPerSecond, "Of the device's memory").or_null(),
       [](const L& l) { return l.row.peaks.bytes_per_s; }},
      {text_field("peak_flops_from", "peak FLOP/s by", "--peaks, profile or table").or_null(),
       [name_of_source](const L& l) { return name_of_source(l.row.peaks.of_flops); }},
      {text_field("peak_bytes_from", "peak bytes/s by", "Likewise").or_null(),
       [name_of_source](const L& l) { return name_of_source(l.row.peaks.of_bytes); }},
      {real_field("achieved_flops_percent", "of peak FLOP/s", kPercent, "Over the self time; none above 100 %")
           .or_null(),
       [](const L& l) { return l.row.flops_percent(); }},
      {real_field("achieved_bandwidth_percent", "of peak bytes/s", kPercent, "Over the self time; none above 100 %")
           .or_null(),
       [](const L& l) { return l.row.bytes_percent(); }},
      {text_field("impossible", "impossible", "A share above 100 %, which is not shown as one").or_null(),
       [](const L& l) -> FieldValue {
         std::string text = l.row.impossible();
         return text.empty() ? FieldValue() : FieldValue(std::move(text));
       }},
      {text_field("op_name", "operation", "The operation of the model that it was made for").or_null(),
       [](const L& l) { return text_or_none(l.row.op_name); }},
      {text_field("source", "source", "The line that asked for it: FILE:LINE").or_null(), &HloOpRow::source},
      {FieldInfo{"communication", "communication", FieldKind::kFlag, "It moves data between devices"},
       &HloOpRow::is_communication},
  };
}

}  // namespace

Fields<HloOpLine> hlo_op_fields() {
  Fields<HloOpLine> fields = op_time_fields();
  for (Field<HloOpLine>& field : op_work_fields()) fields.push_back(std::move(field));
  return fields;
}

}  // namespace vizd
