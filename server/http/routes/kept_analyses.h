// What routes make of a capture's devices and keep: the analysis of their work, the named replays of their graphs, and
// these as lanes. Each is made once a reading of the capture, for all that ask.
#pragma once

#include <memory>

#include "analysis/devices/device_analysis.h"
#include "analysis/graph_replay/kept_names.h"
#include "derived/kept_replay_lanes.h"
#include "derived/kept_replays.h"
#include "derived/naming_sources.h"
#include "http/routes/routes.h"

namespace vizd {

Derived::Ticket<DeviceAnalysis> devices_of(const Loaded& loaded, const Services& services);

// wait: gives what a ticket stands for.
template <typename Wait>
Result<std::shared_ptr<const KeptReplays>> replays_by(const Wait& wait, const Loaded& loaded,
                                                      const Services& services) {
  // Most captures have neither graphs nor steps: of those nothing is made, nor of lanes that are made of replays.
  if (loaded->set.files.empty() || (!may_have_replays(loaded->capture) && !may_have_steps(loaded->capture)))
    return std::make_shared<const KeptReplays>(KeptReplays{loaded, std::make_shared<const NamedReplays>()});
  auto devices = wait(devices_of(loaded, services));
  if (!devices) return std::move(devices).error();
  const auto make = [loaded, of = *std::move(devices)](const ReportProgress&,
                                                       std::stop_token) -> Result<std::shared_ptr<const KeptReplays>> {
    return std::make_shared<const KeptReplays>(KeptReplays{loaded, find_named_replays(*loaded, of)});
  };
  // Beside the analyses, which it is made of: no making waits for another one of its store.
  return wait(services.passes.get<KeptReplays>(loaded, "replays", make));
}

// Errors of these: the client has left, or it takes too long.
Result<std::shared_ptr<const KeptReplays>> replays_of(const Loaded& loaded, const Request& request,
                                                      const Services& services);
// For a thread that makes answers, on which no request waits.
Result<std::shared_ptr<const KeptReplays>> replays_for_answer(const Loaded& loaded, const Services& services);
// No lanes where there are neither replays nor steps.
Result<std::shared_ptr<const KeptReplayLanes>> replay_lanes_of(const Loaded& loaded, const Request& request,
                                                               const Services& services);

}  // namespace vizd
