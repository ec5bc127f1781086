// The loops that an op stands in, as its box shows them. A pure function, any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "formats/tinygrad/printing/range_sets.h"

namespace vizd::tinygrad_2025_09 {

// "(0,1)" in the order of their numbers, coloured by axis type (serve.py uop_to_json); nothing where it raises.
std::optional<std::string> ranges_text(const ValueTable& values, std::span<const tinygrad::RangeSets::Range> ranges);

}  // namespace vizd::tinygrad_2025_09
