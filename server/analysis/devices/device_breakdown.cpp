#include "analysis/devices/device_breakdown.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "analysis/devices/work_steps.h"
#include "analysis/figures/span_union.h"
#include "base/parallel.h"

namespace vizd {
namespace {

using Items = std::vector<std::uint32_t>;  // places in DeviceWork::items

constexpr WorkRange kAllTimes{{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
                              true};

class Breakdowns {
 public:
  Breakdowns(const DeviceWork& work, const BreakdownOptions& options) : work_(work), options_(options) {}

  // Of these items; null: of all. with_streams: of streams too, and each fills the range.
  std::vector<DeviceBreakdown> make(const Items* items, bool with_streams) {
    std::vector<Items> streams = items_of_streams(items);
    std::vector<DeviceBreakdown> of_streams(streams.size());
    std::vector<DeviceBreakdown> result(work_.devices.size());
    for_each_index(streams.size(), core_count(), [&](std::size_t s) {
      sort(streams[s]);
      if (!with_streams || streams[s].empty()) return;
      of_streams[s] = break_down(streams[s], lost_where([&](std::uint32_t stream) { return stream == s; }), true);
      of_streams[s].device = work_.streams[s].device;
      of_streams[s].stream = static_cast<std::uint32_t>(s);
    });
    for_each_index(result.size(), core_count(), [&](std::size_t d) {
      const Items of_device = merge_streams(streams, static_cast<std::uint32_t>(d));
      if (of_device.empty()) return;
      result[d] = break_down(of_device, lost_on(d), with_streams);
      result[d].device = static_cast<std::uint32_t>(d);
    });
    result.insert(result.end(), of_streams.begin(), of_streams.end());
    std::erase_if(result, [](const DeviceBreakdown& of) { return of.events == 0 && of.gaps == 0; });
    return result;
  }

  // By device, in order of time.
  std::vector<std::vector<Gap>> find_all_gaps() {
    std::vector<Items> streams = items_of_streams(nullptr);
    for_each_index(streams.size(), core_count(), [&](std::size_t s) { sort(streams[s]); });
    std::vector<std::vector<Gap>> gaps(work_.devices.size());
    for_each_index(gaps.size(), core_count(), [&](std::size_t d) {
      const Items of_device = merge_streams(streams, static_cast<std::uint32_t>(d));
      if (of_device.empty()) return;
      find_gaps(of_device, lost_on(d), true, [&](const Gap& gap) { gaps[d].push_back(gap); });
    });
    return gaps;
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

  std::vector<Items> items_of_streams(const Items* items) const {
    std::vector<Items> streams(work_.streams.size());
    if (items != nullptr) {
      for (const std::uint32_t i : *items) streams[work_.items[i].stream].push_back(i);
      return streams;
    }
    for (std::uint32_t i = 0; i < work_.items.size(); ++i) streams[work_.items[i].stream].push_back(i);
    return streams;
  }

  // Those of the device's streams, each of which is in order; two at a time, so that many cost a few walks.
  Items merge_streams(const std::vector<Items>& streams, std::uint32_t device) const {
    std::vector<Items> parts;
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (work_.streams[s].device == device && !streams[s].empty()) parts.push_back(streams[s]);
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

  // In order of their starts; at least one. fills_range: it is of the whole range, where there is one, else of the time
  // from the first work in it to the last.
  DeviceBreakdown break_down(const Items& items, const std::vector<TimeSpan>& lost, bool fills_range) const {
    const WorkRange range = options_.range.value_or(kAllTimes);
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
    if (fills_range && options_.range) {
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
    b.not_recorded_ns = find_gaps(items, lost, fills_range, [&](const Gap& gap) {
      ++b.gaps;
      std::int64_t& idle_ns = gap.cause == IdleCause::kHost     ? b.idle_host_ns
                              : gap.cause == IdleCause::kKernel ? b.idle_kernel_ns
                                                                : b.idle_other_ns;
      idle_ns += gap.to_ns - gap.from_ns;
    });
    find_queue(items, b);
    return b;
  }

  // What lies in the range of the times in which none of the items ran: between them, and to fill the range also before
  // the first and after the last. How much of that is none of them, since records are lost of it.
  template <typename Visit>
  std::int64_t find_gaps(const Items& items, const std::vector<TimeSpan>& lost, bool fills_range, Visit&& visit) const {
    const WorkRange range = options_.range.value_or(kAllTimes);
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
    const bool has_ends = fills_range && options_.range;
    std::int64_t end_ns = work_.items[items.front()].start_ns;
    if (has_ends) end_ns = std::min(end_ns, range.from_ns);
    for (const std::uint32_t i : items) {
      const WorkItem& item = work_.items[i];
      if (item.start_ns > end_ns) add(Gap{end_ns, item.start_ns, i, cause_of(item, end_ns)});
      end_ns = std::max(end_ns, item.end_ns);
    }
    if (has_ends) add(Gap{end_ns, range.to_ns, kNoId, IdleCause::kOther});
    return lost_ns;
  }

  IdleCause cause_of(const WorkItem& item, std::int64_t idle_since_ns) const {
    if (item.call != kNoId && work_.calls[item.call].start_ns > idle_since_ns) return IdleCause::kHost;
    if (item.start_ns - idle_since_ns < options_.consecutive_kernel_delay_ns) return IdleCause::kKernel;
    return IdleCause::kOther;
  }

  // Work waits from its call's start to its own.
  void find_queue(const Items& items, DeviceBreakdown& b) const {
    std::vector<std::int64_t> launched_ns, begun_ns;
    for (const std::uint32_t i : items) {
      const WorkItem& item = work_.items[i];
      if (item.call == kNoId) continue;
      std::int64_t call_ns = work_.calls[item.call].start_ns, start_ns = std::max(item.start_ns, call_ns);
      if (options_.range) {
        if (!options_.range->holds(call_ns, start_ns)) continue;
        call_ns = options_.range->nearest(call_ns);
        start_ns = options_.range->nearest(start_ns);
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

  const DeviceWork& work_;
  const BreakdownOptions& options_;
};

}  // namespace

std::vector<DeviceBreakdown> make_breakdowns(const DeviceWork& work, const BreakdownOptions& options) {
  return Breakdowns(work, options).make(nullptr, true);
}

std::vector<StepBreakdown> make_step_breakdowns(const Profile& profile, const StringTable& strings,
                                                const DeviceWork& work, const BreakdownOptions& options) {
  if (profile.runs.empty()) return {};
  std::map<std::uint32_t, Items> of_step;  // by run
  WorkSteps steps(profile, strings, work);
  for (std::uint32_t i = 0; i < work.items.size(); ++i) {
    if (options.range && !options.range->holds(work.items[i].start_ns, work.items[i].end_ns)) continue;
    if (const std::uint32_t run = steps.of(work.items[i]); run != kNoId) of_step[run].push_back(i);
  }
  std::vector<StepBreakdown> result;
  for (const auto& [run, items] : of_step) result.push_back({run, Breakdowns(work, options).make(&items, false)});
  std::ranges::stable_sort(result, {}, [&](const StepBreakdown& step) { return profile.runs[step.run].from_ns; });
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
