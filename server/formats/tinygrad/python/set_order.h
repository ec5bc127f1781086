// The order of a set of integers. A pure function, any thread.
#pragma once

#include <span>
#include <vector>

#include "formats/tinygrad/python/number.h"

namespace vizd::python {

// The order in which Python goes through a set of these integers, each put in once.
std::vector<Wide> in_set_order(std::span<const Wide> values);

}  // namespace vizd::python
