// Rules about kernels that do less than their device could: far from its peaks, or too small to fill it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/figures/argument_cursor.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::size_t kMostKernels = 3;

// The largest of them, which stand first.
std::vector<Finding> largest(std::vector<Finding> findings) {
  std::ranges::stable_sort(findings, std::greater(), [](const Finding& f) { return f.cost_ns.value_or(0); });
  if (findings.size() > kMostKernels) findings.resize(kMostKernels);
  return findings;
}

RuleAnswer far_from_roofline(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  std::vector<Finding> findings;
  bool is_known = false, has_work = false;
  std::string_view overcounted;
  for (const KernelRow& row : examined.kernels()) {
    has_work = has_work || row.flop.count > 0 || row.bytes.count > 0;
    if (!row.overcounted().empty()) overcounted = row.overcounted();
    if (!row.at_stake_ns) continue;
    is_known = true;
    const bool is_compute = row.bound() == "compute";
    const auto percent = is_compute ? row.flop_percent() : row.bytes_percent();
    if (*row.at_stake_ns <= 0 || !percent || row.work != EventRole::kKernel) continue;
    const std::string name = shown_name(row.key.value_or(""));
    Finding finding = examined.of_devices(
        fmt::format("far from the device's {}: {}", is_compute ? "arithmetic" : "memory bandwidth", name),
        fmt::format("reaches {:.{}f} % in {} launch{}; at {:.0f} % it would take {} less", *percent,
                    *percent < 1 ? 2 : 0, row.durations.launches, row.durations.launches == 1 ? "" : "es",
                    100 * kAttainable, time_text(*row.at_stake_ns)),
        *row.at_stake_ns, Sureness::kAtMost);
    finding.next = is_compute
                       ? "look at its shapes and precision: are sizes multiples of the units', is it bf16 or fp8?"
                       : "look for copies and casts around it, strided access, or use a fused kernel";
    finding.evidence = {{kernel_id(name), "all its launches"},
                        {examined.id_of(examined.work_in_scope().items[row.worst]), "the longest"}};
    findings.push_back(std::move(finding));
  }
  if (!is_known && !overcounted.empty())
    return Absence{Nothing::kNone, fmt::format("what is known is above the device's peak: {}", overcounted), ""};
  if (!is_known) {
    const std::string_view chrome = told_by_chrome_trace(examined.capture());
    return has_work
               ? Absence{Nothing::kNotRecorded, "the device's peaks are unknown",
                         fmt::format("give them: vizd kernels --peaks FILE{}{}",
                                     chrome.empty() ? "" : "; for the device's name: ", chrome)}
               : Absence{Nothing::kNotRecorded, "no kernel has known arithmetic or bytes",
                         examined.profile().is_trace ? "record shapes: record_shapes=True in PyTorch's profiler" : ""};
  }
  return largest(std::move(findings));
}

// By item, how long no other kernel ran on its device.
std::vector<std::int64_t> find_alone_ns(const DeviceWork& work) {
  struct Edge {
    std::int64_t at_ns = 0;
    bool begins = false;
    std::uint32_t item = 0;
  };
  std::vector<std::vector<Edge>> edges(work.devices.size());
  for (std::uint32_t i = 0; i < work.items.size(); ++i) {
    const WorkItem& item = work.items[i];
    if (item.work != EventRole::kKernel || item.end_ns <= item.start_ns) continue;
    auto& of_device = edges[work.streams[item.stream].device];
    of_device.push_back({item.start_ns, true, i});
    of_device.push_back({item.end_ns, false, i});
  }
  std::vector<std::int64_t> alone_ns(work.items.size(), 0);
  for (auto& of_device : edges) {
    std::ranges::sort(of_device, {}, [](const Edge& edge) { return std::pair(edge.at_ns, edge.begins); });
    std::size_t running = 0;
    std::uint32_t items_xor = 0;  // of those that run: the item, where it is one
    std::int64_t last_ns = 0;
    for (const Edge& edge : of_device) {
      if (running == 1) alone_ns[items_xor] += edge.at_ns - last_ns;
      edge.begins ? ++running : --running;
      items_xor ^= edge.item;
      last_ns = edge.at_ns;
    }
  }
  return alone_ns;
}

// How much of the device a launch leaves without any block of threads, while no other kernel runs beside it.
RuleAnswer low_occupancy(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  struct Sum {
    double empty_ns = 0, blocks = 0;
    std::int64_t launches = 0;
    const WorkItem* longest = nullptr;
  };
  std::map<StringId, Sum> by_name;
  const auto& tracks = examined.profile().tracks;
  const DeviceWork& work = examined.work_in_scope();
  const std::vector<std::int64_t> alone_ns = find_alone_ns(work);
  std::vector<std::vector<const WorkItem*>> items(tracks.size());
  for (const WorkItem& item : work.items) {
    if (item.is_compute()) items[item.track].push_back(&item);
  }
  bool is_told = false;
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    ArgumentCursor blocks(tracks[track], "blocks per SM", examined.capture().strings);
    if (blocks.empty()) continue;
    std::ranges::sort(items[track], {}, &WorkItem::event);
    for (const WorkItem* const item : items[track]) {
      const auto value = blocks.at(item->event);
      if (!value) continue;
      const auto* const real = std::get_if<double>(&*value);
      const auto* const whole = std::get_if<std::int64_t>(&*value);
      if (real == nullptr && whole == nullptr) continue;
      is_told = true;
      const double per_unit = real != nullptr ? *real : static_cast<double>(*whole);
      if (!(per_unit > 0 && per_unit < 1)) continue;
      Sum& sum = by_name[tracks[track].events.name(item->event)];
      sum.empty_ns +=
          (1 - per_unit) * static_cast<double>(alone_ns[static_cast<std::size_t>(item - work.items.data())]);
      sum.blocks += per_unit;
      ++sum.launches;
      const auto length = [](const WorkItem& of) { return of.end_ns - of.start_ns; };
      if (sum.longest == nullptr || length(*item) > length(*sum.longest)) sum.longest = item;
    }
  }
  if (!is_told) return not_recorded(examined, Recordable::kBlocks);
  std::vector<Finding> findings;
  for (const auto& [id, sum] : by_name) {
    const std::string name = shown_name(examined.capture().strings.get(id));
    Finding finding = examined.of_devices(
        "low occupancy: too few thread blocks to fill the device: " + name,
        fmt::format("{:.2f} blocks per multiprocessor on average over {} launches: the other multiprocessors have none",
                    sum.blocks / static_cast<double>(sum.launches), sum.launches),
        std::llround(sum.empty_ns), Sureness::kAtMost);
    finding.next = "larger batches, work split further (split-K), or other kernels beside it on another stream";
    finding.evidence = {{kernel_id(name), "all its launches"}, {examined.id_of(*sum.longest), "the longest"}};
    findings.push_back(std::move(finding));
  }
  if (findings.empty()) return Absence{Nothing::kNone, "each kernel has a block for every multiprocessor", ""};
  return largest(std::move(findings));
}

constexpr std::array kKernelRules{
    DiagnosisRule{"far-from-roofline", "kernels far below what their device can do", 0.03, far_from_roofline},
    DiagnosisRule{"low-occupancy", "kernels with fewer blocks than multiprocessors", 0.03, low_occupancy},
};

}  // namespace

std::span<const DiagnosisRule> kernel_rules() { return kKernelRules; }

}  // namespace vizd
