#include "http/executions_json.h"

#include <algorithm>

namespace vizd {
namespace {

constexpr std::size_t kMostExecutions = 1000;

template <typename Wanted>
std::vector<Execution> find_executions(const Capture& capture, std::uint32_t context, const Wanted& is_wanted) {
  std::vector<Execution> executions;
  for (std::uint32_t lane = 0; lane < capture.profile.tracks.size(); ++lane) {
    const EventColumns& events = capture.profile.tracks[lane].events;
    for (std::uint32_t event = 0; event < events.size(); ++event) {
      if (index(events.context(event)) == context && is_wanted(lane, event))
        executions.push_back({lane, event, events.start_ns(event) - capture.profile.start_ns, events.length_ns(event)});
    }
  }
  std::stable_sort(executions.begin(), executions.end(),
                   [](const Execution& a, const Execution& b) { return a.dur_ns > b.dur_ns; });
  return executions;
}

}  // namespace

std::vector<Execution> executions_of_context(const Capture& capture, std::uint32_t context) {
  const StringId name = capture.rewrites.contexts[context].name;
  std::vector<Execution> executions = find_executions(capture, context, [&](std::uint32_t lane, std::uint32_t event) {
    return capture.profile.tracks[lane].events.name(event) == name;
  });
  if (!executions.empty()) return executions;
  return find_executions(capture, context, [](std::uint32_t, std::uint32_t) { return true; });
}

std::vector<Execution> executions_of_program(const Capture& capture, std::uint32_t context, std::string_view device) {
  return find_executions(capture, context, [&](std::uint32_t lane, std::uint32_t) {
    return capture.strings.get(capture.profile.tracks[lane].name).starts_with(device);
  });
}

void write_executions(JsonWriter& json, const Capture& capture, std::vector<Execution> executions) {
  if (executions.empty()) {
    json.null();
    return;
  }
  std::int64_t total_ns = 0;
  for (const Execution& execution : executions) total_ns += execution.dur_ns;
  json.begin_object().key("count").number(executions.size()).key("total_ns").number(total_ns);
  json.key("min_ns").number(executions.back().dur_ns).key("median_ns").number(executions[executions.size() / 2].dur_ns);
  json.key("max_ns").number(executions.front().dur_ns);
  executions.resize(std::min(executions.size(), kMostExecutions));
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  json.column("lane", executions, [&](JsonWriter& j, const Execution& execution) { j.text(paths[execution.lane]); });
  json.column("index", executions, [](JsonWriter& j, const Execution& execution) { j.number(execution.event); });
  json.column("start_ns", executions, [](JsonWriter& j, const Execution& execution) { j.number(execution.start_ns); });
  json.column("dur_ns", executions, [](JsonWriter& j, const Execution& execution) { j.number(execution.dur_ns); });
  json.end_object();
}

}  // namespace vizd
