// kernel: what ran on the devices, by name: launches and how their durations spread.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "analysis/devices/device_work.h"
#include "analysis/devices/launch_statistics.h"
#include "query/tables.h"

namespace vizd::sql {
namespace {

constexpr auto kCount = ColumnType::kInteger;

struct KernelSummary {
  std::string device;
  StringId name{}, category{};
  bool is_communication = false;
  LaunchStatistics durations;
  std::int64_t p99_ns = 0;
  std::uint32_t context = kNoId;
  ProfileEvent longest;
};

std::string device_name(const WorkDevice& device, const Capture& capture) {
  if (!device.number) return device.name;
  if (const auto* number = std::get_if<std::int64_t>(&*device.number)) return std::to_string(*number);
  if (const auto* text = std::get_if<StringId>(&*device.number)) return std::string(capture.strings.get(*text));
  return device.name;
}

// The launches of one name on one device.
KernelSummary summary_of(const Capture& capture, const Timeline& timeline, const DeviceWork& work,
                         std::span<const std::uint32_t> items) {
  const auto dur_ns = [&](std::uint32_t i) { return work.items[i].end_ns - work.items[i].start_ns; };
  const WorkItem& first = work.items[items.front()];
  const EventColumns& events = capture.profile.tracks[first.track].events;
  KernelSummary kernel;
  kernel.device = device_name(work.device_of(first), capture);
  kernel.name = events.name(first.event);
  kernel.category = events.category(first.event);
  kernel.is_communication = first.is_communication;
  kernel.context = timeline.lanes[first.track].link_context[first.event];
  kernel.longest = work.items[*std::ranges::max_element(items, {}, dur_ns)];
  std::vector<std::int64_t> durations_ns;
  for (const std::uint32_t i : items) durations_ns.push_back(dur_ns(i));
  kernel.durations = launch_statistics(durations_ns);
  // As the 90th percentile: the one at ceil(0.99 n).
  const std::size_t p99 = (99 * durations_ns.size() + 99) / 100 - 1;
  std::ranges::nth_element(durations_ns, durations_ns.begin() + static_cast<std::ptrdiff_t>(p99));
  kernel.p99_ns = durations_ns[p99];
  return kernel;
}

// Of each device, those that took most time first.
std::vector<KernelSummary> summaries_of(const Capture& capture, const Timeline& timeline) {
  std::vector<KernelSummary> kernels;
  if (!capture.has_profile) return kernels;
  const DeviceWork work = find_work_of_ranks(capture);
  std::vector<std::uint32_t> order(work.items.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    const WorkItem& item = work.items[i];
    return std::pair(work.streams[item.stream].device, capture.profile.tracks[item.track].events.name(item.event));
  };
  std::ranges::stable_sort(order, {}, key);
  std::vector<std::uint32_t> device_of;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && key(order[end]) == key(order[begin])) ++end;
    kernels.push_back(summary_of(capture, timeline, work, std::span(order).subspan(begin, end - begin)));
    device_of.push_back(key(order[begin]).first);
    begin = end;
  }
  std::vector<std::uint32_t> by_time(kernels.size());
  std::iota(by_time.begin(), by_time.end(), 0u);
  std::ranges::stable_sort(by_time, {},
                           [&](std::uint32_t i) { return std::pair(device_of[i], -kernels[i].durations.total_ns); });
  std::vector<KernelSummary> sorted;
  for (const std::uint32_t i : by_time) sorted.push_back(std::move(kernels[i]));
  return sorted;
}

// By capture; each made when the table is first walked.
struct Kernels {
  std::vector<std::vector<KernelSummary>> of_source;
};

}  // namespace

void add_kernel_table(TableList& tables, Catalog& catalog) {
  const auto kernels = std::make_shared<Kernels>();
  kernels->of_source.resize(catalog.sources().size());
  const auto count = [kernels, &catalog](std::size_t s) -> Result<std::uint64_t> {
    kernels->of_source[s] = summaries_of(catalog.capture(s), catalog.timeline(s));
    return std::uint64_t{kernels->of_source[s].size()};
  };
  const auto kernel = [kernels](const Place& p) -> const KernelSummary& { return kernels->of_source[p.source][p.at]; };
  const auto string = [&catalog](const Place& p, StringId id) { return catalog.capture(p.source).strings.get(id); };
  const auto number = [kernel](std::string_view name, std::string_view about, auto value) {
    return RowColumn{{name, kCount, about}, [=](const Place& p, Cell& cell) { cell.integer(value(kernel(p))); }};
  };
  std::vector<RowColumn> columns;
  columns.push_back({{"name", ColumnType::kText, "What it is called"},
                     [=](const Place& p, Cell& cell) { cell.text(string(p, kernel(p).name)); }});
  columns.push_back({{"device", ColumnType::kText, "The device's index, or its name"},
                     [=](const Place& p, Cell& cell) { cell.text(kernel(p).device); }});
  columns.push_back({{"category", ColumnType::kText, "As the capture has it"},
                     [=](const Place& p, Cell& cell) { cell.text_or_null(string(p, kernel(p).category)); }});
  columns.push_back(number("is_communication", "1 where it moves data between ranks",
                           [](const KernelSummary& k) { return k.is_communication ? 1 : 0; }));
  columns.push_back(
      number("launches", "How often it ran", [](const KernelSummary& k) { return k.durations.launches; }));
  columns.push_back(
      number("total_ns", "Nanoseconds of all launches", [](const KernelSummary& k) { return k.durations.total_ns; }));
  columns.push_back({{"mean_ns", ColumnType::kReal, "Of a launch"},
                     [=](const Place& p, Cell& cell) { cell.real(kernel(p).durations.mean_ns); }});
  columns.push_back({{"median_ns", ColumnType::kReal, "Of the middle launch; the mean of the middle two"},
                     [=](const Place& p, Cell& cell) { cell.real(kernel(p).durations.median_ns); }});
  columns.push_back(number("p90_ns", "Nine of ten launches take no longer",
                           [](const KernelSummary& k) { return k.durations.p90_ns; }));
  columns.push_back(
      number("p99_ns", "99 of 100 launches take no longer", [](const KernelSummary& k) { return k.p99_ns; }));
  columns.push_back(
      number("min_ns", "Of the shortest launch", [](const KernelSummary& k) { return k.durations.min_ns; }));
  columns.push_back(number("max_ns", "Of the longest", [](const KernelSummary& k) { return k.durations.max_ns; }));
  columns.push_back(
      {{"longest_slice_id", kCount, "slice.id of the longest"}, [=, &catalog](const Place& p, Cell& cell) {
         const ProfileEvent& longest = kernel(p).longest;
         cell.integer(static_cast<std::int64_t>(catalog.slice_number(p.source, longest.track, longest.event)));
       }});
  columns.push_back(
      {{"context_id", kCount, "context.id of the rewrites that it leads to"},
       [=, &catalog](const Place& p, Cell& cell) { write_id(catalog.contexts(), p.source, kernel(p).context, cell); }});
  columns.push_back(capture_id_column());
  tables.push_back(std::make_unique<RowTable>(
      RowTable::Description{.name = "kernel",
                            .about = "What ran on the devices, by name, that with the most time first.",
                            .id_about = "The kernel's number",
                            .count = count,
                            .is_slow_to_count = true,
                            .columns = std::move(columns)},
      catalog.sources().size()));
}

}  // namespace vizd::sql
