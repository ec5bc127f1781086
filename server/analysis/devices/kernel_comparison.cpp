#include "analysis/devices/kernel_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "analysis/devices/kernel_names.h"
#include "analysis/devices/work_steps.h"
#include "analysis/figures/median_change.h"

namespace vizd {
namespace {

using Lengths = std::vector<std::int64_t>;
using Key = std::tuple<EventRole, std::string, std::int64_t>;

// By item the how manieth launch of its name it is in its step on its device, from 1.
std::vector<std::uint32_t> occurrences_of(const Capture& capture, const DeviceWork& work) {
  std::vector<std::uint32_t> order(work.items.size()), occurrences(work.items.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return work.items[i].start_ns; });
  WorkSteps steps(capture.profile, capture.strings, work);
  std::map<std::tuple<std::uint32_t, EventRole, StringId>, std::pair<std::uint32_t, std::uint32_t>>
      seen;  // step, count
  for (const std::uint32_t i : order) {
    const WorkItem& item = work.items[i];
    const std::uint32_t device = work.streams[item.stream].device, step = steps.of(item);
    auto& [last_step, count] = seen[{device, item.work, capture.profile.tracks[item.track].events.name(item.event)}];
    if (step != last_step) count = 0;
    last_step = step;
    occurrences[i] = ++count;
  }
  return occurrences;
}

using IdKey = std::tuple<EventRole, StringId, std::int64_t>;  // a Key with its name as the capture has it

// Calls visit(i, key) for each launch.
template <typename Visit>
void visit_launches(const ComparedProfile& profile, KernelJoin join, Visit&& visit) {
  const auto& [capture, work, operators] = profile;
  const auto name_of = [&](const ProfileEvent& event) {
    return capture.profile.tracks[event.track].events.name(event.event);
  };
  const auto occurrences =
      join == KernelJoin::kOccurrence ? occurrences_of(capture, work) : std::vector<std::uint32_t>();
  const bool is_by_operator = join == KernelJoin::kOperator;
  for (std::uint32_t i = 0; i < work.items.size(); ++i) {
    const WorkItem& item = work.items[i];
    const std::uint32_t of = operators.of_item[i];
    const StringId name = !is_by_operator ? name_of(item) : of == kNoId ? StringId{} : name_of(operators.all[of]);
    visit(i, IdKey{is_by_operator ? EventRole::kNone : item.work, name, occurrences.empty() ? 0 : occurrences[i]});
  }
}

std::string joined_name(std::string_view name, KernelJoin join) {
  return join == KernelJoin::kFamily ? kernel_family(name) : std::string(name);
}

std::map<Key, Lengths> durations_by_key(const ComparedProfile& profile, KernelJoin join) {
  std::map<IdKey, Lengths> by_id;
  visit_launches(profile, join, [&](std::uint32_t i, const IdKey& key) {
    const WorkItem& item = profile.work.items[i];
    by_id[key].push_back(item.end_ns - item.start_ns);
  });
  std::map<Key, Lengths> result;
  for (const auto& [key, durations] : by_id) {
    const auto& [kind, id, occurrence] = key;
    Lengths& all = result[{kind, joined_name(profile.capture.strings.get(id), join), occurrence}];
    all.insert(all.end(), durations.begin(), durations.end());
  }
  return result;
}

}  // namespace

std::optional<KernelJoin> kernel_join(std::string_view word) {
  constexpr std::string_view kWords[] = {"name", "family", "operator", "occurrence"};
  const auto found = std::ranges::find(kWords, word);
  if (found == std::end(kWords)) return std::nullopt;
  return static_cast<KernelJoin>(found - std::begin(kWords));
}

std::optional<double> ComparedKernel::total_ratio() const {
  if (a.total_ns == 0) return std::nullopt;
  return static_cast<double>(b.total_ns) / static_cast<double>(a.total_ns);
}

std::string_view ComparedKernel::state() const {
  if (a.launches == 0) return "added";
  return b.launches == 0 ? "removed" : "both";
}

std::vector<ComparedKernel> compare_kernels(const ComparedProfile& a, const ComparedProfile& b, KernelJoin join) {
  std::map<Key, Lengths> of_a = durations_by_key(a, join), of_b = durations_by_key(b, join);
  std::map<Key, ComparedKernel> joined;
  const auto add = [&](std::map<Key, Lengths>& durations, ComparedKernel::Side ComparedKernel::*side) {
    for (auto& [key, of_key] : durations) {
      ComparedKernel& row = joined[key];
      std::tie(row.work, row.name, row.occurrence) = key;
      (row.*side).launches = static_cast<std::int64_t>(of_key.size());
      for (const std::int64_t dur_ns : of_key) (row.*side).total_ns += dur_ns;
      (row.*side).median_ns = median_of(of_key);
    }
  };
  add(of_a, &ComparedKernel::a);
  add(of_b, &ComparedKernel::b);
  std::vector<ComparedKernel> rows;
  for (auto& [key, row] : joined) {
    const auto before = of_a.find(key), after = of_b.find(key);
    if (before != of_a.end() && after != of_b.end() && before->second.size() >= kFewestForChange &&
        after->second.size() >= kFewestForChange)
      row.median_change_ns = median_change(before->second, after->second);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const ComparedKernel& x, const ComparedKernel& y) {
    return std::abs(x.delta_total_ns()) > std::abs(y.delta_total_ns());
  });
  return rows;
}

std::vector<std::uint32_t> find_launches(const ComparedProfile& profile, KernelJoin join, const ComparedKernel& row) {
  std::map<StringId, bool> is_named;
  std::vector<std::uint32_t> launches;
  visit_launches(profile, join, [&](std::uint32_t i, const IdKey& key) {
    const auto& [work, name, occurrence] = key;
    if (work != row.work || occurrence != row.occurrence) return;
    const auto [found, is_new] = is_named.try_emplace(name, false);
    if (is_new) found->second = joined_name(profile.capture.strings.get(name), join) == row.name;
    if (found->second) launches.push_back(i);
  });
  std::ranges::stable_sort(launches, {}, [&](std::uint32_t i) { return profile.work.items[i].start_ns; });
  return launches;
}

}  // namespace vizd
