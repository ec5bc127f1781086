#include "analysis/devices/kernel_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "analysis/devices/kernel_names.h"
#include "analysis/devices/operator_shapes.h"
#include "analysis/devices/work_steps.h"
#include "analysis/figures/median_change.h"

namespace vizd {
namespace {

using Lengths = std::vector<std::int64_t>;
// What a row stands for on one side: its launches, or where rows are of operators its calls, by how long each took.
struct Timed {
  Lengths lengths_ns;
  std::int64_t launches = 0, calls = 0;
};
using KernelKey = std::tuple<EventRole, std::string, std::int64_t>;

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

// A KernelKey with a number for its name: of kShapes the place of a text, else the name as the capture has it. kNoId:
// none.
using IdKey = std::tuple<EventRole, std::uint32_t, std::int64_t>;

class JoinedLaunches {
 public:
  JoinedLaunches(const ComparedProfile& profile, KernelJoin join) : profile_(profile), join_(join) {
    if (join == KernelJoin::kShapes) shapes_ = find_operator_shapes(profile.capture, profile.operators);
    if (join == KernelJoin::kOccurrence) occurrences_ = occurrences_of(profile.capture, profile.work);
  }

  IdKey key_of(std::uint32_t i) const {
    const WorkItem& item = profile_.work.items[i];
    const EventRole work = is_of_operators(join_) ? EventRole::kNone : item.work;
    return {work, number_of(i), occurrences_.empty() ? 0 : occurrences_[i]};
  }

  std::string name_of(std::uint32_t number) const {
    if (number == kNoId) return "";
    if (join_ == KernelJoin::kShapes) return shapes_.texts[number];
    const std::string_view name = profile_.capture.strings.get(StringId{number});
    return join_ == KernelJoin::kFamily ? kernel_family(name) : std::string(name);
  }

 private:
  std::uint32_t number_of(std::uint32_t i) const {
    const std::uint32_t of = profile_.operators.of_item[i];
    if (is_of_operators(join_) && of == kNoId) return kNoId;
    if (join_ == KernelJoin::kShapes) return shapes_.of_operator[of];
    const ProfileEvent& event = join_ == KernelJoin::kOperator
                                    ? profile_.operators.all[of]
                                    : static_cast<const ProfileEvent&>(profile_.work.items[i]);
    return static_cast<std::uint32_t>(index(profile_.capture.profile.tracks[event.track].events.name(event.event)));
  }

