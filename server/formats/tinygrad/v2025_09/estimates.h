// What a kernel has to do, by its own code, and how much an execution of it therefore did: operations, bytes it
// touches, bytes its loads and stores move. The rules are those of tinygrad's renderer (Estimates.from_uops,
// ignore_indexing) and of its viewer's timeline. Belongs to one thread; the capture must outlive it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "formats/tinygrad/version.h"
#include "formats/tinygrad/work_estimator.h"
#include "model/capture.h"

namespace vizd::tinygrad_2025_09 {

using tinygrad::Wide;
using Estimates = tinygrad::WorkEstimate;

// The estimates of one execution; nothing where they depend on a variable that it does not set, or on a loop's index.
// uops: the kernel's linear code, a list of ops, or none; var_vals: a dict of name to integer.
std::optional<Estimates> estimate(const Capture& capture, ValueId uops, ValueId var_vals);

class WorkOfExecutions {
 public:
  std::optional<tinygrad::ExecutionWork> operator()(const Capture& capture, const tinygrad::KernelExecution& execution);

 private:
  std::unordered_map<ValueId, std::optional<Estimates>> fixed_;  // by program, of executions without variables
};

}  // namespace vizd::tinygrad_2025_09
