// Rules about what the host does: calls that wait for the devices, its own operators, and compiling again.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "analysis/devices/compiles.h"
#include "analysis/devices/host_work.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::string_view kWaits[] = {"cudaDeviceSynchronize",
                                       "cudaStreamSynchronize",
                                       "cudaEventSynchronize",
                                       "cuCtxSynchronize",
                                       "cuStreamSynchronize",
                                       "cuEventSynchronize",
                                       "hipDeviceSynchronize",
                                       "hipStreamSynchronize",
                                       "hipEventSynchronize",
                                       "cudaMemcpy",
                                       "hipMemcpy",
                                       "hipMemcpyWithStream",
                                       "Cuda_synchronize",
                                       "aten::item",
                                       "aten::_local_scalar_dense"};

// The end of a wait of a thread.
struct HostWait {
  std::int64_t from_ns = 0, to_ns = 0;
  std::uint32_t track = 0, event = 0;
};

std::vector<HostWait> waits_of(const Examined& examined) {
  std::vector<StringId> names;
  for (const std::string_view name : kWaits) {
    const StringId id = examined.capture().strings.find(name);
    if (id != StringId{kNoId}) names.push_back(id);
  }
  std::vector<HostWait> waits;
  if (names.empty()) return waits;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    if (std::ranges::find(names, events.name(event)) != names.end())
      waits.push_back({events.start_ns(event), events.end_ns(event), track, event});
  });
  std::ranges::sort(waits, {}, &HostWait::to_ns);
  return waits;
}

// A device ran dry while the host waited for it, and began again when it had come back: gaps of the cause "host" in
// which a wait ended that had begun before.
RuleAnswer synchronising_calls(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (examined.work().calls.empty()) return not_recorded(examined, Recordable::kLaunches);
  const std::vector<HostWait> waits = waits_of(examined);
  if (waits.empty()) return Absence{Nothing::kNone, "no call waits for a device", ""};
  std::int64_t cost_ns = 0, gaps = 0;
  const HostWait* worst = nullptr;
  std::int64_t worst_ns = 0;
  std::optional<DeviceGap> worst_gap;
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.cause != IdleCause::kHost) continue;
    const auto next = std::ranges::lower_bound(waits, gap.from_ns, {}, &HostWait::to_ns);
    if (next == waits.end() || next->to_ns >= gap.to_ns || next->from_ns > gap.from_ns) continue;
    cost_ns += gap.length_ns();
    ++gaps;
    if (gap.length_ns() <= worst_ns) continue;
    worst_ns = gap.length_ns();
    worst = &*next;
    worst_gap = gap;
  }
  if (worst == nullptr)
    return Absence{Nothing::kNone, fmt::format("after none of {} waits did a device run out of work", waits.size()),
                   ""};
  const ProfileEvent call{.track = worst->track, .event = worst->event};
  Finding finding = examined.of_devices(
      "calls that wait for the device: it has no work until the host launches again",
      fmt::format("{}, of {} waits; the longest {}, after {}", times_text(static_cast<std::uint64_t>(gaps)),
                  waits.size(), time_text(worst_ns), examined.name_of(call)),
      cost_ns, Sureness::kLikely);
  finding.next =
      "do not read results in each step (item(), print, cpu()): read them later, or every hundredth step; copy with "
      "non_blocking=True";
  finding.evidence = {{examined.id_of(call), "the call before the longest gap"},
                      {time_id(examined.profile(), worst_gap->from_ns, worst_gap->to_ns), "that gap"}};
  return std::vector{std::move(finding)};
}

RuleAnswer recompiles(const Examined& examined) {
  if (!is_of_pytorch(examined.capture())) return not_recorded(examined, Recordable::kOperators);
  const std::vector<CompileRow> rows = find_compiles(examined.capture(), examined.of().scope);
  std::int64_t again_ns = 0, times = 0;
  const CompileRow* worst = nullptr;
  for (const CompileRow& row : rows) {
    if (row.kind != CompileKind::kRecompile) continue;
    again_ns += row.total_ns;
    times += row.count;
    if (worst == nullptr || row.total_ns > worst->total_ns) worst = &row;
  }
  if (worst == nullptr) return Absence{Nothing::kNone, "no function was recompiled", ""};
  Finding finding;
  finding.title = "torch.compile recompiles functions";
  finding.detail = fmt::format("{}, the longest {}{}", times_text(static_cast<std::uint64_t>(times)),
                               time_text(worst->max_ns), worst->id.empty() ? "" : ", of " + shown_name(worst->id));
  finding.cost_ns = again_ns;
  finding.share = share_of(again_ns, examined.extent_ns());
  finding.of = "the recording";
  finding.next = "TORCH_LOGS=recompiles shows which guard failed; mark changing sizes: torch._dynamo.mark_dynamic";
  finding.evidence = {{examined.id_of(worst->worst), "the longest of them"}};
  return std::vector{std::move(finding)};
}

// For a trace in which no device worked: the operator that takes most of the host's time.
RuleAnswer host_operator(const Examined& examined) {
  if (examined.whole().events > 0) return Absence{Nothing::kNone, "devices do the work", ""};
  const DeviceAnalysis all = analyse_host(examined.capture(), examined.of().analysis);
  if (all.work.items.empty()) return not_recorded(examined, Recordable::kOperators);
  const DeviceAnalysis host = in_scope(examined.capture(), all, examined.of().scope);
  const auto rows =
      make_kernel_table(examined.capture(), host.work, host.operators, host.figures, examined.of().peaks, {});
  if (rows.empty()) return Absence{Nothing::kNone, "no operator ran", ""};
  std::int64_t whole_ns = 0;
  for (const KernelRow& row : rows) whole_ns += row.durations.total_ns;
  const KernelRow& most =
      *std::ranges::max_element(rows, {}, [](const KernelRow& row) { return row.durations.total_ns; });
  Finding finding;
  finding.title = fmt::format("one operator takes most of the host's time: {}", shown_name(most.key.value_or("")));
  finding.detail =
      fmt::format("{}, median {}, the longest {}", count_text(most.durations.launches, "call"),
                  time_text(static_cast<std::int64_t>(most.durations.median_ns)), time_text(most.durations.max_ns));
  finding.cost_ns = most.durations.total_ns;
  finding.share = share_of(most.durations.total_ns, whole_ns);
  finding.of = "the host's operators";
  finding.is_no_loss = true;
  finding.next =
      "see where it is called (vizd operators --by line) and with which inputs (--by shape); a fused operator, "
      "torch.compile or another data type may avoid it";
  finding.evidence = {{examined.id_of(host.work.items[most.worst]), "the longest"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kHostRules{
    DiagnosisRule{"synchronising-calls", "gaps after calls that wait for a device", 0.03, synchronising_calls},
    DiagnosisRule{"host-operator", "the operator that takes most of the host's time, where no device works", 0.4,
                  host_operator},
    DiagnosisRule{"recompiles", "functions that torch.compile recompiled", 0.01, recompiles},
};

}  // namespace

std::span<const DiagnosisRule> host_rules() { return kHostRules; }

}  // namespace vizd
