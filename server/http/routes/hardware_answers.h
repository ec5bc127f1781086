// What GPUs recorded of themselves, at the endpoints of tinygrad's newer viewer: counters, thread traces, waves of
// compute units, samples of program counters. For reference_routes.cpp.
#pragma once

#include "base/json_writer.h"
#include "http/routes/routes.h"

namespace vizd {

// Their entries of /ctxs, which stand after those of the rewrites.
void write_hardware_contexts(JsonWriter& json, const Capture& capture);

// /all-pmc, /prg-pmc, /sqtt-N, /amd-sqtt-occ, /cu-sqtt, /prg-pma-pkts?ctx=I&step=J. A record that cannot be read is
// answered as the viewer does it: {"src": what is wrong}.
Response hardware_answer(const Request& request, const std::shared_ptr<const LoadedCapture>& loaded,
                         const Services& services);

}  // namespace vizd
