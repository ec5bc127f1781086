// Rules about time in which nothing ran: by its cause, and before small kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "analysis/devices/host_activity.h"
#include "analysis/recorded/recordable.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::int64_t kSmall_ns = 10'000;  // a shorter kernel takes about as long as its launch
constexpr std::size_t kFewestSmall = 20;
// A longer gap before one is not its launch, but something else that the host did.
constexpr std::int64_t kMostLaunch_ns = 200'000;

// The longest gap of the cause, and what ended it.
std::vector<Evidence> evidence_of_gap(const Examined& examined, const DeviceGap& gap) {
  std::vector<Evidence> evidence{{time_id(examined.profile(), gap.from_ns, gap.to_ns), "the longest gap"}};
  if (gap.item != kNoId) {
    const WorkItem& item = examined.work().items[gap.item];
    evidence.push_back({examined.id_of(item), "what ended it: " + examined.name_of(item)});
  }
  return evidence;
}

std::string meanwhile_text(const Examined& examined, StringId name) {
  return fmt::format("; meanwhile the host is in {}", shown_name(examined.capture().strings.get(name)));
}

// What a thread did in most of the gap, if it is one thing or nothing.
std::string thread_in_gap(const Examined& examined, const DeviceGap& gap, std::uint32_t track) {
  const EventColumns& events = examined.profile().tracks[track].events;
  std::unordered_map<StringId, std::int64_t> by_name;  // kNoId: nothing
  const TimeSpan span{gap.from_ns, gap.to_ns};
  for_each_innermost(
      events, std::span(&span, 1), [&](std::uint32_t event) { return !events.is_step(event); },
      [&](std::uint32_t event, const TimeSpan& part) {
        by_name[event == kNoId ? StringId{kNoId} : events.name(event)] += part.to_ns - part.from_ns;
      });
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  if (most == by_name.end() || 2 * most->second < gap.length_ns()) return "";
  if (most->first == StringId{kNoId}) return "; the thread that launches it has nothing recorded meanwhile";
  return meanwhile_text(examined, most->first);
}

// The shortest span of any host that takes most of the gap.
std::string hosts_in_gap(const Examined& examined, const DeviceGap& gap) {
  StringId name{kNoId};
  std::int64_t shortest_ns = INT64_MAX;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    const std::int64_t in_gap_ns =
        std::min(events.end_ns(event), gap.to_ns) - std::max(events.start_ns(event), gap.from_ns);
    if (2 * in_gap_ns < gap.length_ns() || events.length_ns(event) >= shortest_ns || events.is_step(event)) return;
    shortest_ns = events.length_ns(event);
    name = events.name(event);
  });
  return name == StringId{kNoId} ? "" : meanwhile_text(examined, name);
}

std::string host_in_gap(const Examined& examined, const DeviceGap& gap) {
  if (gap.item == kNoId) return "";
  const std::uint32_t call = examined.work().items[gap.item].call;
  if (call == kNoId) return hosts_in_gap(examined, gap);
  return thread_in_gap(examined, gap, examined.work().calls[call].track);
}

RuleAnswer idle_by(const Examined& examined, IdleCause cause, std::int64_t idle_ns, std::string title, std::string next,
                   Sureness sure) {
  if (examined.whole().events == 0) return without_device_work(examined);
  // Where copies alone have times, what lies between them is no idleness.
  if (auto lacking = if_not_recorded(examined.capture(), Recordable::kKernelTimes)) return *std::move(lacking);
  const auto longest = std::ranges::find(examined.gaps(), cause, &DeviceGap::cause);
  if (longest == examined.gaps().end() || idle_ns == 0) return Absence{};
  Finding finding = examined.of_devices(
      std::move(title),
      fmt::format("{}, the longest {}{}{}",
                  count_text(std::ranges::count(examined.gaps(), cause, &DeviceGap::cause), "gap"),
                  time_text(longest->length_ns()),
                  longest->item == kNoId ? "" : ", until " + examined.name_of(examined.work().items[longest->item]),
                  host_in_gap(examined, *longest)),
      idle_ns, sure);
  finding.next = std::move(next);
  finding.evidence = evidence_of_gap(examined, *longest);
  return std::vector{std::move(finding)};
}

