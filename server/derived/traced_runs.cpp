#include "derived/traced_runs.h"

#include <cmath>
#include <map>

#include "formats/tinygrad/hardware_records.h"

namespace vizd {
namespace {

struct Sought {
  TracedRun* run;
  double dur_us;
};
// By when they began on the timeline.
using RunsByStart = std::multimap<std::int64_t, Sought>;

// The capture tells of each run when it began and how long it took: so does an event of its device's. Names may be
// others: a timeline has them as the kernel's context is called.
void find_events(const Capture& capture, const RunsByStart& runs) {
  for (std::uint32_t lane = 0; lane < capture.profile.tracks.size(); ++lane) {
    const EventColumns& events = capture.profile.tracks[lane].events;
    for (std::uint32_t event = 0; event < events.size(); ++event) {
      const auto [first, last] = runs.equal_range(events.start_ns(event));
      for (auto sought = first; sought != last; ++sought) {
        const auto& [run, dur_us] = sought->second;
        const bool is_it = std::abs(static_cast<double>(events.length_ns(event)) - dur_us * 1e3) <= 1;
        if (is_it && !run->event) run->event = EventPlace{lane, event};
      }
    }
  }
}

}  // namespace

std::string run_name(bool is_sampling, std::uint32_t place) { return (is_sampling ? "s" : "") + std::to_string(place); }

std::vector<TracedRun> traced_runs(const Capture& capture) {
  const hardware::Records records = tinygrad::hardware_records(capture);
  std::vector<TracedRun> runs;
  runs.reserve(records.runs.size() + records.samplings.size());  // they are pointed at
  RunsByStart by_start;
  const auto add = [&](const TracedRun& run, const hardware::TimedRun* timed) {
    runs.push_back(run);
    const hardware::Device* const device = records.find_device(run.device);
    if (timed != nullptr)
      by_start.emplace(timed->start_ns + (device == nullptr ? 0 : device->clock_shift_ns),
                       Sought{.run = &runs.back(), .dur_us = timed->dur_us});
  };
  for (std::uint32_t run = 0; run < records.runs.size(); ++run) {
    const auto traces = records.traces_of(records.runs[run]);
    if (traces.empty()) continue;
    const hardware::Program* const program = records.find_program(records.runs[run].program);
    add({.run = run, .kernel = program == nullptr ? "" : program->name, .device = traces.front()->device, .event = {}},
        records.find_timed(records.runs[run]));
  }
  for (std::uint32_t place = 0; place < records.samplings.size(); ++place) {
    const hardware::PcSampling& sampling = records.samplings[place];
    add({.is_sampling = true, .run = place, .kernel = sampling.program, .device = sampling.device, .event = {}},
        records.find_timed(sampling));
  }
  if (!by_start.empty()) find_events(capture, by_start);
  return runs;
}

}  // namespace vizd
