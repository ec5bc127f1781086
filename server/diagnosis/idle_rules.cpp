// Rules about time in which nothing ran: by its cause, and before small kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/recorded/recordable.h"
#include "diagnosis/idle_causes.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::int64_t kSmall_ns = 10'000;  // a shorter kernel takes about as long as its launch
constexpr std::int64_t kFewestSmall = 20;
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
  if (name == StringId{kNoId}) return "";
  return fmt::format("; meanwhile the host is in {}", shown_name(examined.capture().strings.get(name)));
}

// Where no call tells which thread it waited for.
std::string host_in_gap(const Examined& examined, const DeviceGap& gap) {
  const bool is_told = gap.item != kNoId && examined.work().items[gap.item].call != kNoId;
  return gap.item == kNoId || is_told ? "" : hosts_in_gap(examined, gap);
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

RuleAnswer between_kernels(const Examined& examined) {
  return idle_by(
      examined, IdleCause::kKernel, examined.whole().idle_kernel_ns,
      "gaps from kernel to kernel, launched in time, each under 30 us",
      examined.profile().is_trace
          ? "fuse kernels or replay them as a graph: vizd kernels --sequences lists which follow one another"
          : "fuse kernels, or delegate more at once: vizd kernels --sequences lists which follow one another",
      Sureness::kMeasured);
}

RuleAnswer idle_otherwise(const Examined& examined) {
  const std::int64_t idle_ns = examined.whole().idle_other_ns;
  RuleAnswer answer =
      idle_by(examined, IdleCause::kOther, idle_ns, "idle for a cause that is not recorded, or waiting for other work",
              !examined.profile().is_trace    ? "look at what the host did in the gap, on its lanes"
              : examined.work().calls.empty() ? "record the host's calls too, to see whether it launched late"
                                              : "look at what other streams, ranks and the host did in the gap",
              Sureness::kMeasured);
  auto* const findings = std::get_if<std::vector<Finding>>(&answer);
  if (findings == nullptr || !examined.capture().format.starts_with("tinygrad")) return answer;
  // What tinygrad's hosts record is the compiler at work.
  const std::int64_t compiled_ns = host_time_in_gaps(examined, IdleCause::kOther);
  if (2 * compiled_ns < idle_ns) return answer;
  Finding& finding = findings->front();
  finding.title = "idle while the program is scheduled and compiled";
  finding.detail =
      fmt::format("for {} of {} the compiler works; {}", time_text(compiled_ns), time_text(idle_ns), finding.detail);
  finding.next =
      "this is a first run: the view Rewrites shows what the compiler did; to see only the devices, record a later "
      "run, with cached kernels or under TinyJit";
  return answer;
}

// Launches of kernels that take about as long as what they launch, and the idle time before these.
struct SmallKernels {
  std::int64_t small = 0, all = 0, replayed = 0;
  std::int64_t before_ns = 0, host_ns = 0;  // in all; of gaps that the host is the cause of
  const DeviceGap* longest = nullptr;

  bool are_many() const { return small >= kFewestSmall && 2 * small >= all; }
  std::string text() const {
    return fmt::format("{} of {} launches take less than 10 us{}", small, all,
                       replayed > 0 ? fmt::format(", {} of them in graphs that are replayed", replayed) : "");
  }
  std::string next() const {
    return fmt::format("fuse them (torch.compile, fused optimizers), {}or give each more work",
                       2 * replayed > small ? "" : "replay them as a CUDA graph, ");
  }
};

SmallKernels find_small_kernels(const Examined& examined) {
  SmallKernels found;
  for (const WorkItem& item : examined.work_in_scope().items) {
    if (item.work != EventRole::kKernel) continue;
    ++found.all;
    if (item.end_ns - item.start_ns >= kSmall_ns) continue;
    ++found.small;
    if (examined.is_replayed(item)) ++found.replayed;
  }
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.item == kNoId || gap.cause == IdleCause::kOther || gap.length_ns() > kMostLaunch_ns) continue;
    const WorkItem& item = examined.work().items[gap.item];
    if (item.work != EventRole::kKernel || item.end_ns - item.start_ns >= kSmall_ns) continue;
    // Before a graph the host launched all of it late, not this kernel.
    if (gap.cause == IdleCause::kHost && examined.is_replayed(item)) continue;
    found.before_ns += gap.length_ns();
    if (gap.cause == IdleCause::kHost) found.host_ns += gap.length_ns();
    if (found.longest == nullptr) found.longest = &gap;
  }
  return found;
}

