// Rules about steps: those that take much longer than others, of a workload and of a server of models.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "analysis/figures/median_change.h"
#include "analysis/graph_replay/step_name.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr double kLongStep = 1.3;  // times the median
constexpr std::size_t kFewestAlike = 5;

RuleAnswer slow_steps(const Examined& examined) {
  const auto& steps = examined.steps();
  if (steps.empty()) return not_recorded(examined, Recordable::kRuns);
  if (steps.size() < 3)
    return Absence{Nothing::kNotRecorded, "fewer than three steps, too few to compare", "record more steps"};
  auto lengths = examined.step_lengths();
  const double median_ns = median_of(lengths);
  double over_ns = 0;
  std::int64_t slow = 0;
  const StepBreakdown* worst = nullptr;
  for (const StepBreakdown& step : steps) {
    const auto dur_ns = static_cast<double>(step.dur_ns());
    if (dur_ns <= kLongStep * median_ns) continue;
    ++slow;
    over_ns += (dur_ns - median_ns) * static_cast<double>(std::max<std::size_t>(step.devices.size(), 1));
    if (worst == nullptr || step.dur_ns() > worst->dur_ns()) worst = &step;
  }
  const std::string median = time_text(std::llround(median_ns));
  if (worst == nullptr) return Absence{Nothing::kNone, fmt::format("{} steps of about {}", steps.size(), median), ""};
  const StepTime& longest = worst->step;
  const Run& run = examined.profile().runs[longest.run];
  Finding finding = examined.of_devices(
      fmt::format("{} much longer than the median", count_text(slow, "step")),
      fmt::format("{} takes {}, the median {}", shown_name(examined.capture().strings.get(run.name)),
                  time_text(worst->dur_ns()), median),
      std::llround(over_ns), Sureness::kMeasured);
  finding.next = fmt::format("look at step {} only: --step {}", run.number, run.number);
  finding.evidence = {{time_id(examined.profile(), longest.from_ns, longest.to_ns), "the longest of them"}};
  return std::vector{std::move(finding)};
}

// Steps of one name serve as many requests with as many tokens.
using StepsAlike = std::unordered_map<StringId, std::vector<ProfileEvent>>;

StepsAlike server_steps(const Examined& examined) {
  std::unordered_map<StringId, bool> is_step;
  StepsAlike steps;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    const StringId name = events.name(event);
    const auto [known, is_new] = is_step.try_emplace(name);
    if (is_new) known->second = parse_step_name(examined.capture().strings.get(name)).has_value();
    if (known->second) steps[name].push_back({events.start_ns(event), events.end_ns(event), track, event, 0});
  });
  return steps;
}

RuleAnswer slow_server_steps(const Examined& examined) {
  const StepsAlike steps = server_steps(examined);
  if (steps.empty()) return not_recorded(examined, Recordable::kServerSteps);
  if (examined.whole().events == 0) return without_device_work(examined);
  const auto length = [](const ProfileEvent& step) { return step.end_ns - step.start_ns; };
  std::int64_t over_ns = 0, slow = 0, judged = 0, worst_ns = 0, median_of_worst_ns = 0;
  ProfileEvent worst;
  for (const auto& [name, alike] : steps) {
    if (alike.size() < kFewestAlike) continue;
    judged += std::ssize(alike);
    std::vector<std::int64_t> lengths;
    for (const ProfileEvent& step : alike) lengths.push_back(length(step));
    const auto median_ns = std::llround(median_of(lengths));
    for (const ProfileEvent& step : alike) {
      const std::int64_t more_ns = length(step) - median_ns;
      if (static_cast<double>(length(step)) <= kLongStep * static_cast<double>(median_ns)) continue;
      ++slow;
      over_ns += more_ns;
      if (more_ns <= worst_ns) continue;
      worst_ns = more_ns;
      worst = step;
      median_of_worst_ns = median_ns;
    }
  }
  if (judged == 0)
    return Absence{Nothing::kNotRecorded, "fewer than five similar steps of a server", "record more steps"};
  if (slow == 0)
    return Absence{Nothing::kNone, fmt::format("{} steps, each about as long as similar ones", judged), ""};
  Finding finding;
  finding.title = fmt::format("{} of the server much longer than similar ones", count_text(slow, "step"));
  finding.detail = fmt::format("{} takes {}, the median of similar ones {}", examined.name_of(worst),
                               time_text(length(worst)), time_text(median_of_worst_ns));
  finding.cost_ns = over_ns;
  finding.share = share_of(over_ns, examined.extent_ns());
  finding.of = "the recording";
  finding.sure = Sureness::kLikely;
  finding.next = "look at what the host did in it: scheduling, sampling, capturing a graph, another process";
  finding.evidence = {{examined.id_of(worst), "the longest of them"},
                      {time_id(examined.profile(), worst.start_ns, worst.end_ns), "what ran meanwhile"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kStepRules{
    DiagnosisRule{"slow-steps", "steps that take much longer than the median", 0.02, slow_steps},
    DiagnosisRule{"slow-server-steps", "steps of a server that take much longer than similar ones", 0.02,
                  slow_server_steps},
};

}  // namespace

std::span<const DiagnosisRule> step_rules() { return kStepRules; }

}  // namespace vizd
