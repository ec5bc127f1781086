#include "model/doubtful_durations.h"

#include <algorithm>
#include <utility>

namespace vizd {
namespace {

// inside is 0 where no kernel has any in it.
LongKernel longest_of(const Track& track, std::uint32_t place) {
  const EventColumns& events = track.events;
  std::vector<std::uint32_t> kernels;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.role(i) == EventRole::kKernel) kernels.push_back(i);
  }
  const auto time_of = [&](std::uint32_t i) { return std::pair(events.start_ns(i), -events.end_ns(i)); };
  if (!std::ranges::is_sorted(kernels, {}, time_of)) std::ranges::sort(kernels, {}, time_of);
  LongKernel longest, now;
  for (const std::uint32_t i : kernels) {
    if (i == kernels.front() || events.end_ns(i) > events.end_ns(now.event)) {
      now = {place, i, 0};
    } else if (events.start_ns(i) > events.start_ns(now.event) && events.length_ns(i) > 0) {
      ++now.inside;
    }
    if (now.inside > longest.inside) longest = now;
  }
  return longest;
}

}  // namespace

std::vector<LongKernel> long_kernels(const std::vector<Track>& tracks, std::uint32_t first_track) {
  std::vector<LongKernel> found;
  for (std::uint32_t t = first_track; t < tracks.size(); ++t) {
    if (tracks[t].kind != TrackKind::kStream) continue;
    const LongKernel kernel = longest_of(tracks[t], t);
    if (kernel.inside > 0) found.push_back(kernel);
  }
  return found;
}

NegativeDurations negative_durations(const std::vector<Track>& tracks) {
  NegativeDurations found;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    for (std::uint32_t i = 0; i < tracks[t].events.size(); ++i) {
      if (tracks[t].events.dur_ns(i) >= 0) continue;
      if (found.count == 0) found.track = t, found.event = i;
      ++found.count;
    }
  }
  return found;
}

}  // namespace vizd
