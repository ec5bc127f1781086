// The rows of all answers about programs of XLA, each field said once: modules, their instructions, and what devices
// did for each op. A line refers to what it is of. Pure.
#pragma once

#include "analysis/answers/field.h"
#include "analysis/xla/hlo_ops.h"
#include "model/hlo_module.h"
#include "model/xla_profile.h"

namespace vizd {

struct HloModuleLine {
  const XlaHost& host;
  const hlo::ProgramModule& row;
};
Fields<HloModuleLine> hlo_module_fields();

struct HloInstructionLine {
  const XlaHost& host;
  const hlo::ProgramModule& program;
  const hlo::Module& module;
  const hlo::Computation& computation;
  const hlo::Instruction& row;
};
Fields<HloInstructionLine> hlo_instruction_fields();

struct HloOpLine {
  const XlaHost& host;
  const HloOpRow& row;
};
Fields<HloOpLine> hlo_op_fields();

// A program's number, which may take 64 bits: as a text where it is no std::int64_t.
FieldValue program_number(const std::optional<std::uint64_t>& program_id);

}  // namespace vizd
