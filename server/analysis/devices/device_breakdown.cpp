#include "analysis/devices/device_breakdown.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "analysis/devices/step_times.h"
#include "analysis/devices/work_of_windows.h"
#include "analysis/figures/span_union.h"
#include "base/parallel.h"

namespace vizd {
namespace {

using Items = WorkPlaces;

constexpr WorkRange kAllTimes{{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
                              true};

class Breakdowns {
 public:
  Breakdowns(const DeviceWork& work, const BreakdownOptions& options)
      : work_(work), options_(options), streams_(items_of_streams()) {
    for_each_index(streams_.size(), core_count(), [&](std::size_t s) { sort(streams_[s]); });
  }

  // Each device, then each stream.
  std::vector<DeviceBreakdown> make() {
    std::vector<DeviceBreakdown> of_streams(streams_.size()), result(work_.devices.size());
    for_each_index(streams_.size(), core_count(), [&](std::size_t s) {
      if (streams_[s].empty() || !has_time(work_.streams[s].device)) return;
      of_streams[s] = break_down(streams_[s], lost_where([&](std::uint32_t stream) { return stream == s; }),
                                 range_of(work_.streams[s].device));
      of_streams[s].device = work_.streams[s].device;
      of_streams[s].stream = static_cast<std::uint32_t>(s);
    });
    for_each_index(result.size(), core_count(), [&](std::size_t d) {
      const Items of_device = merge_streams(static_cast<std::uint32_t>(d));
      if (of_device.empty() || !has_time(d)) return;
      result[d] = break_down(of_device, lost_on(d), range_of(d));
      result[d].device = static_cast<std::uint32_t>(d);
    });
    result.insert(result.end(), of_streams.begin(), of_streams.end());
    std::erase_if(result, [](const DeviceBreakdown& of) { return of.events == 0 && of.gaps == 0; });
    return result;
  }

  // By device, in order of time.
  std::vector<std::vector<Gap>> find_all_gaps() {
    std::vector<std::vector<Gap>> gaps(work_.devices.size());
    for_each_index(gaps.size(), core_count(), [&](std::size_t d) {
      const Items of_device = merge_streams(static_cast<std::uint32_t>(d));
      if (of_device.empty() || !has_time(d)) return;
      find_gaps(of_device, lost_on(d), range_of(d), [&](const Gap& gap) { gaps[d].push_back(gap); });
    });
    return gaps;
  }

  // By place in DeviceWork::steps.
  std::vector<StepBreakdown> make_steps() {
    std::vector<StepBreakdown> result;
    for (const StepTime& step : work_.steps) result.push_back({step, {}});
    std::vector<std::vector<DeviceBreakdown>> by_device(work_.devices.size());
    for_each_index(by_device.size(), core_count(), [&](std::size_t d) { by_device[d] = break_down_steps(d); });
    for (std::size_t d = 0; d < by_device.size(); ++d) {
      for (std::size_t s = 0; s < by_device[d].size(); ++s) {
        if (by_device[d][s].events > 0 || by_device[d][s].gaps > 0) result[s].devices.push_back(by_device[d][s]);
      }
    }
    std::erase_if(result, [&](const StepBreakdown& of) { return !is_in_range(of.step); });
    return result;
  }

 private:
  bool is_before(std::uint32_t a, std::uint32_t b) const {
    const std::int64_t from_a = work_.items[a].start_ns, from_b = work_.items[b].start_ns;
    return from_a != from_b ? from_a < from_b : a < b;
  }

  void sort(Items& items) const {
    const auto less = [this](std::uint32_t a, std::uint32_t b) { return is_before(a, b); };
    if (!std::ranges::is_sorted(items, less)) std::ranges::sort(items, less);
  }

  std::vector<Items> items_of_streams() const {
    std::vector<Items> streams(work_.streams.size());
    for (std::uint32_t i = 0; i < work_.items.size(); ++i) streams[work_.items[i].stream].push_back(i);
    return streams;
  }

  bool is_in_range(const StepTime& step) const {
    if (options_.step && step.number != *options_.step) return false;
    return !options_.range || options_.range->holds(step.from_ns, step.to_ns);
  }

  // The times of a device that has_time(); none: all times.
  std::optional<WorkRange> range_of(std::size_t device) const {
    if (!options_.step) return options_.range;
    return part_of(*find_step(work_, work_.devices[device].root, *options_.step));
  }
  bool has_time(std::size_t device) const {
    if (!options_.step) return true;
    const StepTime* const step = find_step(work_, work_.devices[device].root, *options_.step);
    return step != nullptr && is_in_range(*step);
  }
  // What of the step lies in the range.
  WorkRange part_of(const StepTime& step) const {
    if (!options_.range) return {TimeSpan(step), false};
    return {{options_.range->nearest(step.from_ns), options_.range->nearest(step.to_ns)}, false};
  }

  // Merges the items of the device's streams, each of which is in order; two at a time, so that many cost a few walks.
  Items merge_streams(std::uint32_t device) const {
    std::vector<Items> parts;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (work_.streams[s].device == device && !streams_[s].empty()) parts.push_back(streams_[s]);
    }
    while (parts.size() > 1) {
      std::vector<Items> merged((parts.size() + 1) / 2);
      for (std::size_t p = 0; p < parts.size(); p += 2) {
        if (p + 1 == parts.size()) {
          merged[p / 2] = std::move(parts[p]);
          break;
        }
        merged[p / 2].resize(parts[p].size() + parts[p + 1].size());
        std::ranges::merge(parts[p], parts[p + 1], merged[p / 2].begin(),
                           [this](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
      }
      parts = std::move(merged);
    }
    return parts.empty() ? Items() : std::move(parts.front());
  }

  // When records of those streams are lost: apart from each other, in order of time.
  template <typename IsOf>
  std::vector<TimeSpan> lost_where(const IsOf& is_of) const {
    std::vector<TimeSpan> all, apart;
    for (const LostWork& lost : work_.lost) {
      if (is_of(lost.stream)) all.push_back(lost);
    }
    std::ranges::sort(all, {}, &TimeSpan::from_ns);
    for (const TimeSpan& span : all) {
      if (apart.empty() || span.from_ns > apart.back().to_ns)
        apart.push_back(span);
      else
        apart.back().to_ns = std::max(apart.back().to_ns, span.to_ns);
    }
    return apart;
  }
  std::vector<TimeSpan> lost_on(std::size_t device) const {
    return lost_where([&](std::uint32_t stream) { return work_.streams[stream].device == device; });
  }

  // In order of their starts; at least one. bounds: the time that it is of, all of which is told; none: from the first
  // work to the last.
  DeviceBreakdown break_down(const Items& items, const std::vector<TimeSpan>& lost,
                             const std::optional<WorkRange>& bounds) const {
    const WorkRange range = bounds.value_or(kAllTimes);
    DeviceBreakdown b;
    b.start_ns = range.to_ns;
    b.end_ns = range.from_ns;
    SpanUnion busy, compute, communication, memory, kernels;
    for (const std::uint32_t i : items) {
      const WorkItem& item = work_.items[i];
      if (!range.holds(item.start_ns, item.end_ns)) continue;
      ++b.events;
      const std::int64_t start_ns = range.nearest(item.start_ns), end_ns = range.nearest(item.end_ns);
      b.start_ns = std::min(b.start_ns, start_ns);
      b.end_ns = std::max(b.end_ns, end_ns);
      busy.add(start_ns, end_ns);
      const bool is_kernel = item.work == EventRole::kKernel;
      (!is_kernel ? memory : item.is_communication ? communication : compute).add(start_ns, end_ns);
      if (is_kernel) kernels.add(start_ns, end_ns);
    }
    if (bounds) {
      b.start_ns = range.from_ns;
      b.end_ns = range.to_ns;
    }
    b.busy_ns = busy.length_ns();
    b.compute_ns = compute.length_ns();
    b.communication_ns = communication.length_ns();
    b.memory_ns = memory.length_ns();
    b.overlap_ns = b.compute_ns + b.communication_ns - kernels.length_ns();
    b.exposed_communication_ns = b.communication_ns - b.overlap_ns;
    b.exposed_memory_ns = b.busy_ns - kernels.length_ns();
    b.not_recorded_ns = find_gaps(items, lost, bounds, [&](const Gap& gap) {
      ++b.gaps;
      std::int64_t& idle_ns = gap.cause == IdleCause::kHost     ? b.idle_host_ns
                              : gap.cause == IdleCause::kKernel ? b.idle_kernel_ns
                                                                : b.idle_other_ns;
      idle_ns += gap.to_ns - gap.from_ns;
    });
    find_queue(items, bounds, b);
    return b;
  }

  // What lies in the bounds of the times in which none of the items ran: between them, and where there are bounds also
  // before the first and after the last. How much of that is none of them, since records are lost of it.
  template <typename Visit>
  std::int64_t find_gaps(const Items& items, const std::vector<TimeSpan>& lost, const std::optional<WorkRange>& bounds,
                         Visit&& visit) const {
    const WorkRange range = bounds.value_or(kAllTimes);
    const auto add_idle = [&](const Gap& gap) {
      if (gap.from_ns < gap.to_ns) visit(gap);
    };
    std::int64_t lost_ns = 0;
    auto next = lost.begin();
    const auto add = [&](Gap gap) {
      gap.from_ns = range.nearest(gap.from_ns);
      gap.to_ns = range.nearest(gap.to_ns);
      while (next != lost.end() && next->to_ns <= gap.from_ns) ++next;
      for (; next != lost.end() && next->from_ns < gap.to_ns; ++next) {
        const std::int64_t from_ns = std::max(next->from_ns, gap.from_ns), to_ns = std::min(next->to_ns, gap.to_ns);
        add_idle({gap.from_ns, from_ns, gap.item, gap.cause});
        lost_ns += to_ns - from_ns;
        gap.from_ns = to_ns;
        if (next->to_ns > gap.to_ns) break;  // goes on in the next gap
      }
      add_idle(gap);
    };
    std::int64_t end_ns = work_.items[items.front()].start_ns;
    if (bounds) end_ns = std::min(end_ns, range.from_ns);
    for (const std::uint32_t i : items) {
      const WorkItem& item = work_.items[i];
      if (item.start_ns > end_ns) add(Gap{end_ns, item.start_ns, i, cause_of(item, end_ns)});
      end_ns = std::max(end_ns, item.end_ns);
    }
    if (bounds) add(Gap{end_ns, range.to_ns, kNoId, IdleCause::kOther});
    return lost_ns;
  }

  IdleCause cause_of(const WorkItem& item, std::int64_t idle_since_ns) const {
    if (item.call != kNoId && work_.calls[item.call].start_ns > idle_since_ns) return IdleCause::kHost;
    if (item.start_ns - idle_since_ns < options_.consecutive_kernel_delay_ns) return IdleCause::kKernel;
    return IdleCause::kOther;
  }

  // Work waits from its call's start to its own.
  void find_queue(const Items& items, const std::optional<WorkRange>& bounds, DeviceBreakdown& b) const {
    std::vector<std::int64_t> launched_ns, begun_ns;
    for (const std::uint32_t i : items) {
      const WorkItem& item = work_.items[i];
      if (item.call == kNoId) continue;
      std::int64_t call_ns = work_.calls[item.call].start_ns, start_ns = std::max(item.start_ns, call_ns);
      if (bounds) {
        if (!bounds->holds(call_ns, start_ns)) continue;
        call_ns = bounds->nearest(call_ns);
        start_ns = bounds->nearest(start_ns);
      }
      launched_ns.push_back(call_ns);
      begun_ns.push_back(start_ns);
      b.queue_integral_ns += start_ns - call_ns;
    }
    std::ranges::sort(launched_ns);
    std::ranges::sort(begun_ns);
    std::size_t begun = 0;
    for (std::size_t launched = 0; launched < launched_ns.size(); ++launched) {
      // At equal times the launch comes first.
      while (begun < begun_ns.size() && begun_ns[begun] < launched_ns[launched]) ++begun;
      b.queue_max = std::max(b.queue_max, static_cast<std::int64_t>(launched + 1 - begun));
    }
  }

  // By place in DeviceWork::steps; empty where they are not of the device's rank, or not in the range.
  std::vector<DeviceBreakdown> break_down_steps(std::size_t device) const {
    std::vector<DeviceBreakdown> result(work_.steps.size());
    const Items items = merge_streams(static_cast<std::uint32_t>(device));
    const std::vector<TimeSpan> lost = lost_on(device);
    WorkOfWindows windows(work_, items);
    for (std::size_t s = 0; s < work_.steps.size(); ++s) {
      const StepTime& step = work_.steps[s];
      if (items.empty() || step.root != work_.devices[device].root || !is_in_range(step)) continue;
      result[s] = break_down(windows.next(part_of(step)), lost, part_of(step));
      result[s].device = static_cast<std::uint32_t>(device);
    }
    return result;
  }

  const DeviceWork& work_;
  const BreakdownOptions& options_;
  std::vector<Items> streams_;  // by stream, in order of their starts
};

}  // namespace

std::vector<DeviceBreakdown> make_breakdowns(const DeviceWork& work, const BreakdownOptions& options) {
  return Breakdowns(work, options).make();
}

std::vector<StepBreakdown> make_step_breakdowns(const DeviceWork& work, const BreakdownOptions& options) {
  if (work.steps.empty()) return {};
  std::vector<StepBreakdown> result = Breakdowns(work, options).make_steps();
  std::ranges::stable_sort(result, {}, [](const StepBreakdown& of) { return of.step.from_ns; });
  return result;
}

std::vector<std::vector<Gap>> find_gaps(const DeviceWork& work, const BreakdownOptions& options) {
  return Breakdowns(work, options).find_all_gaps();
}

std::vector<Gap> longest_of(std::vector<Gap> gaps, std::size_t most) {
  const auto is_longer = [](const Gap& a, const Gap& b) {
    const std::int64_t of_a = a.to_ns - a.from_ns, of_b = b.to_ns - b.from_ns;
    return of_a != of_b ? of_a > of_b : a.from_ns < b.from_ns;
  };
  const auto kept = gaps.begin() + static_cast<std::ptrdiff_t>(std::min(most, gaps.size()));
  std::partial_sort(gaps.begin(), kept, gaps.end(), is_longer);
  gaps.erase(kept, gaps.end());
  return gaps;
}

}  // namespace vizd
