// For requests about a thread trace: the capture that ?capture= names may be one (derived/trace_capture.h).
#pragma once

#include "derived/trace_capture.h"
#include "http/routes/routes.h"

namespace vizd {

// Nothing where the request is about a capture as it was read.
std::optional<TraceId> trace_named(const Request& request);

// Errors: as the making's; the client has left.
Result<Loaded> loaded_trace(const TraceId& id, const Request& request, const Services& services);

}  // namespace vizd
