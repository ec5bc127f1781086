#include "analysis/graph_replay/replay_gaps.h"

#include <algorithm>

#include "analysis/figures/span_union.h"

namespace vizd {
namespace {

// Steps by thread, for how much of a time they took there.
class StepTimes {
 public:
  explicit StepTimes(const std::vector<ServerStep>& steps) : steps_(steps) {
    for (const ServerStep& step : steps) longest_ns_ = std::max(longest_ns_, step.end_ns - step.start_ns);
  }

  std::int64_t within(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns) const {
    SpanUnion in_steps;
    auto step = std::ranges::lower_bound(steps_, from_ns - longest_ns_, {}, &ServerStep::start_ns);
    for (; step != steps_.end() && step->start_ns < to_ns; ++step) {
      if (step->thread == thread) in_steps.add(std::max(step->start_ns, from_ns), std::min(step->end_ns, to_ns));
    }
    return in_steps.length_ns();
  }

 private:
  const std::vector<ServerStep>& steps_;  // by start
  std::int64_t longest_ns_ = 0;
};

ReplayGap gap_of(const GraphReplays& replays, const StepTimes& steps, const GraphReplay& replay, std::int64_t gap_ns) {
  if (replay.call == kNoId) return {.unknown_ns = gap_ns};
  const ProfileEvent& call = replays.analysis.work.calls[replay.call];
  const std::int64_t start_ns = replays.item(replay.first).start_ns, from_ns = start_ns - gap_ns;
  const std::int64_t called_ns = std::clamp(call.start_ns, from_ns, start_ns);
  ReplayGap gap{.launch_ns = start_ns - called_ns, .host_ns = called_ns - from_ns};
  if (replays.steps.empty() || gap.host_ns == 0) return gap;
  const std::int64_t in_steps_ns = steps.within(replays.host->thread_of(call.track), from_ns, called_ns);
  gap.no_step_ns = gap.host_ns - in_steps_ns;
  gap.host_ns = in_steps_ns;
  return gap;
}

}  // namespace

std::vector<ReplayGap> replay_gaps(const GraphReplays& replays, const std::vector<ReplayRow>& rows) {
  const StepTimes steps(replays.steps);
  std::vector<ReplayGap> gaps;
  for (const ReplayRow& row : rows) {
    const auto& replay = replays.replays[static_cast<std::size_t>(row.replay)];
    gaps.push_back(row.gap_before_ns ? gap_of(replays, steps, replay, *row.gap_before_ns) : ReplayGap());
  }
  return gaps;
}

}  // namespace vizd