// Whether the host is late because it launches so many small kernels: then it is one finding.
bool are_one_cause(const Examined& examined, const SmallKernels& small) {
  return small.are_many() && small.host_ns > 0 && 2 * small.host_ns >= small.before_ns &&
         2 * small.host_ns >= examined.whole().idle_host_ns;
}

RuleAnswer small_kernels(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (examined.work().calls.empty()) return not_recorded(examined, Recordable::kLaunches);
  const SmallKernels small = find_small_kernels(examined);
  if (!small.are_many() || small.longest == nullptr) return Absence{Nothing::kNone, small.text(), ""};
  if (are_one_cause(examined, small))
    return Absence{Nothing::kNone, "reported as host-bound: they are why the host is late", ""};
  Finding finding =
      examined.of_devices("small kernels: launching takes longer than running",
                          small.text() + "; devices are idle before them", small.before_ns, Sureness::kLikely);
  finding.next = small.next();
  finding.evidence = evidence_of_gap(examined, *small.longest);
  return std::vector{std::move(finding)};
}

// What the host was in, of all gaps, and what to do about that.
struct HostStory {
  std::string detail, next;
};

HostStory story_of(const Examined& examined, const SmallKernels& small) {
  const HostInGaps host = host_in_gaps(examined, IdleCause::kHost);
  const auto in_name = [&](const std::string& does) {
    return fmt::format("; meanwhile the host is in {}{}: {} of {}", host.name, does, time_text(host.name_ns),
                       time_text(host.known_ns));
  };
  if (host.cause != nullptr)
    return {in_name(fmt::format(", where it {}", host.cause->is)), std::string(host.cause->next)};
  const bool is_replayed = 2 * small.replayed > small.all;
  std::string detail = host.name.empty() ? "" : in_name("");
  if (2 * host.nothing_ns >= host.known_ns && host.known_ns > 0)
    detail = fmt::format("; for {} of {} the launching thread has no events", time_text(host.nothing_ns),
                         time_text(host.known_ns));
  if (are_one_cause(examined, small)) return {fmt::format("; {}{}", small.text(), detail), small.next()};
  return {detail, fmt::format("launch earlier or less: {}torch.compile, or move host work out of the loop; its threads "
                              "show what it did, and so does vizd breakdown --critical-path",
                              is_replayed ? "" : "CUDA graphs, ")};
}

RuleAnswer host_bound(const Examined& examined) {
  if (examined.whole().events > 0 && examined.work().calls.empty())
    return not_recorded(examined, Recordable::kLaunches);
  RuleAnswer answer = idle_by(examined, IdleCause::kHost, examined.whole().idle_host_ns,
                              "host bound: devices wait because the host launches late", "", Sureness::kMeasured);
  auto* const findings = std::get_if<std::vector<Finding>>(&answer);
  if (findings == nullptr) return answer;
  HostStory story = story_of(examined, find_small_kernels(examined));
  findings->front().detail += story.detail;
  findings->front().next = std::move(story.next);
  return answer;
}

constexpr std::array kIdleRules{
    DiagnosisRule{"host-bound", "idle time that ends with work launched too late", 0.05, host_bound},
    DiagnosisRule{"small-kernels", "idle time before kernels under 10 us", 0.05, small_kernels},
    DiagnosisRule{"between-kernels", "idle time from kernel to kernel", 0.05, between_kernels},
    DiagnosisRule{"idle-otherwise", "idle time of another or unknown cause", 0.05, idle_otherwise},
};

}  // namespace

std::span<const DiagnosisRule> idle_rules() { return kIdleRules; }

}  // namespace vizd