  const ComparedProfile& profile_;
  const KernelJoin join_;
  OperatorShapes shapes_;
  std::vector<std::uint32_t> occurrences_;
};

// Work of no operator is of no call: each launch counts by itself.
std::map<IdKey, Timed> time_by_id(const ComparedProfile& profile, const JoinedLaunches& launches, KernelJoin join) {
  std::map<IdKey, Timed> by_id;
  std::vector<std::size_t> place_of_call(is_of_operators(join) ? profile.operators.all.size() : 0, SIZE_MAX);
  for (std::uint32_t i = 0; i < profile.work.items.size(); ++i) {
    const WorkItem& item = profile.work.items[i];
    const std::uint32_t call = profile.operators.of_item[i];
    Timed& timed = by_id[launches.key_of(i)];
    ++timed.launches;
    const bool is_of_call = is_of_operators(join) && call != kNoId;
    if (is_of_call && place_of_call[call] != SIZE_MAX) {
      timed.lengths_ns[place_of_call[call]] += item.end_ns - item.start_ns;
      continue;
    }
    if (is_of_call) place_of_call[call] = timed.lengths_ns.size();
    timed.calls += is_of_call;
    timed.lengths_ns.push_back(item.end_ns - item.start_ns);
  }
  return by_id;
}

std::map<KernelKey, Timed> time_by_key(const ComparedProfile& profile, KernelJoin join) {
  const JoinedLaunches launches(profile, join);
  std::map<KernelKey, Timed> result;
  for (const auto& [key, timed] : time_by_id(profile, launches, join)) {
    const auto& [kind, number, occurrence] = key;
    Timed& all = result[{kind, launches.name_of(number), occurrence}];
    all.lengths_ns.insert(all.lengths_ns.end(), timed.lengths_ns.begin(), timed.lengths_ns.end());
    all.launches += timed.launches;
    all.calls += timed.calls;
  }
  return result;
}

}  // namespace

std::optional<KernelJoin> kernel_join(std::string_view word) {
  const auto found = std::ranges::find(kKernelJoinNames, word);
  if (found == std::end(kKernelJoinNames)) return std::nullopt;
  return static_cast<KernelJoin>(found - std::begin(kKernelJoinNames));
}

std::optional<double> ComparedKernel::total_ratio() const {
  if (a.total_ns == 0) return std::nullopt;
  return static_cast<double>(b.total_ns) / static_cast<double>(a.total_ns);
}

std::optional<double> ComparedKernel::slowdown_percent() const {
  if (a.launches == 0 || b.launches == 0 || a.median_ns == 0) return std::nullopt;
  return 100 * (b.median_ns - a.median_ns) / a.median_ns;
}

bool ComparedKernel::is_slower_by(double most_percent) const {
  const auto percent = slowdown_percent();
  return percent && *percent > most_percent && (!median_change_ns || median_change_ns->first > 0);
}

std::string_view ComparedKernel::state() const {
  if (a.launches == 0) return "added";
  return b.launches == 0 ? "removed" : "both";
}

std::vector<ComparedKernel> compare_kernels(const ComparedProfile& a, const ComparedProfile& b, KernelJoin join) {
  std::map<KernelKey, Timed> of_a = time_by_key(a, join), of_b = time_by_key(b, join);
  std::map<KernelKey, ComparedKernel> joined;
  const auto add = [&](std::map<KernelKey, Timed>& sides, ComparedKernel::Side ComparedKernel::*side) {
    for (auto& [key, timed] : sides) {
      ComparedKernel& row = joined[key];
      std::tie(row.work, row.name, row.occurrence) = key;
      (row.*side).launches = timed.launches;
      (row.*side).calls = timed.calls;
      for (const std::int64_t dur_ns : timed.lengths_ns) (row.*side).total_ns += dur_ns;
      (row.*side).median_ns = median_of(timed.lengths_ns);
    }
  };
  add(of_a, &ComparedKernel::a);
  add(of_b, &ComparedKernel::b);
  std::vector<ComparedKernel> rows;
  for (auto& [key, row] : joined) {
    const auto before = of_a.find(key), after = of_b.find(key);
    if (before != of_a.end() && after != of_b.end() && before->second.lengths_ns.size() >= kFewestForChange &&
        after->second.lengths_ns.size() >= kFewestForChange)
      row.median_change_ns = median_change(before->second.lengths_ns, after->second.lengths_ns);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const ComparedKernel& x, const ComparedKernel& y) {
    return std::abs(x.delta_total_ns()) > std::abs(y.delta_total_ns());
  });
  return rows;
}

std::vector<std::uint32_t> find_launches(const ComparedProfile& profile, KernelJoin join, const ComparedKernel& row) {
  const JoinedLaunches joined(profile, join);
  std::map<std::uint32_t, bool> is_named;
  std::vector<std::uint32_t> launches;
  for (std::uint32_t i = 0; i < profile.work.items.size(); ++i) {
    const auto [work, number, occurrence] = joined.key_of(i);
    if (work != row.work || occurrence != row.occurrence) continue;
    const auto [found, is_new] = is_named.try_emplace(number, false);
    if (is_new) found->second = joined.name_of(number) == row.name;
    if (found->second) launches.push_back(i);
  }
  std::ranges::stable_sort(launches, {}, [&](std::uint32_t i) { return profile.work.items[i].start_ns; });
  return launches;
}

}  // namespace vizd
