#include "http/routes/kept_analyses.h"

namespace vizd {
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
