#include "http/routes/device_answer.h"

namespace vizd {

Derived::Ticket<DeviceAnalysis> devices_of(const Loaded& loaded, const Services& services) {
  const auto make = [loaded](const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const DeviceAnalysis>> {
    return std::make_shared<const DeviceAnalysis>(analyse_devices(loaded->capture));
  };
  return services.analyses.get<DeviceAnalysis>(loaded, "devices", make);
}

Result<std::shared_ptr<const DeviceAnalysis>> device_analysis_of(const Loaded& loaded, const Request& request,
                                                                 const Services& services) {
  return devices_of(loaded, services).wait(kAnswerPatience, request.left);
}

Response kept_analysis_json(const Loaded& loaded, std::string_view name, MakeAnalysisText make,
                            const Services& services) {
  const auto make_text = [loaded, services, make = std::move(make)]() -> Result<std::string> {
    const auto analysis = devices_of(loaded, services).wait(kAnswerPatience);
    if (!analysis) return analysis.error();
    return make(loaded->capture, **analysis);
  };
  return kept_json(loaded, name, make_text, services);
}

EventLinks::EventLinks(const Capture& capture)
    : capture_(capture), paths_(track_paths(capture.profile.tracks, capture.strings)) {}

void EventLinks::write(JsonWriter& json, const ProfileEvent& event) const {
  const EventColumns& events = capture_.profile.tracks[event.track].events;
  json.begin_object().key("lane").text(paths_[event.track]).key("index").number(event.event);
  json.key("start_ns").number(event.start_ns - capture_.profile.start_ns);
  json.key("dur_ns").number(event.end_ns - event.start_ns);
  json.key("name").text(capture_.strings.get(events.name(event.event))).end_object();
}

}  // namespace vizd
