// Rules about time in which nothing ran: by its cause, before small kernels, and in steps that took longer than others.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::int64_t kSmall_ns = 10'000;  // a shorter kernel takes about as long as its launch
constexpr std::size_t kFewestSmall = 20;
constexpr double kLongStep = 1.3;  // times the median

// The longest gap of the cause, and what ended it.
std::vector<Evidence> evidence_of_gap(const Examined& examined, const DeviceGap& gap) {
  std::vector<Evidence> evidence{{time_id(examined.profile(), gap.from_ns, gap.to_ns), "the longest gap"}};
  if (gap.item != kNoId) {
    const WorkItem& item = examined.work().items[gap.item];
    evidence.push_back({examined.id_of(item), "what ended it: " + examined.name_of(item)});
  }
  return evidence;
}

RuleAnswer idle_by(const Examined& examined, IdleCause cause, std::int64_t idle_ns, std::string title, std::string next,
                   Sureness sure) {
  if (examined.whole().events == 0) return without_device_work(examined);
  const auto longest = std::ranges::find(examined.gaps(), cause, &DeviceGap::cause);
  if (longest == examined.gaps().end() || idle_ns == 0) return Absence{};
  Finding finding = examined.of_devices(
      std::move(title),
      fmt::format("{} gaps, the longest {}{}", std::ranges::count(examined.gaps(), cause, &DeviceGap::cause),
                  time_text(longest->length_ns()),
                  longest->item == kNoId ? "" : ", until " + examined.name_of(examined.work().items[longest->item])),
      idle_ns, sure);
  finding.next = std::move(next);
  finding.evidence = evidence_of_gap(examined, *longest);
  return std::vector{std::move(finding)};
}

RuleAnswer host_bound(const Examined& examined) {
  if (examined.whole().events > 0 && examined.work().calls.empty()) return without_calls();
  return idle_by(examined, IdleCause::kHost, examined.whole().idle_host_ns,
                 "host bound: devices wait because the host launches late",
                 "launch earlier or less: CUDA graphs, torch.compile, batches loaded ahead; what the host did in the "
                 "gap is on its threads, and in vizd breakdown --critical-path",
                 Sureness::kMeasured);
}

RuleAnswer between_kernels(const Examined& examined) {
  return idle_by(examined, IdleCause::kKernel, examined.whole().idle_kernel_ns,
                 "gaps from kernel to kernel, launched in time, each under 30 us",
                 "fuse kernels or replay them as a graph: vizd kernels --sequences lists what follows what",
                 Sureness::kMeasured);
}

RuleAnswer idle_otherwise(const Examined& examined) {
  return idle_by(examined, IdleCause::kOther, examined.whole().idle_other_ns,
                 "idle for a reason that is not recorded, or waiting for other work",
                 examined.work().calls.empty() ? "record the host's calls too, which tell whether it launched late"
                                               : "look at what other streams, ranks and the host did in the gap",
                 Sureness::kMeasured);
}

RuleAnswer small_kernels(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (examined.work().calls.empty()) return without_calls();
  std::size_t small = 0, all = 0;
  for (const WorkItem& item : examined.work().items) {
    if (item.work != EventRole::kKernel) continue;
    ++all;
    if (item.end_ns - item.start_ns < kSmall_ns) ++small;
  }
  if (small < kFewestSmall || 2 * small < all)
    return Absence{Nothing::kNone, fmt::format("{} of {} launches take less than 10 us", small, all), ""};
  std::int64_t before_ns = 0;
  const DeviceGap* longest = nullptr;
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.item == kNoId || gap.cause == IdleCause::kOther) continue;
    const WorkItem& item = examined.work().items[gap.item];
    if (item.work != EventRole::kKernel || item.end_ns - item.start_ns >= kSmall_ns) continue;
    before_ns += gap.length_ns();
    if (longest == nullptr) longest = &gap;
  }
  if (longest == nullptr) return Absence{};
  Finding finding = examined.of_devices(
      "small kernels: launching takes longer than what they do",
      fmt::format("{} of {} launches take less than 10 us; devices are idle before them", small, all), before_ns,
      Sureness::kLikely);
  finding.next = "fuse them (torch.compile, fused optimizers), replay them as a CUDA graph, or give each more work";
  finding.evidence = evidence_of_gap(examined, *longest);
  return std::vector{std::move(finding)};
}

RuleAnswer slow_steps(const Examined& examined) {
  const auto& steps = examined.steps();
  if (steps.empty())
    return Absence{Nothing::kNotRecorded, "no steps are told apart",
                   "mark them: profiler.step() in PyTorch, or record runs with vizd's writer"};
  if (steps.size() < 3)
    return Absence{Nothing::kNotRecorded, "fewer than three steps, too few to compare", "record some more steps"};
  const auto& runs = examined.profile().runs;
  const auto length = [&](const StepBreakdown& step) { return runs[step.run].to_ns - runs[step.run].from_ns; };
  std::vector<std::int64_t> lengths;
  for (const StepBreakdown& step : steps) lengths.push_back(length(step));
  std::ranges::sort(lengths);
  const std::int64_t median_ns = lengths[lengths.size() / 2];
  std::int64_t over_ns = 0;
  std::size_t slow = 0;
  const StepBreakdown* worst = nullptr;
  for (const StepBreakdown& step : steps) {
    if (static_cast<double>(length(step)) <= kLongStep * static_cast<double>(median_ns)) continue;
    ++slow;
    over_ns += (length(step) - median_ns) * std::max<std::int64_t>(std::ssize(step.devices), 1);
    if (worst == nullptr || length(step) > length(*worst)) worst = &step;
  }
  if (worst == nullptr)
    return Absence{Nothing::kNone, fmt::format("{} steps of about {}", steps.size(), time_text(median_ns)), ""};
  const Run& run = runs[worst->run];
  Finding finding = examined.of_devices(
      fmt::format("{} step{} much longer than the median", slow, slow == 1 ? "" : "s"),
      fmt::format("{} takes {}, the median {}", shown_name(examined.capture().strings.get(run.name)),
                  time_text(length(*worst)), time_text(median_ns)),
      over_ns, Sureness::kMeasured);
  finding.next = fmt::format("look at step {} alone: --step {}", run.number, run.number);
  finding.evidence = {{time_id(examined.profile(), run.from_ns, run.to_ns), "the longest of them"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kIdleRules{
    DiagnosisRule{"host-bound", "idle time that ends with work launched too late", 0.05, host_bound},
    DiagnosisRule{"small-kernels", "idle time before kernels under 10 us", 0.05, small_kernels},
    DiagnosisRule{"between-kernels", "idle time from kernel to kernel", 0.05, between_kernels},
    DiagnosisRule{"idle-otherwise", "idle time of another or no known cause", 0.05, idle_otherwise},
    DiagnosisRule{"slow-steps", "steps that take much longer than the median", 0.02, slow_steps},
};

}  // namespace

std::span<const DiagnosisRule> idle_rules() { return kIdleRules; }

}  // namespace vizd
