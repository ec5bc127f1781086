// Rows of a numeric gap: what two values that should be the same differ by, and where that grows. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/etdump/tensor_values.h"
#include "reference/inspector/numeric_gap.h"

namespace vizd::inspector {

// All tensors and numbers of a list, lists in it opened; they point into it.
void flatten(std::span<const Value> values, std::vector<const Value*>& out);

// "float32[2, 5]", "a number".
std::string text_of_value(const Value& value);

// Whether one can be the other: of one shape, and both numbers or both indices. A truth goes with either.
bool may_match(const Value& reference, const Value& runtime);

// False where the shape is known and the bytes are not.
bool has_data(const Value& value);

// The values and all measures of a row; none where they cannot be compared, or have no elements.
std::optional<OutputGap> compare_values(const Value& reference, const Value& runtime);

// The first row whose error is ten times that of all before it, and more than rounding.
std::optional<std::size_t> first_grown(std::span<const OutputGap> rows);

}  // namespace vizd::inspector
