// Fields of XLA's programs: modules and instructions.
#include <algorithm>
#include <limits>
#include <string>

#include "analysis/answers/field_values.h"
#include "analysis/answers/xla_answers.h"

namespace vizd {
namespace {

using enum Unit;
using ModuleField = Field<HloModuleLine>;

FieldInfo recording_host_field() { return text_field("host", "host", "The machine that recorded it"); }
FieldInfo program_field() {
  return number_field("program_id", "program", "The program's number, which may take 64 bits");
}
FieldInfo kind_of_record() { return text_field("record", "record", "Which kind of row it is"); }

// A figure of a module that could be read.
template <typename Get>
ModuleField figure(const FieldInfo& info, Get get) {
  return {info.or_null(), [get](const HloModuleLine& l) -> FieldValue {
            return l.row.module ? field_value(get(*l.row.module)) : FieldValue();
          }};
}

// How many of its instructions are such.
template <typename Is>
ModuleField instructions_that(const FieldInfo& info, Is is) {
  return figure(info, [is](const hlo::Module& module) { return std::ranges::count_if(module.instructions, is); });
}

std::int64_t dot_flop_of(const hlo::Module& module) {
  std::int64_t sum = 0;
  for (const hlo::Instruction& instruction : module.instructions) {
    if (__builtin_add_overflow(sum, instruction.dot_flop.value_or(0), &sum))
      return std::numeric_limits<std::int64_t>::max();
  }
  return sum;
}

std::int64_t entry_instructions(const hlo::Module& module) {
  const hlo::Computation* const entry = module.find_entry();
  return entry == nullptr ? 0 : entry->instructions.count;
}

// The names of the items at these places.
template <typename Item>
Texts names_of(std::span<const std::uint32_t> places, const std::vector<Item>& items) {
  Texts names;
  for (const std::uint32_t place : places) {
    const std::string_view name = place == kNoId ? std::string_view() : items[place].name;
    names.push_back(place != kNoId && name.data() == nullptr ? std::string_view("") : name);
  }
  return names;
}

}  // namespace

FieldValue program_number(const std::optional<std::uint64_t>& program_id) {
  if (!program_id) return {};
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (*program_id > kMost) return std::to_string(*program_id);
  return static_cast<std::int64_t>(*program_id);
}

Fields<HloModuleLine> hlo_module_fields() {
  using L = HloModuleLine;
  using hlo::Instruction;
  using hlo::Module;
  return {
      {kind_of_record(), [](const L&) { return std::string_view("module"); }},
      {recording_host_field(), [](const L& l) { return std::string_view(l.host.name); }},
      {program_field(), [](const L& l) { return program_number(l.row.program_id); }},
      {text_field("module", "module", "The module's name: jit_ and the function's"), &hlo::ProgramModule::name},
      {FieldInfo{"bad", "damaged", FieldKind::kFlag, "Its bytes are damaged, and nothing more is known of it"},
       [](const L& l) { return !l.row.module.has_value(); }},
      {count_field("bytes", "size", "Its size in the profile, literals and all", kBytes),
       &hlo::ProgramModule::size_bytes},
      figure(text_field("entry", "entry", "The computation that runs first"), [](const Module& m) { return m.entry; }),
      figure(count_field("computations", "computations"), [](const Module& m) { return m.computations.size(); }),
      figure(count_field("instructions", "instructions", "Those of all computations"),
             [](const Module& m) { return m.instructions.size(); }),
      figure(count_field("entry_instructions", "of the entry", "Instructions of the computation that runs first"),
             entry_instructions),
      figure(count_field("edges", "operands", "Operands of all instructions"),
             [](const Module& m) { return m.operands.size(); }),
      figure(count_field("control_edges", "control edges", "Instructions that others wait for without using them"),
             [](const Module& m) { return m.controls.size(); }),
      instructions_that(count_field("fusions", "fusions"), &Instruction::is_fusion),
      instructions_that(count_field("with_source", "with a line", "Instructions whose source line is known"),
                        &Instruction::has_source),
      instructions_that(
          count_field("with_op_name", "with a name", "Instructions whose operation of the model is known"),
          [](const Instruction& i) { return !i.op_name.empty(); }),
      figure(count_field("stack_frames", "stack frames"), [](const Module& m) { return m.stack_frames; }),
      figure(count_field("dot_flop", "dot FLOP", "Arithmetic of all dots, each once", kFlop), dot_flop_of),
  };
}

Fields<HloInstructionLine> hlo_instruction_fields() {
  using L = HloInstructionLine;
  using hlo::Instruction;
  return {
      {kind_of_record(), [](const L&) { return std::string_view("instruction"); }},
      {recording_host_field(), [](const L& l) { return std::string_view(l.host.name); }},
      {program_field(), [](const L& l) { return program_number(l.program.program_id); }},
      {text_field("module", "module"), [](const L& l) { return l.program.name; }},
      {text_field("computation", "computation"), [](const L& l) { return l.computation.name; }},
      {text_field("name", "instruction"), &Instruction::name},
      {text_field("opcode", "opcode"), &Instruction::opcode},
      {text_field("shape", "shape", "Without its layout; <= stands before a size that varies"),
       [](const L& l) { return std::string_view(l.row.shape); }},
      {FieldInfo{"operands", "operands", FieldKind::kTexts, "Names in their order; null: not in the module"},
       [](const L& l) { return names_of(l.module.operands_of(l.row), l.module.instructions); }},
      {FieldInfo{"calls", "calls", FieldKind::kTexts, "Computations that it calls, likewise"},
       [](const L& l) { return names_of(l.module.calls_of(l.row), l.module.computations); }},
      {text_field("fusion_kind", "fusion").or_null(), [](const L& l) { return text_or_none(l.row.fusion_kind); }},
      {text_field("op_name", "operation", "The operation of the model that it was made for").or_null(),
       [](const L& l) { return text_or_none(l.row.op_name); }},
      {text_field("source", "source", "The line that asked for it: FILE:LINE").or_null(),
       [](const L& l) { return l.row.source(); }},
      {FieldInfo{"root", "root", FieldKind::kFlag, "It is what its computation returns"},
       [](const L& l) { return l.computation.is_root(l.row); }},
      {count_field("dot_flop", "dot FLOP", "Arithmetic of one execution, of dots and of those in a fusion", kFlop)
           .or_null(),
       &Instruction::flop},
  };
}

}  // namespace vizd
