#include "model/profile_extent.h"

#include <algorithm>
#include <limits>

namespace vizd {

void extend_profile(Profile& profile, std::uint32_t first_track) {
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max(), end_ns = std::numeric_limits<std::int64_t>::min();
  if (first_track > 0) start_ns = profile.start_ns, end_ns = profile.end_ns;
  const auto hold = [&](std::int64_t from_ns, std::int64_t to_ns) {
    start_ns = std::min(start_ns, from_ns);
    end_ns = std::max(end_ns, to_ns);
  };
  for (std::size_t t = first_track; t < profile.tracks.size(); ++t) {
    const Track& track = profile.tracks[t];
    const EventColumns& events = track.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      // An end that lies before its begin is a time of its own.
      hold(events.start_ns(i) + std::min<std::int64_t>(events.dur_ns(i), 0), events.end_ns(i));
    }
    for (const Counter& counter : track.counters) {
      for (const std::int64_t at_ns : counter.at_ns.span()) hold(at_ns, at_ns);
    }
    for (const std::int64_t at_ns : track.samples.at_ns.span()) hold(at_ns, at_ns);
  }
  for (std::size_t i = 0; i < profile.flow_ends.size(); ++i) {
    const FlowEnd end = profile.flow_ends[i];
    if (end.track >= first_track) hold(end.at_ns, end.at_ns);
  }
  if (start_ns > end_ns) start_ns = end_ns = 0;
  profile.start_ns = start_ns;
  profile.end_ns = end_ns;
}

}  // namespace vizd
