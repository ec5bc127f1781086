// Rules about the devices' work as a whole: what most of it is, the engine that bounds it, and the instruction that
// holds its waves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "analysis/devices/kernel_names.h"
#include "analysis/recorded_rows.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr double kBusyDevice = 0.7;     // else what it waits for is told first
constexpr double kLargeCategory = 0.6;  // of what devices are busy with
constexpr double kLargeKernel = 0.4;
constexpr double kBusyEngine = 0.5;  // of its device's time

bool is_of_executorch(const Examined& examined) { return examined.capture().format.starts_with("etdump"); }

struct NamedTime {
  std::string name;
  std::int64_t total_ns = 0;
};

NamedTime largest_category(const Examined& examined) {
  std::map<std::string_view, std::int64_t> by_category;
  for (const KernelRow& row : examined.kernels()) {
    if (row.work == EventRole::kKernel) by_category[kernel_category(row.key.value_or(""))] += row.durations.total_ns;
  }
  const auto most = std::ranges::max_element(by_category, {}, [](const auto& each) { return each.second; });
  return most == by_category.end() ? NamedTime{} : NamedTime{std::string(most->first), most->second};
}

// The kernel that takes most of the time; null: only copies and sets ran.
const KernelRow* slowest_kernel(const Examined& examined) {
  const KernelRow* slowest = nullptr;
  for (const KernelRow& row : examined.kernels()) {
    if (row.work != EventRole::kKernel) continue;
    if (slowest == nullptr || row.durations.total_ns > slowest->durations.total_ns) slowest = &row;
  }
  return slowest;
}

RuleAnswer dominating_work(const Examined& examined) {
  const DeviceBreakdown& whole = examined.whole();
  if (whole.events == 0) return without_device_work(examined);
  if (is_of_executorch(examined)) return Absence{Nothing::kNone, "reported as slowest-operator", ""};
  const double busy = share_of(whole.busy_ns, whole.span_ns());
  if (busy < kBusyDevice)
    return Absence{Nothing::kNone, fmt::format("devices are busy {} of the time", share_text(busy)), ""};
  const KernelRow* const kernel = slowest_kernel(examined);
  if (kernel == nullptr) return Absence{Nothing::kNone, "only copies and sets ran", ""};
  const NamedTime category = largest_category(examined);
  const double of_category = category.name == "other" ? 0 : share_of(category.total_ns, whole.busy_ns);
  const double of_kernel = share_of(kernel->durations.total_ns, whole.busy_ns);
  const std::string name = shown_name(kernel->key.value_or(""));
  if (of_category < kLargeCategory && of_kernel < kLargeKernel)
    return Absence{Nothing::kNone, fmt::format("the most is {} of {}", share_text(of_kernel), name), ""};
  const bool is_category = of_category >= kLargeCategory;
  Finding finding = examined.of_devices(
      is_category ? fmt::format("most of what the devices do is {}: {}", category.name, share_text(of_category))
                  : fmt::format("most of what the devices do is one kernel: {}", name),
      fmt::format("one kernel, {}, is {} of their busy time, in {}; they are busy {} of the time", name,
                  share_text(of_kernel), count_text(kernel->durations.launches, "launch"), share_text(busy)),
      is_category ? category.total_ns : kernel->durations.total_ns, Sureness::kMeasured);
  finding.is_no_loss = true;
  finding.next =
      "nothing else can gain as much: check whether it is near its limit (vizd kernels), whether all of it is needed, "
      "and whether a lower precision or another algorithm is enough";
  finding.evidence = {{kernel_id(name), "all its launches"},
                      {examined.id_of(examined.work_in_scope().items[kernel->worst]), "the longest"}};
  return std::vector{std::move(finding)};
}

// Each operator of an ExecuTorch program is a kernel, and they run one after another.
RuleAnswer slowest_operator(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (!is_of_executorch(examined)) return Absence{Nothing::kNone, "it applies to programs of ExecuTorch", ""};
  const KernelRow* const row = slowest_kernel(examined);
  if (row == nullptr) return Absence{Nothing::kNone, "no operator ran", ""};
  const std::string name = shown_name(row->key.value_or(""));
  Finding finding = examined.of_devices(
      fmt::format("the slowest operator: {}", name),
      fmt::format("{}, the longest {}", count_text(row->durations.launches, "call"), time_text(row->durations.max_ns)),
      row->durations.total_ns, Sureness::kMeasured);
  finding.is_no_loss = true;
  finding.next = "delegate it to a backend, use an optimized or quantized kernel, or give it smaller inputs";
  finding.evidence = {{kernel_id(name), "all its calls"},
                      {examined.id_of(examined.work_in_scope().items[row->worst]), "the longest"}};
  return std::vector{std::move(finding)};
}

