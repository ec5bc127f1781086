#include "formats/tinygrad/v2025_09/estimates.h"

#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/value_text.h"
#include "formats/tinygrad/work_estimator.h"

namespace vizd::tinygrad_2025_09 {
namespace {

struct Rules {
  using Ops = tinygrad_2025_09::Ops;
  static constexpr Ops kLoopEnd = Ops::kEndrange;
  static constexpr bool kStopsAtLoops = false, kKeepsIndexed = false;
  static bool marks_all_of(Ops) { return false; }
  static bool is_arithmetic(Ops op) {  // GroupOp.ALU
    return (op >= Ops::kExp2 && op <= Ops::kTrunc) || (op >= Ops::kAdd && op <= Ops::kMulacc);
  }
  static tinygrad::MovedType dtype(const ValueTable& values, ValueId id) {
    const DType read = read_dtype(values, id);
    return {read.is_pointer() && read.in_registers, read.item_size_bytes, read.count, read.pointer_elements};
  }
};

}  // namespace

std::optional<Estimates> estimate(const Capture& capture, ValueId uops, ValueId var_vals) {
  if (capture.values.kind(uops) != ValueKind::kList) return Estimates{};
  return tinygrad::WorkEstimator<Rules>(capture, var_vals).walk(capture.values.items(uops));
}

std::optional<tinygrad::ExecutionWork> WorkOfExecutions::operator()(const Capture& capture,
                                                                    const tinygrad::KernelExecution& execution) {
  const ValueId uops = capture.values.field(execution.program.origin, "uops");
  std::optional<Estimates> estimates;
  if (capture.values.items(execution.var_vals).empty()) {
    const auto [found, added] = fixed_.try_emplace(execution.program.origin);
    if (added) found->second = estimate(capture, uops, execution.var_vals);
    estimates = found->second;
  } else {
    estimates = estimate(capture, uops, execution.var_vals);
  }
  if (!estimates) return std::nullopt;
  using tinygrad::work_amount;
  return tinygrad::ExecutionWork{work_amount(estimates->operations), work_amount(estimates->memory_bytes),
                                 work_amount(estimates->load_store_bytes),
                                 ValueText(capture.ops).str(execution.metadata)};
}

}  // namespace vizd::tinygrad_2025_09
