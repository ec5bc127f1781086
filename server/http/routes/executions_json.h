// Figures, and executions with theirs, as JSON (server/http/API.md). Any thread; the capture is only read.
#pragma once

#include "analysis/figures/executions.h"
#include "base/json_writer.h"
#include "model/capture.h"

namespace vizd {

// count, total_ns, self_ns, mean_ns, median_ns, p90_ns and max_ns: keys of the object that is open.
void write_figures(JsonWriter& json, const Figures& figures);

// "worst" with the longest event's place; start_ns: of the profile, on the capture's clock.
void write_longest(JsonWriter& json, const Figures& figures, std::int64_t start_ns);

// The value of "executions"; null where there are none.
void write_executions(JsonWriter& json, const Capture& capture, const Executions& executions);

}  // namespace vizd
