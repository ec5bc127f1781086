// The fields of all rows about XLA's profiles, each said once: as device_answers.h has them for all others, with the
// host in place of the rank, and picoseconds; then modules, their instructions, and the work done for each op. A line
// refers to its capture. Pure.
#pragma once

#include "analysis/answers/field.h"
#include "analysis/xla/hlo_ops.h"
#include "analysis/xla/xla_breakdown.h"
#include "analysis/xla/xla_kernels.h"
#include "model/hlo_module.h"
#include "model/xla_profile.h"

namespace vizd {

template <typename Row>
struct XlaLineOf {
  const Capture& capture;
  const Row& row;

  const XlaHost& host() const { return capture.profile.xla->hosts[row.host]; }
  const XlaDevice& device() const { return host().devices[row.device]; }
};
using XlaKernelLine = XlaLineOf<XlaKernel>;
using XlaBreakdownLine = XlaLineOf<XlaBreakdown>;
using XlaStepLine = XlaLineOf<XlaStepRow>;

// "kernel", "memcpy", "memset", "op".
std::string_view xla_class_name(XlaClass work);

Fields<XlaKernelLine> xla_kernel_fields();
Fields<XlaBreakdownLine> xla_breakdown_fields();
Fields<XlaStepLine> xla_step_fields();

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
