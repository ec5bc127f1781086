#include "analysis/pytorch/profiler_flop.h"

#include <cmath>

#include "analysis/pytorch/operator_call.h"
#include "analysis/pytorch/operator_cost.h"

namespace vizd {
namespace {

// input, weight, bias, stride, padding, dilation, groups.
double convolution_flop(const OperatorCall& call) {
  constexpr std::size_t kStride = 3, kPadding = 4, kDilation = 5, kGroups = 6, kSpatial = 2;
  if (!call.has_values()) throw NotKnown();
  const Shape &x = call.dims(0, 2 + kSpatial), &w = call.dims(1, 2 + kSpatial);
  const Shape stride = call.value(kStride).spread(kSpatial), padding = call.value(kPadding).spread(kSpatial);
  const Shape dilation = call.value(kDilation).spread(kSpatial);
  const double groups = call.value(kGroups).number();
  double flop = 2 * x[0] * x[1] * product(w, 2) * w[0] / groups;
  for (std::size_t i = 0; i < kSpatial; ++i) {
    const double reach = at(dilation, i) * (w[2 + i] - 1);
    flop *= std::floor((x[2 + i] + 2 * at(padding, i) - reach - 1) / at(stride, i)) + 1;
  }
  return flop;
}

std::optional<double> flop_of(const OperatorInputs& inputs) {
  constexpr std::string_view kProducts[] = {"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"};
  for (const std::string_view product : kProducts) {
    if (inputs.name != product) continue;
    const auto cost = operator_cost(inputs);
    return cost ? std::optional(cost->flop) : std::nullopt;
  }
  const bool is_elementwise = inputs.name == "aten::add" || inputs.name == "aten::mul";
  if (!is_elementwise && inputs.name != "aten::conv2d") return std::nullopt;
  const OperatorCall call(inputs);
  if (!is_elementwise) return convolution_flop(call);
  if (call.size() == 0 || !call.is_tensor(0)) return std::nullopt;
  return product(call.dims(0));
}

}  // namespace

std::optional<double> profiler_flop(const OperatorInputs& inputs) {
  if (inputs.dims.empty()) return std::nullopt;
  try {
    const auto flop = flop_of(inputs);
    return flop && std::isfinite(*flop) ? flop : std::nullopt;
  } catch (const NotKnown&) {
    return std::nullopt;
  }
}

}  // namespace vizd
