#include "http/runs_json.h"

#include <algorithm>

namespace vizd {
namespace {

constexpr std::size_t kMostRuns = 1000;

template <typename Wanted>
std::vector<Run> find_runs(const Capture& capture, std::uint32_t context, const Wanted& is_wanted) {
  std::vector<Run> runs;
  for (std::uint32_t lane = 0; lane < capture.profile.lanes.size(); ++lane) {
    const EventColumns& events = capture.profile.lanes[lane].events;
    for (std::uint32_t event = 0; event < events.size(); ++event) {
      if (index(events.context(event)) == context && is_wanted(lane, event))
        runs.push_back({lane, event, events.start_ns(event) - capture.profile.start_ns, events.length_ns(event)});
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.dur_ns > b.dur_ns; });
  return runs;
}

}  // namespace

std::vector<Run> runs_of_context(const Capture& capture, std::uint32_t context) {
  const StringId name = capture.rewrites.contexts[context].name;
  std::vector<Run> runs = find_runs(capture, context, [&](std::uint32_t lane, std::uint32_t event) {
    return capture.profile.lanes[lane].events.name(event) == name;
  });
  if (!runs.empty()) return runs;
  return find_runs(capture, context, [](std::uint32_t, std::uint32_t) { return true; });
}

std::vector<Run> runs_of_program(const Capture& capture, std::uint32_t context, std::string_view device) {
  return find_runs(capture, context, [&](std::uint32_t lane, std::uint32_t) {
    return capture.strings.get(capture.profile.lanes[lane].name).starts_with(device);
  });
}

void write_runs(JsonWriter& json, const Capture& capture, std::vector<Run> runs) {
  if (runs.empty()) {
    json.null();
    return;
  }
  std::int64_t total_ns = 0;
  for (const Run& run : runs) total_ns += run.dur_ns;
  json.begin_object().key("count").number(runs.size()).key("total_ns").number(total_ns);
  json.key("min_ns").number(runs.back().dur_ns).key("median_ns").number(runs[runs.size() / 2].dur_ns);
  json.key("max_ns").number(runs.front().dur_ns);
  runs.resize(std::min(runs.size(), kMostRuns));
  json.column("lane", runs, [&](JsonWriter& j, const Run& run) {
    j.text(capture.strings.get(capture.profile.lanes[run.lane].name));
  });
  json.column("index", runs, [](JsonWriter& j, const Run& run) { j.number(run.event); });
  json.column("start_ns", runs, [](JsonWriter& j, const Run& run) { j.number(run.start_ns); });
  json.column("dur_ns", runs, [](JsonWriter& j, const Run& run) { j.number(run.dur_ns); });
  json.end_object();
}

}  // namespace vizd
