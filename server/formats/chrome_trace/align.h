// Lays the ranks of one job on one clock by what they did together. One thread.
#pragma once

#include "model/capture.h"

namespace vizd::chrome_trace {

// Collectives end together on all their ranks: shifts each rank by the median of how much later its own end than those
// of the first, where enough of them are the same on both; facts of the ranks' tracks say so, or that their clocks were
// taken as they are.
void align_ranks(Capture& capture);

}  // namespace vizd::chrome_trace
