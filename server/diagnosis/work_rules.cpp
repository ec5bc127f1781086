// Rules about the devices' work as a whole: what most of it is, the engine that bounds it, and launches whose kernels
// were lost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "analysis/devices/kernel_names.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"
#include "model/launch_calls.h"

namespace vizd {
namespace {

constexpr double kBusyDevice = 0.7;     // else what it waits for is told first
constexpr double kLargeCategory = 0.6;  // of what devices are busy with
constexpr double kLargeKernel = 0.4;
constexpr double kBusyEngine = 0.5;  // of its device's time
constexpr std::int64_t kFewestLost = 2;

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
  if (is_of_executorch(examined)) return Absence{Nothing::kNone, "told as slowest-operator", ""};
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
      fmt::format("one kernel, {}, is {} of what they are busy with, in {}; they are busy {} of the time", name,
                  share_text(of_kernel), count_text(kernel->durations.launches, "launch"), share_text(busy)),
      is_category ? category.total_ns : kernel->durations.total_ns, Sureness::kMeasured);
  finding.is_no_loss = true;
  finding.next =
      "nothing else can win as much: look whether it is near its limit (vizd kernels), whether so much of it is "
      "needed, and whether a lower precision or another algorithm will do";
  finding.evidence = {{kernel_id(name), "all its launches"},
                      {examined.id_of(examined.work_in_scope().items[kernel->worst]), "the longest"}};
  return std::vector{std::move(finding)};
}

// Each operator of an ExecuTorch program is a kernel, and they run one after another.
RuleAnswer slowest_operator(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (!is_of_executorch(examined)) return Absence{Nothing::kNone, "it is told of programs of ExecuTorch", ""};
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
  if (examined.profile().is_trace) return Absence{Nothing::kNone, "its devices have streams, and no engines", ""};
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
    return Absence{Nothing::kNone, fmt::format("the busiest, {}, is so {} of the time", name, share_text(busy)), ""};
  Finding finding =
      examined.of_devices(fmt::format("one engine bounds the device: {}", name),
                          fmt::format("it is busy {} of its device's time, longer than any other of {}",
                                      share_text(busy), count_text(static_cast<std::int64_t>(engines), "engine")),
                          most->busy_ns, Sureness::kMeasured);
  finding.is_no_loss = true;
  finding.next = "what the other engines do hides behind it: give it less to do, or larger pieces at once";
  finding.evidence = {{fmt::format("track:{}", track_of[*most->stream]), "what it did"}};
  return std::vector{std::move(finding)};
}

bool is_kernel_launch(std::string_view call) {
  constexpr std::string_view kWords[] = {"LaunchKernel", "LaunchCooperativeKernel"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return call.find(word) != call.npos; });
}

// When threads capture a stream: what is launched then does not run.
std::vector<TimeSpan> stream_captures(const Examined& examined) {
  std::vector<std::pair<std::int64_t, bool>> edges;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    const std::string_view name = examined.capture().strings.get(events.name(event));
    if (name.find("StreamBeginCapture") != name.npos) edges.emplace_back(events.start_ns(event), true);
    if (name.find("StreamEndCapture") != name.npos) edges.emplace_back(events.end_ns(event), false);
  });
  std::ranges::sort(edges);
  std::vector<TimeSpan> captures;
  for (const auto& [at_ns, begins] : edges) {
    if (begins && (captures.empty() || captures.back().to_ns != INT64_MAX)) captures.push_back({at_ns, INT64_MAX});
    if (!begins && !captures.empty()) captures.back().to_ns = at_ns;
  }
  return captures;
}

RuleAnswer lost_kernels(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  if (!examined.profile().is_trace) return Absence{Nothing::kNone, "it is told of traces", ""};
  const DeviceWork& work = examined.work();
  if (work.calls.empty()) return not_recorded(examined, Recordable::kLaunches);
  if (!examined.of().scope.is_all())
    return Absence{Nothing::kNotAsked, "it is of whole captures", "leave the scope out"};
  std::vector<bool> has_work(work.calls.size());
  for (const WorkItem& item : work.items) {
    if (item.call != kNoId) has_work[item.call] = true;
  }
  const std::vector<TimeSpan> captures = stream_captures(examined);
  std::vector<LaunchCall> launches;
  for (std::size_t c = 0; c < work.calls.size(); ++c) {
    const ProfileEvent& call = work.calls[c];
    const EventColumns& events = examined.profile().tracks[call.track].events;
    if (!is_kernel_launch(examined.capture().strings.get(events.name(call.event)))) continue;
    const bool is_captured = std::ranges::any_of(
        captures, [&](const TimeSpan& span) { return call.start_ns >= span.from_ns && call.start_ns < span.to_ns; });
    if (!is_captured) launches.push_back({call.track, call.start_ns, call.end_ns, c, has_work[c]});
  }
  merge_nested(launches);
  const auto count = static_cast<std::int64_t>(launches.size());
  std::erase_if(launches, &LaunchCall::has_work);
  const auto lost = static_cast<std::int64_t>(launches.size());
  if (lost < kFewestLost)
    return Absence{Nothing::kNone, fmt::format("of {} {} without a kernel", count_text(count, "launch"), lost), ""};
  Finding finding;
  finding.title = fmt::format("{} launches have no kernel in the capture: the profiler lost them", lost);
  finding.detail = fmt::format("{} of {} launches; all figures of the devices lack these kernels", lost, count);
  finding.is_of_capture = true;
  finding.share = share_of(lost, count);
  finding.of = "the launches";
  finding.sure = Sureness::kLikely;
  finding.next =
      "record fewer steps at once, or a larger buffer of the profiler; end the recording after a "
      "torch.cuda.synchronize(), so that the last kernels have run";
  const auto first = std::ranges::min_element(launches, {}, &LaunchCall::start_ns);
  finding.evidence = {{examined.id_of(work.calls[first->call]), "the first of them"}};
  return std::vector{std::move(finding)};
}

constexpr std::array kWorkRules{
    DiagnosisRule{"dominating-work", "the kernel and the kind of kernels that most of a busy device's time goes to",
                  0.3, dominating_work},
    DiagnosisRule{"slowest-operator", "the operator of an ExecuTorch program that takes the most time", 0.1,
                  slowest_operator},
    DiagnosisRule{"bounding-engine", "the engine that a device waits for", 0.3, bounding_engine},
    DiagnosisRule{"lost-kernels", "launches whose kernels are not in the capture", 0.01, lost_kernels},
};

}  // namespace

std::span<const DiagnosisRule> work_rules() { return kWorkRules; }

}  // namespace vizd
