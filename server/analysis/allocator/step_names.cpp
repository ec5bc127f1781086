#include "analysis/allocator/step_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace vizd {
namespace {

constexpr std::size_t kFewest = 3;

// Up to its mark, or to the number that it ends with.
std::string_view without_number(std::string_view name) {
  if (const auto mark = name.find('#'); mark != std::string_view::npos) return name.substr(0, mark + 1);
  const auto last = name.find_last_not_of("0123456789");
  return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

// The profiler's own first, then those that are numbered, then parts of steps: optimizers; then what only is many.
int rank_of(const StepNameCount& steps) {
  if (steps.name == "ProfilerStep#") return 0;
  if (!steps.are_steps) return 3;
  return steps.name.starts_with("Optimizer.") ? 2 : 1;
}

}  // namespace

std::vector<StepNameCount> step_names(const NamedRanges& ranges) {
  std::map<std::string_view, std::size_t> counts;
  std::set<std::string_view> numbered;
  for (const NamedRanges::Range& range : ranges.ranges()) {
    if (range.to_ns == INT64_MAX) continue;
    const std::string_view name = without_number(range.name);
    ++counts[name];
    if (name.size() < range.name.size() && range.name.back() >= '0' && range.name.back() <= '9') numbered.insert(name);
  }
  std::vector<StepNameCount> names;
  for (const auto& [name, count] : counts) {
    if (count < kFewest || name.empty()) continue;
    names.push_back({std::string(name), count, numbered.contains(name) || name == "Optimizer.step#"});
  }
  std::ranges::stable_sort(names, {}, rank_of);
  return names;
}

}  // namespace vizd
