// The fields of rows about XLA's profiles: as device_answers.h has them of all others, with the host in place of the
// rank, and picoseconds. Made of constants; any thread.
#pragma once

#include "analysis/answers/field.h"
#include "analysis/xla/xla_breakdown.h"
#include "analysis/xla/xla_kernels.h"
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

}  // namespace vizd
