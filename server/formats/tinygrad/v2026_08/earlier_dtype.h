// Dtypes of the releases 0.12.0 and 0.13.0, which may be vectors, pointers and images. Pure, any thread.
#pragma once

#include "formats/tinygrad/v2026_08/dtype.h"

namespace vizd::tinygrad_2026_08 {

struct EarlierDType {
  bool is_pointer = false;  // images too
  bool is_image = false;
  std::int64_t count = 1;  // of a vector: its lanes
  std::int64_t bits = 0;
  std::int64_t elements = -1;  // of a pointer: how many it leads to; -1 where that is not said

  std::int64_t bytes() const { return (bits + 7) / 8; }
};

EarlierDType read_earlier_dtype(const ValueTable& values, ValueId dtype);

// The scalar of a vector is that of its lanes, and of indices too (dtype.scalar()).
Scalar earlier_scalar(const ValueTable& values, ValueId dtype);

}  // namespace vizd::tinygrad_2026_08
