// What a number is as a constant of one of tinygrad's dtypes, and the dtypes' bounds. Pure functions, any thread.
#pragma once

#include "formats/tinygrad/python/number.h"
#include "formats/tinygrad/v2025_09/dtype.h"

namespace vizd::tinygrad_2025_09 {

using python::add;
using python::c_div;
using python::c_mod;
using python::equal;
using python::floor_div;
using python::floor_mod;
using python::greater;
using python::kHuge;
using python::less;
using python::lesser;
using python::multiply;
using python::Number;
using python::number_text;
using python::Wide;
using python::wide_add;
using python::wide_gcd;
using python::wide_mul;
using python::wide_text;

// dtypes.as_const: the number as a constant of a dtype.
Number as_const(const Number& value, Scalar scalar);
// dtypes.min and dtypes.max
Number least(Scalar scalar);
Number greatest(Scalar scalar);

}  // namespace vizd::tinygrad_2025_09
