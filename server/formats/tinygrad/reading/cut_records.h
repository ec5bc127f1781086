// What is missing of GPUs' records: traces without a packet, counters and samples that were cut off.
#pragma once

#include "model/capture.h"

namespace vizd::tinygrad {

// Says so among the capture's notes and warnings, once what GPUs recorded has been kept. Pure.
void tell_cut_records(Capture& capture);

}  // namespace vizd::tinygrad