// The busiest engine, for devices whose engines work side by side.
RuleAnswer bounding_engine(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (examined.profile().is_trace) return Absence{Nothing::kNone, "its devices have streams, not engines", ""};
  const DeviceWork& work = examined.work();
  std::map<std::uint32_t, std::uint32_t> track_of;  // by stream
  for (const WorkItem& item : work.items) track_of.try_emplace(item.stream, item.track);
  std::map<std::uint32_t, std::int64_t> span_of;  // by device
  std::optional<DeviceBreakdown> most;
  std::size_t engines = 0;
  const auto rows = make_breakdowns(work, examined.of().scope.breakdown_options(examined.profile()));
  for (const DeviceBreakdown& row : rows) {
    if (!row.stream) {
      span_of[row.device] = row.span_ns();
      continue;
    }
    if (examined.profile().tracks[track_of[*row.stream]].kind != TrackKind::kEngine) continue;
    ++engines;
    if (!most || row.busy_ns > most->busy_ns) most = row;
  }
  if (engines < 2) return Absence{Nothing::kNone, "no device has several engines", ""};
  const double busy = share_of(most->busy_ns, span_of[most->device]);
  const std::string name =
      shown_name(examined.capture().strings.get(examined.profile().tracks[track_of[*most->stream]].name));
  if (busy < kBusyEngine)
    return Absence{Nothing::kNone, fmt::format("the busiest, {}, is busy {} of the time", name, share_text(busy)), ""};
  Finding finding =
      examined.of_devices(fmt::format("one engine bounds the device: {}", name),
                          fmt::format("it is busy for {} of its device's time, longer than any other of {}",
                                      share_text(busy), count_text(static_cast<std::int64_t>(engines), "engine")),
                          most->busy_ns, Sureness::kMeasured);
  finding.is_no_loss = true;
  finding.next = "the other engines are hidden behind it: give it less to do, or larger pieces at once";
  finding.evidence = {{fmt::format("track:{}", track_of[*most->stream]), "its work"}};
  return std::vector{std::move(finding)};
}

// The cycles that the waves of all runs of a program spent at one instruction.
struct HeldWaves {
  const RecordedRows::Instruction* first = nullptr;  // of a run
  std::string_view kernel;
  std::uint64_t hits = 0;
  std::int64_t issue_cycles = 0, wait_cycles = 0, barrier_cycles = 0;

  // The cycles in which a wave stood still before its end.
  std::int64_t held_cycles() const { return issue_cycles + wait_cycles + barrier_cycles; }
  bool waits() const { return wait_cycles >= issue_cycles && wait_cycles >= barrier_cycles; }
  bool is_at_barrier() const { return !waits() && barrier_cycles >= issue_cycles; }
};

HeldWaves most_held(const RecordedRows& rows) {
  std::map<std::pair<std::string_view, std::uint64_t>, HeldWaves> by_place;
  for (const RecordedRows::Instruction& row : rows.instructions) {
    const std::string_view kernel = rows.runs[row.run].kernel;
    HeldWaves& held = by_place[{kernel, row.address}];
    if (held.first == nullptr) held.first = &row, held.kernel = kernel;
    held.hits += row.hits;
    held.issue_cycles += row.issue_cycles;
    held.wait_cycles += row.wait_cycles;
    held.barrier_cycles += row.barrier_cycles;
  }
  const auto most = std::ranges::max_element(by_place, {}, [](const auto& each) { return each.second.held_cycles(); });
  return most == by_place.end() ? HeldWaves{} : most->second;
}

RuleAnswer waiting_instruction(const Examined& examined) {
  if (!is_recorded(examined.capture(), Recordable::kHardware)) return not_recorded(examined, Recordable::kHardware);
  const RecordedRows* const rows = examined.of().recorded;
  if (rows == nullptr) return examined.of().without_recorded;
  std::int64_t all_cycles = 0;
  for (const RecordedRows::Instruction& row : rows->instructions) all_cycles += row.cycles;
  if (all_cycles == 0) return Absence{Nothing::kNone, "no thread trace has instructions", ""};
  const HeldWaves held = most_held(*rows);
  if (held.held_cycles() == 0) return Absence{Nothing::kNone, "no instruction holds a wave", ""};
  Finding finding;
  finding.title =
      fmt::format("waves stall at one instruction of {}: {}", shown_name(held.kernel), shown_name(held.first->text));
  finding.detail = fmt::format(
      "{} of {} cycles of the traced waves, at 0x{:x}, in {}: {} for memory{}, {} at the barrier, {} until the next "
      "instruction is issued",
      held.held_cycles(), all_cycles, held.first->address,
      count_text(static_cast<std::int64_t>(held.hits), "execution"), held.wait_cycles,
      held.first->waits_for.empty() ? "" : ", most of them for " + shown_name(held.first->waits_for),
      held.barrier_cycles, held.issue_cycles);
  finding.share = share_of(held.held_cycles(), all_cycles);
  finding.of = "the cycles of the traced waves";
  finding.next = held.waits()           ? "load earlier, so that other instructions run meanwhile, load less or from "
                                          "local memory, or run more waves at once; vizd instructions lists the others"
                 : held.is_at_barrier() ? "give the waves of a group equal work, or use fewer barriers; vizd "
                                          "instructions lists the others"
                                        : "put independent instructions between it and what needs its result, or run "
                                          "more waves at once; vizd instructions lists the others";
  finding.evidence = {{kernel_id(shown_name(held.kernel)), "the kernel"}, {"view:program", "its instructions"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kWorkRules{
    DiagnosisRule{"dominating-work", "the kernel and the kind of kernels that most of a busy device's time goes to",
                  0.3, dominating_work},
    DiagnosisRule{"slowest-operator", "the operator of an ExecuTorch program that takes the most time", 0.1,
                  slowest_operator},
    DiagnosisRule{"bounding-engine", "the engine that a device waits for", 0.3, bounding_engine},
    DiagnosisRule{"waiting-instruction", "the instruction at which the waves of a thread trace stall", 0.2,
                  waiting_instruction},
};

}  // namespace

std::span<const DiagnosisRule> work_rules() { return kWorkRules; }

}  // namespace vizd
