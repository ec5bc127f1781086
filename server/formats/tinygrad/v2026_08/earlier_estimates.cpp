#include "formats/tinygrad/v2026_08/earlier_estimates.h"

#include <string>

#include "formats/tinygrad/v2026_08/earlier_dtype.h"

namespace vizd::tinygrad_2026_08 {
namespace {

struct Rules12 {
  using Ops = tinygrad::Ops;
  static constexpr Ops kLoopEnd = Ops::kEnd;
  static constexpr bool kStopsAtLoops = true, kKeepsIndexed = true;
  static bool marks_all_of(Ops op) { return op == Ops::kLoad || op == Ops::kStore; }
  static bool is_arithmetic(Ops op) { return is_alu(op) || op == Ops::kIdiv || op == Ops::kMod; }
  static tinygrad::MovedType dtype(const ValueTable& values, ValueId id) {
    const EarlierDType read = read_earlier_dtype(values, id);
    const ValueId space = read.is_pointer ? values.field(id, "addrspace") : kNoneValue;
    const bool in_registers = values.kind(space) == ValueKind::kEnum && values.text(space) == "REG";
    return {in_registers, read.bytes(), read.count, read.elements};
  }
};

std::optional<tinygrad::WorkEstimate> estimate(const Capture& capture, const tinygrad::KernelExecution& execution) {
  const ValueId code = capture.values.field(execution.program.origin, "uops");
  if (capture.values.kind(code) != ValueKind::kList) return tinygrad::WorkEstimate{};
  return tinygrad::WorkEstimator<Rules12>(capture, execution.var_vals).walk(capture.values.items(code));
}

// ",".join(str(m) for m in metadata)
std::string metadata_text(const ValueTable& values, ValueId metadata) {
  std::string text;
  if (values.kind(metadata) != ValueKind::kTuple && values.kind(metadata) != ValueKind::kList) return text;
  for (const ValueId item : values.items(metadata)) {
    const ValueId name = values.field(item, "name"), backward = values.field(item, "backward");
    if (values.kind(name) != ValueKind::kString) continue;
    if (!text.empty()) text += ',';
    text += values.text(name);
    if (values.kind(backward) == ValueKind::kBool && values.as_bool(backward)) text += " bw";
  }
  return text;
}

}  // namespace

std::optional<tinygrad::ExecutionWork> WorkOfExecutions12::operator()(const Capture& capture,
                                                                      const tinygrad::KernelExecution& execution) {
  std::optional<tinygrad::WorkEstimate> work;
  if (capture.values.items(execution.var_vals).empty()) {
    const auto [found, is_new] = fixed_.try_emplace(execution.program.origin);
    if (is_new) found->second = estimate(capture, execution);
    work = found->second;
  } else {
    work = estimate(capture, execution);
  }
  if (!work) return std::nullopt;
  using tinygrad::work_amount;
  return tinygrad::ExecutionWork{work_amount(work->operations), work_amount(work->memory_bytes),
                                 work_amount(work->load_store_bytes),
                                 metadata_text(capture.values, execution.metadata)};
}

}  // namespace vizd::tinygrad_2026_08
