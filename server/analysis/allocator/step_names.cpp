#include "analysis/allocator/step_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vizd {
namespace {

constexpr std::size_t kFewest = 3;

// The profiler's own first, then those that are numbered, then parts of steps: optimizers; then what only is many.
int rank_of(const StepNameCount& steps) {
  if (steps.name == "ProfilerStep#") return 0;
  if (!steps.are_steps) return 3;
  return steps.name.starts_with("Optimizer.") ? 2 : 1;
}

}  // namespace

std::string_view name_without_number(std::string_view name) {
  if (const auto mark = name.find('#'); mark != std::string_view::npos) return name.substr(0, mark + 1);
  const auto last = name.find_last_not_of("0123456789");
  return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

std::vector<StepNameCount> step_names(const NamedRanges& ranges) {
  std::map<std::string_view, StepNameCount> counts;
  std::set<std::string_view> numbered;
  for (const NamedRanges::Range& range : ranges.ranges()) {
    if (range.to_ns == INT64_MAX) continue;
    const std::string_view name = name_without_number(range.name);
    StepNameCount& of = counts[name];
    ++of.count;
    of.total_ns += range.to_ns - range.from_ns;
    if (name.size() < range.name.size() && range.name.back() >= '0' && range.name.back() <= '9') numbered.insert(name);
  }
  std::vector<StepNameCount> names;
  for (auto& [name, of] : counts) {
    if (of.count < kFewest || name.empty()) continue;
    of.name = name;
    of.are_steps = numbered.contains(name) || name == "Optimizer.step#";
    names.push_back(std::move(of));
  }
  std::ranges::stable_sort(names, {},
                           [](const StepNameCount& steps) { return std::pair(rank_of(steps), -steps.total_ns); });
  return names;
}

}  // namespace vizd
