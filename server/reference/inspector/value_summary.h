// Sums up a value at a glance, and writes it as JSON. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::inspector {

using namespace etdump;

// A tensor at a glance. Least, greatest and mean are those of the finite elements; none without any.
struct TensorSummary {
  std::string sha1;  // of the dense bytes, in hex
  std::optional<double> min, max, mean;
  std::uint64_t nan_count = 0, infinite_count = 0, zero_count = 0;
  std::vector<double> first;  // up to four elements
};
TensorSummary summarize(const Tensor& tensor);

// Writes {dtype, shape, sha1, min, max, mean, nan, inf, first} of a tensor, a number, true, false, null, or a list of
// such; NaN and the infinities as the texts "nan", "inf" and "-inf".
void write_value(JsonWriter& json, const Value& value);
// Writes the fields dtype and shape, and min, max, mean, nan and inf, into an open object.
void write_type(JsonWriter& json, const Tensor& tensor);
void write_figures(JsonWriter& json, const TensorSummary& summary);
// A number, or "nan", "inf", "-inf".
void write_real(JsonWriter& json, double value);

}  // namespace vizd::inspector
