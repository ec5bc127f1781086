// Shapes of HLO instructions, out of their bytes (ShapeProto). They throw DamagedMessage where the bytes are no
// shape. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::hlo {

// "f32[2,3]", "(f32[<=2], u32[])": without layouts. Tuples nest as deep as the bytes have it.
std::string shape_text(std::string_view shape);

// The dimensions of an array's shape; of a tuple there are none.
std::vector<std::int64_t> shape_dimensions(std::string_view shape);

}  // namespace vizd::hlo
