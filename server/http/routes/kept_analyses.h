// What routes make of a capture's devices and keep: the analysis of their work, the named replays of their graphs, and
// these as lanes. Each is made once a reading of the capture, for all that ask.
#pragma once

#include <memory>

#include "analysis/devices/device_analysis.h"
#include "derived/kept_replay_lanes.h"
#include "derived/kept_replays.h"
#include "http/routes/routes.h"

namespace vizd {

Derived::Ticket<DeviceAnalysis> devices_of(const Loaded& loaded, const Services& services);

// Errors of these: the client has left, or it takes too long.
Result<std::shared_ptr<const KeptReplays>> replays_of(const Loaded& loaded, const Request& request,
                                                      const Services& services);
// For a thread that makes answers, on which no request waits.
Result<std::shared_ptr<const KeptReplays>> replays_for_answer(const Loaded& loaded, const Services& services);
// No lanes where there are neither replays nor steps.
Result<std::shared_ptr<const KeptReplayLanes>> replay_lanes_of(const Loaded& loaded, const Request& request,
                                                               const Services& services);

}  // namespace vizd
