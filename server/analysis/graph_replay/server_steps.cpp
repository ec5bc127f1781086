#include "analysis/graph_replay/server_steps.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vizd {

std::vector<ServerStep> find_server_steps(const Capture& capture, const HostEvents& host) {
  std::map<StringId, std::optional<StepName>> known;  // names of hundreds of steps are few
  std::vector<ServerStep> named;
  for (const HostThread& thread : host.threads()) {
    for (const HostEvent& event : thread.events) {
      if (event.kind != HostEvent::Kind::kAnnotation) continue;
      const auto [found, is_new] = known.try_emplace(event.name);
      if (is_new) found->second = parse_step_name(capture.strings.get(event.name));
      if (found->second) named.push_back({*found->second, event.name, event.thread, event.start_ns, event.end_ns});
    }
  }
  std::ranges::stable_sort(named, [](const ServerStep& a, const ServerStep& b) {
    return std::tuple(a.start_ns, -a.end_ns) < std::tuple(b.start_ns, -b.end_ns);
  });
  std::vector<ServerStep> steps;
  std::vector<std::uint32_t> last(host.threads().size(), kNoId);
  for (const ServerStep& step : named) {
    std::uint32_t& outer = last[step.thread];
    if (outer != kNoId && step.end_ns <= steps[outer].end_ns) {
      steps[outer].says.add(step.says);
      continue;
    }
    outer = static_cast<std::uint32_t>(steps.size());
    steps.push_back(step);
  }
  return steps;
}

ServerStepsByThread::ServerStepsByThread(const std::vector<ServerStep>& steps, std::size_t threads)
    : steps_(steps), by_thread_(threads) {
  for (std::uint32_t i = 0; i < steps.size(); ++i) by_thread_[steps[i].thread].push_back(i);
}

std::uint32_t ServerStepsByThread::at(std::uint32_t thread, std::int64_t at_ns) const {
  if (thread >= by_thread_.size()) return kNoId;
  const std::vector<std::uint32_t>& steps = by_thread_[thread];
  const auto begun =
      std::ranges::upper_bound(steps, at_ns, {}, [this](std::uint32_t step) { return steps_[step].start_ns; });
  if (begun == steps.begin()) return kNoId;
  const std::uint32_t step = *(begun - 1);
  return at_ns < steps_[step].end_ns ? step : kNoId;
}

}  // namespace vizd
