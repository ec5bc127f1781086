// What a trace says of devices' work that cannot be so, or that is not all: told in notes, as it stands in the file.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/chrome_trace/tracks.h"
#include "formats/trace_words.h"
#include "model/doubtful_durations.h"
#include "model/launch_calls.h"

namespace vizd::chrome_trace {
namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;  // track and event

void note_long_kernels(Capture& capture, std::uint32_t first_track) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  for (const LongKernel& kernel : long_kernels(tracks, first_track)) {
    const Track& stream = tracks[kernel.track];
    capture.notes.push_back(
        fmt::format("{} on {}: a stream runs one kernel after another, but while '{}' runs, for {} us, {} others of "
                    "its stream begin "
                    "and end: its duration is not plausible",
                    capture.strings.get(stream.name), capture.strings.get(tracks[stream.parent].name),
                    capture.strings.get(stream.events.name(kernel.event)), stream.events.length_ns(kernel.event) / 1000,
                    kernel.inside));
  }
}

bool launches_kernel(std::string_view name) {
  return name.find("LaunchKernel") != std::string_view::npos || name.find("KernelLaunch") != std::string_view::npos;
}

// Counts the calls that launch a kernel, and those of them that led to none.
class LaunchCount {
 public:
  LaunchCount(const Capture& capture, std::uint32_t first_track)
      : capture_(capture), tracks_(capture.profile.tracks), first_track_(first_track) {
    for (const Flow& flow : capture.profile.flows.span()) {
      if (flow.from_track >= first_track && is_work(tracks_[flow.to_track].events.role(flow.to_event)))
        leading_.emplace_back(flow.from_track, flow.from_event);
    }
    std::ranges::sort(leading_);
  }

  void count() {
    for (std::uint32_t t = first_track_; t < tracks_.size(); ++t) {
      const std::vector<std::pair<std::int64_t, bool>> captures = captures_of(tracks_[t]);
      for (const ArgumentColumn& column : tracks_[t].arguments) {
        const std::string_view name = capture_.strings.get(column.name);
        if (column.is_hidden || std::ranges::find(trace::kCorrelations, name) == std::end(trace::kCorrelations))
          continue;
        column.events.for_each([&](std::int64_t event) { count(t, static_cast<std::uint32_t>(event), captures); });
      }
    }
    merge_nested(calls_made_);
    launches = calls_made_.size();
    without_work = static_cast<std::size_t>(std::ranges::count(calls_made_, false, &LaunchCall::has_work));
  }

  std::size_t launches = 0, without_work = 0;

 private:
  enum class Call : std::uint8_t { kOther, kLaunch, kBeginCapture, kEndCapture };

  Call call_of(const EventColumns& events, std::uint32_t event) {
    if (events.role(event) != EventRole::kCall) return Call::kOther;
    const auto [found, is_new] = calls_.try_emplace(events.name(event), Call::kOther);
    if (is_new) {
      const std::string_view name = capture_.strings.get(events.name(event));
      const auto holds = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
      found->second = holds("BeginCapture")   ? Call::kBeginCapture
                      : holds("EndCapture")   ? Call::kEndCapture
                      : launches_kernel(name) ? Call::kLaunch
                                              : Call::kOther;
    }
    return found->second;
  }

  // When a thread's captures of graphs begin (true) and end: a launch in one makes a node, and nothing runs.
  std::vector<std::pair<std::int64_t, bool>> captures_of(const Track& track) {
    std::vector<std::pair<std::int64_t, bool>> captures;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      const Call call = call_of(track.events, i);
      if (call == Call::kBeginCapture) captures.emplace_back(track.events.start_ns(i), true);
      if (call == Call::kEndCapture) captures.emplace_back(track.events.start_ns(i), false);
    }
    std::ranges::sort(captures);
    return captures;
  }

  void count(std::uint32_t track, std::uint32_t event, const std::vector<std::pair<std::int64_t, bool>>& captures) {
    const EventColumns& events = tracks_[track].events;
    if (call_of(events, event) != Call::kLaunch) return;
    const auto after = std::ranges::upper_bound(captures, std::pair(events.start_ns(event), true));
    if (after != captures.begin() && (after - 1)->second) return;
    calls_made_.push_back({.track = track,
                           .start_ns = events.start_ns(event),
                           .end_ns = events.end_ns(event),
                           .has_work = std::ranges::binary_search(leading_, Place(track, event))});
  }

  const Capture& capture_;
  const std::vector<Track>& tracks_;
  const std::uint32_t first_track_;
  std::vector<Place> leading_;                // calls that lead to work
  std::vector<LaunchCall> calls_made_;        // of those outside of captures
  std::unordered_map<StringId, Call> calls_;  // by name
};

}  // namespace

void note_doubtful_work(Capture& capture, std::uint32_t first_track) {
  note_long_kernels(capture, first_track);
  LaunchCount calls(capture, first_track);
  calls.count();
  if (calls.without_work == 0) return;
  capture.notes.push_back(
      fmt::format("{} of {} calls that launch a kernel have no kernel in the trace: the profiler lost them, or stopped "
                  "before they ran, so figures of devices do not include them",
                  calls.without_work, calls.launches));
}

}  // namespace vizd::chrome_trace
