// What an op makes of constants (tinygrad's ops.py exec_alu): Python's arithmetic, item by item where operands are
// vectors. Pure functions, any thread.
#pragma once

#include <optional>
#include <span>

#include "formats/tinygrad/symbolic/ops.h"
#include "formats/tinygrad/symbolic/scalar.h"

namespace vizd::tinygrad {

// Nothing where Python raises, or for an op that has no arithmetic.
std::optional<Number> fold_numbers(Ops op, std::span<const Number> operands);

// dtype.bitcast(value): the same bits as another dtype of the same width; nothing for widths and dtypes that Python's
// struct does not know.
std::optional<Number> bitcast_number(const Number& value, Scalar from, Scalar to);

}  // namespace vizd::tinygrad
