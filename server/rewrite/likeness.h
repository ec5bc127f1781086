// Finds the nodes of a state whose sub-graphs are alike but for integers, as the copies of an unrolled
// loop are: the same kinds, dtypes and shapes of sources all the way down, while constants, and the integers in
// arguments of ops that read something, may differ. Leaves that are boxes of their own (buffers, ranges) must be the
// same.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"
#include "rewrite/history.h"

namespace vizd {

// By node: equal numbers for alike nodes, 0 for those that do not live at the state. 64 bits of hash: nodes that are
// not alike may be taken so by an accident of one in 2^64. One pass over the graph; any thread.
std::vector<std::uint64_t> likeness_at(const Capture& capture, const History& history, std::uint32_t state);

}  // namespace vizd
