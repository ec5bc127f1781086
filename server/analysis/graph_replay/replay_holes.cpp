#include "analysis/graph_replay/replay_holes.h"

#include <algorithm>
#include <tuple>

namespace vizd {

std::vector<ReplayHole> replay_holes(const GraphReplays& replays, std::uint32_t r) {
  std::vector<ReplayHole> holes;
  const GraphReplay& replay = replays.replays[r];
  if (replay.ranges.empty() || replay.missing == 0) return holes;
  std::vector<std::uint32_t> work_of(replays.sources->ranges[replay.ranges.front()].launches.size(), kNoId);
  for (const std::uint32_t i : replay.items) {
    if (replays.work[i].launch != kNoId) work_of[replays.work[i].launch] = i;
  }
  for (std::size_t at = 0; at < work_of.size();) {
    if (work_of[at] != kNoId) {
      ++at;
      continue;
    }
    const std::size_t first = at;
    while (at < work_of.size() && work_of[at] == kNoId) ++at;
    const std::uint32_t before = first > 0 ? work_of[first - 1] : kNoId;
    const std::uint32_t after = at < work_of.size() ? work_of[at] : kNoId;
    if (before == kNoId && after == kNoId) break;
    const WorkItem& item = replays.item(before != kNoId ? before : after);
    ReplayHole hole{.track = item.track,
                    .stream = item.stream,
                    .start_ns = before != kNoId ? item.end_ns : item.start_ns,
                    .first_launch = static_cast<std::uint32_t>(first),
                    .launches = static_cast<std::uint32_t>(at - first)};
    hole.end_ns = hole.start_ns;
    if (before != kNoId && after != kNoId && replays.item(after).track == item.track)
      hole.end_ns = std::max(hole.start_ns, replays.item(after).start_ns);
    holes.push_back(hole);
  }
  std::ranges::stable_sort(holes, {}, [](const ReplayHole& hole) { return std::tuple(hole.track, hole.start_ns); });
  return holes;
}

}  // namespace vizd
