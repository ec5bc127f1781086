// What rocprofv3 means by the tracks and categories of its Perfetto traces. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd::perfetto {

// A track of work: "COMPUTE AGENT [1] STREAM [0] (GPU)", "COPY to AGENT [0] THREAD [2] (CPU)".
struct AgentTrack {
  std::int64_t agent = 0, lane = 0;
  bool is_gpu = true;  // a copy may go to the host's memory
};
std::optional<AgentTrack> parse_agent_track(std::string_view name);

// The name that other traces have for an argument of rocprofv3's; the same for all others.
std::string_view usual_argument(std::string_view name);

}  // namespace vizd::perfetto
