#include "analysis/devices/comparison_verdict.h"

#include <algorithm>
#include <cmath>

#include "analysis/figures/median_change.h"

namespace vizd {
namespace {

// Less differs from run to run anyway.
constexpr double kNoise_percent = 0.5;
constexpr std::size_t kMostCauses = 5;

using Side = ComparisonVerdict::Side;

struct SideSteps {
  std::vector<std::int64_t> durs_ns;
  Side side;
};

// Adds what the device was busy with; the rest of the time is the caller's to add.
void add_busy(Side& side, const DeviceBreakdown& row) {
  side.classes_ns[0] += static_cast<double>(row.compute_ns);
  side.classes_ns[1] += static_cast<double>(row.exposed_communication_ns);
  side.classes_ns[2] += static_cast<double>(row.exposed_memory_ns);
}

void divide(Side& side, std::size_t by) {
  for (double& ns : side.classes_ns) ns /= static_cast<double>(std::max<std::size_t>(by, 1));
}

SideSteps steps_of(const JudgedSide& judged) {
  const Profile& timeline = judged.capture.profile;
  SideSteps steps;
  if (judged.options.range) return steps;
  std::size_t devices = 0;
  for (const StepBreakdown& step :
       make_step_breakdowns(timeline, judged.capture.strings, judged.work, judged.options)) {
    const Run& run = timeline.runs[step.run];
    const std::int64_t dur_ns = run.to_ns - run.from_ns;
    steps.durs_ns.push_back(dur_ns);
    for (const DeviceBreakdown& device : step.devices) {
      ++devices;
      add_busy(steps.side, device);
      steps.side.classes_ns[3] += static_cast<double>(dur_ns - device.busy_ns - device.not_recorded_ns);
    }
  }
  divide(steps.side, devices);
  steps.side.count = static_cast<std::int64_t>(steps.durs_ns.size());
  if (!steps.durs_ns.empty()) steps.side.dur_ns = median_of(steps.durs_ns);
  return steps;
}

Side devices_of(const JudgedSide& judged) {
  Side side;
  for (const DeviceBreakdown& row : make_breakdowns(judged.work, judged.options)) {
    if (row.stream) continue;
    ++side.count;
    side.dur_ns += static_cast<double>(row.span_ns());
    add_busy(side, row);
    side.classes_ns[3] += static_cast<double>(row.idle_ns());
  }
  divide(side, static_cast<std::size_t>(side.count));
  side.dur_ns /= static_cast<double>(std::max<std::int64_t>(side.count, 1));
  return side;
}

// Of steps each row's change is that of one, as the sides may have differently many.
std::vector<ComparisonVerdict::Cause> find_causes(const ComparisonVerdict& verdict,
                                                  const std::vector<ComparedKernel>& rows) {
  const double a_count = verdict.is_of_steps ? static_cast<double>(verdict.a.count) : 1;
  const double b_count = verdict.is_of_steps ? static_cast<double>(verdict.b.count) : 1;
  const bool is_slower = verdict.change_ns() > 0;
  std::vector<ComparisonVerdict::Cause> causes;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double change_ns =
        static_cast<double>(rows[r].b.total_ns) / b_count - static_cast<double>(rows[r].a.total_ns) / a_count;
    if (is_slower ? change_ns > 0 : change_ns < 0) causes.push_back({r, change_ns});
  }
  std::ranges::stable_sort(causes, std::greater(), [](const auto& cause) { return std::abs(cause.change_ns); });
  causes.resize(std::min(causes.size(), kMostCauses));
  return causes;
}

}  // namespace

std::string_view ComparisonVerdict::word() const {
  const bool may_be_none = range_ns && range_ns->first <= 0 && range_ns->second >= 0;
  if (may_be_none || std::abs(change_percent()) < kNoise_percent) return "same";
  return change_ns() > 0 ? "slower" : "faster";
}

std::size_t ComparisonVerdict::main_class() const {
  const double sign = change_ns() > 0 ? 1 : -1;
  std::size_t most = 0;
  const auto changed = [&](std::size_t c) { return sign * (b.classes_ns[c] - a.classes_ns[c]); };
  for (std::size_t c = 1; c < kTimeClasses.size(); ++c) {
    if (changed(c) > changed(most)) most = c;
  }
  return most;
}

std::optional<ComparisonVerdict> judge_comparison(const JudgedSide& a, const JudgedSide& b,
                                                  const std::vector<ComparedKernel>& rows) {
  if (a.work.items.empty() || b.work.items.empty()) return std::nullopt;
  ComparisonVerdict verdict;
  const SideSteps of_a = steps_of(a), of_b = steps_of(b);
  verdict.is_of_steps = of_a.side.dur_ns > 0 && of_b.side.dur_ns > 0;
  verdict.a = verdict.is_of_steps ? of_a.side : devices_of(a);
  verdict.b = verdict.is_of_steps ? of_b.side : devices_of(b);
  if (!(verdict.a.dur_ns > 0)) return std::nullopt;
  const auto enough = std::min(of_a.durs_ns.size(), of_b.durs_ns.size()) >= kFewestForChange;
  if (verdict.is_of_steps && enough) verdict.range_ns = median_change(of_a.durs_ns, of_b.durs_ns);
  verdict.causes = find_causes(verdict, rows);
  return verdict;
}

}  // namespace vizd
