#include "analysis/devices/kernel_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <span>
#include <tuple>

#include "analysis/devices/kernel_names.h"
#include "analysis/devices/work_steps.h"

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

std::map<Key, Lengths> durations_by_key(const ComparedProfile& profile, KernelJoin join) {
  const auto& [capture, work, operators] = profile;
  const auto name_of = [&](const ProfileEvent& event) {
    return capture.profile.tracks[event.track].events.name(event.event);
  };
  const auto occurrences =
      join == KernelJoin::kOccurrence ? occurrences_of(capture, work) : std::vector<std::uint32_t>();
  std::map<std::tuple<EventRole, StringId, std::int64_t>, Lengths> by_id;
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    const WorkItem& item = work.items[i];
    const std::uint32_t of = operators.of_item[i];
    const bool is_by_operator = join == KernelJoin::kOperator;
    const StringId name = !is_by_operator ? name_of(item) : of == kNoId ? StringId{} : name_of(operators.all[of]);
    const std::int64_t occurrence = occurrences.empty() ? 0 : occurrences[i];
    by_id[{is_by_operator ? EventRole::kNone : item.work, name, occurrence}].push_back(item.end_ns - item.start_ns);
  }
  std::map<Key, Lengths> result;
  for (const auto& [key, durations] : by_id) {
    const auto& [kind, id, occurrence] = key;
    const std::string_view name = capture.strings.get(id);
    Lengths& all = result[{kind, join == KernelJoin::kFamily ? kernel_family(name) : std::string(name), occurrence}];
    all.insert(all.end(), durations.begin(), durations.end());
  }
  return result;
}

double median_of(std::span<std::int64_t> durations) {
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  if (durations.size() % 2 == 1) return static_cast<double>(*middle);
  return (static_cast<double>(*middle) + static_cast<double>(*std::max_element(durations.begin(), middle))) / 2;
}

// By drawing from the launches again and again: what the medians' difference then comes to. The draws are the same each
// time, so that answers are.
class Bootstrap {
 public:
  std::pair<double, double> median_change(const Lengths& a, const Lengths& b) {
    constexpr std::size_t kDraws = 400;
    std::vector<double> changes(kDraws);
    for (double& change : changes) change = median_of(draw(b)) - median_of(draw(a));
    std::ranges::sort(changes);
    return {changes[kDraws / 40], changes[kDraws - 1 - kDraws / 40]};
  }

 private:
  // Of very many launches a sample will do.
  std::span<std::int64_t> draw(const Lengths& from) {
    constexpr std::size_t kMost = 2000;
    drawn_.resize(std::min(from.size(), kMost));
    for (std::int64_t& dur_ns : drawn_) dur_ns = from[random_() % from.size()];
    return drawn_;
  }

  std::minstd_rand random_{1};
  Lengths drawn_;
};

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
  constexpr std::size_t kFewest = 5;
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
    if (before != of_a.end() && after != of_b.end() && before->second.size() >= kFewest &&
        after->second.size() >= kFewest)
      row.median_change_ns = Bootstrap().median_change(before->second, after->second);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const ComparedKernel& x, const ComparedKernel& y) {
    return std::abs(x.delta_total_ns()) > std::abs(y.delta_total_ns());
  });
  return rows;
}

}  // namespace vizd
