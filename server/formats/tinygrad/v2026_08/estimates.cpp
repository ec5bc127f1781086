#include "formats/tinygrad/v2026_08/estimates.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <vector>

#include "formats/tinygrad/symbolic/const_fold.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/value_text.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// The number of an op with these sources; nothing where Python raises.
std::optional<Number> evaluate_op(const Capture& capture, const Op& op, ValueId var_vals,
                                  const std::vector<Number>& sources) {
  const ValueTable& values = capture.values;
  const auto kind = static_cast<Ops>(op.kind);
  switch (kind) {
    case Ops::kConst:
      if (values.kind(op.arg) == ValueKind::kBool) return Number::of_bool(values.as_bool(op.arg));
      if (is_real(values, op.arg)) return Number::of_real(real_of(values, op.arg));
      if (values.kind(op.arg) == ValueKind::kInt) return Number::of(values.as_int(op.arg));
      return std::nullopt;
    case Ops::kParam:
    case Ops::kBuffer: {
      const ValueId name = values.field(op.arg, "name");
      const auto items = values.items(var_vals);
      for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i] == name && values.kind(items[i + 1]) == ValueKind::kInt)
          return Number::of(values.as_int(items[i + 1]));
      }
      return std::nullopt;
    }
    case Ops::kAfter:
      return sources.empty() ? std::nullopt : std::optional(sources[0]);
    case Ops::kCast: {
      if (sources.size() != 1) return std::nullopt;
      const Scalar to = read_scalar(values, op.dtype);
      if (is_float(to)) return Number::of_real(sources[0].as_real());
      if (to == Scalar::kBool) return Number::of_bool(sources[0].truthy());
      return Number::of(sources[0].is_integer() ? sources[0].integer : python::truncated(sources[0].real));
    }
    default:
      return fold_numbers(kind, sources);
  }
}

// uop.sym_infer(var_vals)
std::optional<Number> evaluate(const Capture& capture, ValueId size, ValueId var_vals) {
  const ValueTable& values = capture.values;
  if (values.kind(size) == ValueKind::kInt) return Number::of(values.as_int(size));
  if (is_real(values, size)) return Number::of_real(real_of(values, size));
  if (values.kind(size) != ValueKind::kOp) return std::nullopt;
  std::unordered_map<OpId, Number> known;
  for (const OpId id : toposort(capture.ops, values.as_op(size))) {
    const Op op = capture.ops.op(id);
    std::vector<Number> sources;
    const bool is_variable = static_cast<Ops>(op.kind) == Ops::kParam || static_cast<Ops>(op.kind) == Ops::kBuffer;
    for (const OpId source : op.src) {
      const auto found = known.find(source);
      if (found != known.end()) sources.push_back(found->second);
    }
    const auto number =
        sources.size() == op.src.size() || is_variable ? evaluate_op(capture, op, var_vals, sources) : std::nullopt;
    if (number) known.emplace(id, *number);
  }
  const auto found = known.find(values.as_op(size));
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

// KernelInfo.estimates of the program that the context ended in.
ValueId find_estimates(const Capture& capture, ContextId context) {
  const ValueTable& values = capture.values;
  ValueId estimates = kNoneValue;
  for (const Pass& pass : capture.rewrites.passes_of(capture.rewrites.contexts[index(context)])) {
    if (capture.strings.get(pass.name) != "View Program") continue;
    const auto src = capture.ops.src(pass.sink);
    if (src.empty()) continue;
    const ValueId info = capture.ops.op(src[0]).arg;
    estimates = values.kind(info) == ValueKind::kObject ? values.field(info, "estimates") : kNoneValue;
  }
  return values.kind(estimates) == ValueKind::kObject ? estimates : kNoneValue;
}

}  // namespace

std::string describe_work(const Capture& capture, ContextId context, ValueId var_vals, double dur_us) {
  const ValueId estimates = find_estimates(capture, context);
  if (estimates == kNoneValue) return "";
  std::string text;
  constexpr std::pair<std::string_view, std::string_view> kRates[] = {
      {"FLOPS", "ops"}, {"B/s mem", "mem"}, {"B/s lds", "lds"}};
  for (const auto& [name, field] : kRates) {
    const auto work = evaluate(capture, capture.values.field(estimates, field), var_vals);
    const double rate = work ? work->as_real() / (dur_us * 1e-6) : 0;
    if (!text.empty()) text += ", ";
    if (work && std::isfinite(rate)) {
      text += fmt::format("\"{}\": {}", name, python::wide_text(python::truncated(rate)));
    } else {
      text += fmt::format("\"{}\": \"ERR\"", name);
    }
  }
  return text;
}

}  // namespace vizd::tinygrad_2026_08
