#include "http/routes/device_answer.h"

#include <fmt/format.h>

#include "analysis/graph_replay/captured_operators.h"
#include "base/exact_number.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

Error not_named(std::string_view name) {
  return {ErrorKind::kBadInput, fmt::format("the parameter {} is missing", name), std::string(name)};
}

}  // namespace

Result<WorkScope> parse_scope(const Request& request) {
  WorkScope scope;
  const auto read = [&](std::string_view name, std::int64_t least, std::int64_t most,
                        std::optional<std::int64_t>& into) -> std::optional<Error> {
    if (!request.parameter(name)) return std::nullopt;
    const auto number = parse_number(request, name, least, most);
    if (!number) return number.error();
    into = *number;
    return std::nullopt;
  };
  if (const auto error = read("from", -kMostTime_ns, kMostTime_ns, scope.from_ns)) return *error;
  if (const auto error = read("to", scope.from_ns.value_or(0), kMostTime_ns, scope.to_ns)) return *error;
  if (const auto error = read("step", 0, kMostExact, scope.step)) return *error;
  for (const auto& [name, into] :
       {std::pair("rank", &scope.rank), std::pair("device", &scope.device), std::pair("kernel", &scope.kernel)}) {
    const auto text = request.parameter(name);
    if (!text) continue;
    if (text->empty()) return not_named(name);
    *into = std::string(*text);
  }
  return scope;
}

// With the operators that captures of graphs name. wait: gives what a ticket stands for.
template <typename Wait>
Result<std::shared_ptr<const DeviceAnalysis>> named_devices_by(const Wait& wait, const Loaded& loaded,
                                                               const Services& services) {
  const auto replays = replays_by(wait, loaded, services);
  if (!replays) return replays.error();
  if ((*replays)->ranks().empty()) return wait(devices_of(loaded, services));
  const auto make = [of = *replays](const ReportProgress&,
                                    std::stop_token) -> Result<std::shared_ptr<const DeviceAnalysis>> {
    return with_captured_operators(*of->named);
  };
  return wait(services.analyses.get<DeviceAnalysis>(loaded, "named devices", make));
}

// wait: likewise.
template <typename Wait>
Result<std::shared_ptr<const DeviceAnalysis>> analysis_by(const Wait& wait, const Loaded& loaded,
                                                          const WorkScope& scope, const Services& services) {
  auto whole = named_devices_by(wait, loaded, services);
  if (!whole || scope.is_all()) return whole;
  const auto make = [loaded, scope, all = *whole](const ReportProgress&,
                                                  std::stop_token) -> Result<std::shared_ptr<const DeviceAnalysis>> {
    return std::make_shared<const DeviceAnalysis>(in_scope(loaded->capture, *all, scope));
  };
  return wait(services.analyses.get<DeviceAnalysis>(loaded, "devices" + scope.key(), make));
}

Result<std::shared_ptr<const DeviceAnalysis>> device_analysis_of(const Loaded& loaded, const WorkScope& scope,
                                                                 const Request& request, const Services& services) {
  return analysis_by([&](const auto& ticket) { return wait_for(ticket, request, services); }, loaded, scope, services);
}

Response kept_analysis_json(const Request& request, const Loaded& loaded, std::string_view name, const WorkScope& scope,
                            MakeAnalysisText make, const Services& services) {
  const auto make_text = [loaded, scope, services, make = std::move(make)]() -> Result<std::string> {
    // On a thread that makes answers: no request waits there.
    const auto analysis =
        analysis_by([](const auto& ticket) { return ticket.wait(kAnswerPatience); }, loaded, scope, services);
    if (!analysis) return analysis.error();
    return make(loaded->capture, **analysis);
  };
  return kept_json(request, loaded, std::string(name) + scope.key(), make_text, services);
}

EventLinks::EventLinks(const Capture& capture)
    : capture_(capture), paths_(track_paths(capture.profile.tracks, capture.strings)) {}

void EventLinks::write(JsonWriter& json, const ProfileEvent& event) const {
  // As the timeline has it: the event may be cut to a scope here.
  const EventColumns& events = capture_.profile.tracks[event.track].events;
  json.begin_object().key("lane").text(paths_[event.track]).key("index").number(event.event);
  json.key("start_ns").number(events.start_ns(event.event) - capture_.profile.start_ns);
  json.key("dur_ns").number(events.length_ns(event.event));
  json.key("name").text(capture_.strings.get(events.name(event.event))).end_object();
}

}  // namespace vizd
