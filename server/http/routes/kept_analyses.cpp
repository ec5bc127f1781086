#include "http/routes/kept_analyses.h"

#include "analysis/graph_replay/kept_names.h"
#include "derived/naming_sources.h"

namespace vizd {
namespace {

// wait: gives what a ticket stands for.
template <typename Wait>
Result<std::shared_ptr<const KeptReplays>> replays_by(const Wait& wait, const Loaded& loaded,
                                                      const Services& services) {
  // Most captures have neither graphs nor steps: of those nothing is made.
  if (!may_have_replays(loaded->capture) && !may_have_steps(loaded->capture))
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

}  // namespace

Derived::Ticket<DeviceAnalysis> devices_of(const Loaded& loaded, const Services& services) {
  const auto make = [loaded](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const DeviceAnalysis>> {
    return std::make_shared<const DeviceAnalysis>(analyse_devices(loaded->capture));
  };
  return services.analyses.get<DeviceAnalysis>(loaded, "devices", make);
}

Result<std::shared_ptr<const KeptReplays>> replays_of(const Loaded& loaded, const Request& request,
                                                      const Services& services) {
  return replays_by([&](const auto& ticket) { return wait_for(ticket, request, services); }, loaded, services);
}

Result<std::shared_ptr<const KeptReplays>> replays_for_answer(const Loaded& loaded, const Services& services) {
  return replays_by([](const auto& ticket) { return ticket.wait(kAnswerPatience); }, loaded, services);
}

Result<std::shared_ptr<const KeptReplayLanes>> replay_lanes_of(const Loaded& loaded, const Request& request,
                                                               const Services& services) {
  const auto replays = replays_of(loaded, request, services);
  if (!replays) return replays.error();
  const auto make = [of = *replays](const ReportProgress&,
                                    std::stop_token) -> Result<std::shared_ptr<const KeptReplayLanes>> {
    return make_replay_lanes(*of);
  };
  return wait_for(services.passes.get<KeptReplayLanes>(loaded, "replay lanes", make), request, services);
}

}  // namespace vizd
