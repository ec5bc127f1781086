#include "analysis/devices/comparison_verdict.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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

void add_parts(Side& side, const DeviceBreakdown& row, double weight) {
  const std::int64_t parts_ns[] = {row.compute_ns, row.exposed_communication_ns, row.exposed_memory_ns, row.idle_ns(),
                                   row.not_recorded_ns};
  static_assert(std::size(parts_ns) == kTimeClasses.size());
  for (std::size_t c = 0; c < kTimeClasses.size(); ++c) side.classes_ns[c] += static_cast<double>(parts_ns[c]) * weight;
}

// The middle step by length, or the two: their parts add up to the median.
SideSteps steps_of(const JudgedSide& judged) {
  SideSteps steps;
  if (judged.options.range) return steps;
  std::vector<StepBreakdown> all = make_step_breakdowns(judged.work, judged.options);
  for (const StepBreakdown& step : all) steps.durs_ns.push_back(step.dur_ns());
  steps.side.count = std::ssize(all);
  if (all.empty()) return steps;
  std::ranges::stable_sort(all, {}, &StepBreakdown::dur_ns);
  const StepBreakdown middle[] = {all[(all.size() - 1) / 2], all[all.size() / 2]};
  for (const StepBreakdown& step : middle) {
    for (const DeviceBreakdown& device : step.devices)
      add_parts(steps.side, device, 0.5 / static_cast<double>(step.devices.size()));
  }
  steps.side.dur_ns = (static_cast<double>(middle[0].dur_ns()) + static_cast<double>(middle[1].dur_ns())) / 2;
  return steps;
}

Side devices_of(const JudgedSide& judged) {
  Side side;
  std::vector<DeviceBreakdown> rows = make_breakdowns(judged.work, judged.options);
  std::erase_if(rows, [](const DeviceBreakdown& row) { return row.stream.has_value(); });
  side.count = std::ssize(rows);
  for (const DeviceBreakdown& row : rows) {
    side.dur_ns += static_cast<double>(row.span_ns()) / static_cast<double>(rows.size());
    add_parts(side, row, 1 / static_cast<double>(rows.size()));
  }
  return side;
}

// For steps, each row's change is per step, since the sides may have different numbers of steps.
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