RuleAnswer host_bound(const Examined& examined) {
  if (examined.whole().events > 0 && examined.work().calls.empty())
    return not_recorded(examined, Recordable::kLaunches);
  return idle_by(examined, IdleCause::kHost, examined.whole().idle_host_ns,
                 "host bound: devices wait because the host launches late",
                 "launch earlier or less: CUDA graphs, torch.compile, batches loaded ahead; what the host did in the "
                 "gap is on its threads, and in vizd breakdown --critical-path",
                 Sureness::kMeasured);
}

RuleAnswer between_kernels(const Examined& examined) {
  return idle_by(examined, IdleCause::kKernel, examined.whole().idle_kernel_ns,
                 "gaps from kernel to kernel, launched in time, each under 30 us",
                 examined.profile().is_trace
                     ? "fuse kernels or replay them as a graph: vizd kernels --sequences lists what follows what"
                     : "fuse kernels, or delegate more at once: vizd kernels --sequences lists what follows what",
                 Sureness::kMeasured);
}

RuleAnswer idle_otherwise(const Examined& examined) {
  return idle_by(examined, IdleCause::kOther, examined.whole().idle_other_ns,
                 "idle for a reason that is not recorded, or waiting for other work",
                 !examined.profile().is_trace    ? "look at what the host did in the gap, on its lanes"
                 : examined.work().calls.empty() ? "record the host's calls too, which tell whether it launched late"
                                                 : "look at what other streams, ranks and the host did in the gap",
                 Sureness::kMeasured);
}

RuleAnswer small_kernels(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (examined.work().calls.empty()) return not_recorded(examined, Recordable::kLaunches);
  std::size_t small = 0, all = 0, replayed = 0;
  for (const WorkItem& item : examined.work().items) {
    if (item.work != EventRole::kKernel) continue;
    ++all;
    if (item.end_ns - item.start_ns >= kSmall_ns) continue;
    ++small;
    if (examined.is_replayed(item)) ++replayed;
  }
  if (small < kFewestSmall || 2 * small < all)
    return Absence{Nothing::kNone, fmt::format("{} of {} launches take less than 10 us", small, all), ""};
  std::int64_t before_ns = 0;
  const DeviceGap* longest = nullptr;
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.item == kNoId || gap.cause == IdleCause::kOther || gap.length_ns() > kMostLaunch_ns) continue;
    const WorkItem& item = examined.work().items[gap.item];
    if (item.work != EventRole::kKernel || item.end_ns - item.start_ns >= kSmall_ns) continue;
    // Before a graph the host launched all of it late, not this kernel.
    if (gap.cause == IdleCause::kHost && examined.is_replayed(item)) continue;
    before_ns += gap.length_ns();
    if (longest == nullptr) longest = &gap;
  }
  if (longest == nullptr) return Absence{};
  Finding finding = examined.of_devices(
      "small kernels: launching takes longer than what they do",
      fmt::format("{} of {} launches take less than 10 us{}; devices are idle before them", small, all,
                  replayed > 0 ? fmt::format(", {} of them in graphs that are replayed", replayed) : ""),
      before_ns, Sureness::kLikely);
  finding.next = fmt::format("fuse them (torch.compile, fused optimizers), {}or give each more work",
                             2 * replayed > small ? "" : "replay them as a CUDA graph, ");
  finding.evidence = evidence_of_gap(examined, *longest);
  return std::vector{std::move(finding)};
}

constexpr std::array kIdleRules{
    DiagnosisRule{"host-bound", "idle time that ends with work launched too late", 0.05, host_bound},
    DiagnosisRule{"small-kernels", "idle time before kernels under 10 us", 0.05, small_kernels},
    DiagnosisRule{"between-kernels", "idle time from kernel to kernel", 0.05, between_kernels},
    DiagnosisRule{"idle-otherwise", "idle time of another or no known cause", 0.05, idle_otherwise},
};

}  // namespace

std::span<const DiagnosisRule> idle_rules() { return kIdleRules; }

}  // namespace vizd
