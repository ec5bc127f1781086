// The numbers of a numeric gap: values as arrays of float64, laid out and compared as PyTorch would. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::inspector {

using namespace etdump;

enum class GapMetric { kMse, kL1, kSnr, kCosine, kMaxRelative };
inline constexpr GapMetric kGapMetrics[] = {GapMetric::kMse, GapMetric::kL1, GapMetric::kSnr, GapMetric::kCosine,
                                            GapMetric::kMaxRelative};
// "MSE", "L1", "SNR", "cosine", "max relative".
std::string_view metric_name(GapMetric metric);

// Numbers in dense order.
struct NumberArray {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;
};

// A tensor, number or truth as an array, NaN taken as 0, and then infinities as the greatest numbers there are, as the
// Inspector does. Lists are stacked, which needs equal shapes. Errors, in PyTorch's words: what does not stack, and
// None.
Result<NumberArray> number_array(const Value& value);
Result<NumberArray> stack_values(std::span<const Value> values);

// SNR in dB, infinite where the two are equal; cosine 1 where they point the same way; max relative is the greatest |a
// - b| over |a|, where a is 0 over the greatest |a|. Shapes are broadcast. Errors: shapes that do not broadcast.
Result<double> gap_between(GapMetric metric, const NumberArray& reference, const NumberArray& runtime);

}  // namespace vizd::inspector
