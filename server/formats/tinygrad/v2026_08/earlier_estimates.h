// How much an execution of a kernel did, by the linear code that a ProgramSpec of 0.12.0 holds: that release's
// Estimates.from_uops. Belongs to one thread; the capture must outlive it.
#pragma once

#include <optional>
#include <unordered_map>

#include "formats/tinygrad/version.h"
#include "formats/tinygrad/work_estimator.h"

namespace vizd::tinygrad_2026_08 {

class WorkOfExecutions12 {
 public:
  std::optional<tinygrad::ExecutionWork> operator()(const Capture& capture, const tinygrad::KernelExecution& execution);

 private:
  std::unordered_map<ValueId, std::optional<tinygrad::WorkEstimate>> fixed_;  // by program, of those without variables
};

}  // namespace vizd::tinygrad_2026_08
