// Rules about memory: copies that nothing hides or that come from pageable memory, allocating all the time, and memory
// that is held and not used.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::string_view kAllocatingCalls[] = {
    "cudaMalloc",  "cudaFree",       "cudaMallocManaged", "cudaHostAlloc",  "cudaFreeHost", "cudaMallocHost",
    "cuMemCreate", "cuMemMap",       "cuMemUnmap",        "cuMemSetAccess", "cuMemRelease", "cuMemAddressReserve",
    "hipMalloc",   "hipFree",        "hipHostMalloc",     "hipHostFree",    "hipMemCreate", "hipMemMap",
    "hipMemUnmap", "hipMemSetAccess"};
constexpr double kLeastUnused = 0.2;
// Less is lost to no one: devices have tens of it.
constexpr double kLeastUnused_bytes = 1e9;

std::int64_t length_ns(const ProfileEvent& event) { return event.end_ns - event.start_ns; }

struct CopySum {
  std::int64_t total_ns = 0, count = 0;
  const WorkItem* longest = nullptr;

  void add(const WorkItem& item) {
    total_ns += length_ns(item);
    ++count;
    if (longest == nullptr || length_ns(item) > length_ns(*longest)) longest = &item;
  }
};

RuleAnswer exposed_copies(const Examined& examined) {
  const DeviceBreakdown& whole = examined.whole();
  if (whole.events == 0) return without_device_work(examined);
  CopySum copies;
  for (const WorkItem& item : examined.work().items) {
    if (item.work == EventRole::kMemcpy || item.work == EventRole::kMemset) copies.add(item);
  }
  if (copies.longest == nullptr) return Absence{Nothing::kNone, "no copy ran", ""};
  Finding finding = examined.of_devices(
      "exposed copies: only copies and sets run",
      fmt::format("{} copies and sets take {}, the longest {}: {}", copies.count, time_text(copies.total_ns),
                  time_text(length_ns(*copies.longest)), examined.name_of(*copies.longest)),
      whole.exposed_memory_ns, Sureness::kMeasured);
  finding.next =
      examined.profile().is_trace
          ? "copy on a stream of its own, ahead of time and from pinned memory, or keep the data on the device"
          : "begin transfers earlier, into a second buffer, so that they run beside the computing";
  finding.evidence = {{examined.id_of(*copies.longest), "the longest"}};
  return std::vector{std::move(finding)};
}

RuleAnswer unpinned_copies(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  CopySum pageable, told;
  bool has_copies = false;
  for (const WorkItem& item : examined.work().items) {
    if (item.work != EventRole::kMemcpy) continue;
    has_copies = true;
    const auto& events = examined.profile().tracks[item.track].events;
    const std::string_view name = examined.capture().strings.get(events.name(item.event));
    const bool is_pageable = name.find("Pageable") != std::string_view::npos;
    if (is_pageable) pageable.add(item);
    if (is_pageable || name.find("Pinned") != std::string_view::npos || name.find("DtoD") != std::string_view::npos)
      told.add(item);
  }
  if (!has_copies) return Absence{Nothing::kNone, "no copy ran", ""};
  if (told.count == 0)
    return Absence{Nothing::kNotRecorded, "no copy tells which kind of memory it is from",
                   "PyTorch's profiler tells it of CUDA's copies"};
  if (pageable.count == 0) return Absence{Nothing::kNone, fmt::format("none of {} copies", told.count), ""};
  Finding finding =
      examined.of_devices("copies from or to memory that is not pinned",
                          fmt::format("{} copies take {}, the longest {}", pageable.count, time_text(pageable.total_ns),
                                      time_text(length_ns(*pageable.longest))),
                          pageable.total_ns, Sureness::kAtMost);
  finding.next = "pin_memory=True in the DataLoader, tensor.pin_memory(), and non_blocking=True at the copy";
  finding.evidence = {{examined.id_of(*pageable.longest), "the longest: " + examined.name_of(*pageable.longest)}};
  return std::vector{std::move(finding)};
}

RuleAnswer memory_churn(const Examined& examined) {
  if (!examined.capture().has_profile) return without_device_work(examined);
  std::vector<StringId> names;
  for (const std::string_view name : kAllocatingCalls) {
    const StringId id = examined.capture().strings.find(name);
    if (id != StringId{kNoId}) names.push_back(id);
  }
  std::vector<ProfileEvent> calls;
  bool has_calls = !examined.work().calls.empty();
  if (!names.empty()) {
    examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
      const EventColumns& events = examined.profile().tracks[track].events;
      if (std::ranges::find(names, events.name(event)) == names.end()) return;
      has_calls = true;
      calls.push_back({events.start_ns(event), events.end_ns(event), track, event, 0});
    });
  }
  // A free before anything was allocated is how a device's context is made.
  const auto first = std::ranges::min_element(calls, {}, &ProfileEvent::start_ns);
  if (first != calls.end() && examined.name_of(*first).find("Free") != std::string::npos) calls.erase(first);
  if (!has_calls) return not_recorded(examined, Recordable::kLaunches);
  if (calls.empty()) return Absence{Nothing::kNone, "no call for memory of the system", ""};
  std::int64_t total_ns = 0;
  for (const ProfileEvent& call : calls) total_ns += length_ns(call);
  const ProfileEvent& longest = *std::ranges::max_element(calls, {}, length_ns);
  Finding finding;
  finding.title = "memory churn: memory is taken from the system and given back while it runs";
  finding.detail = fmt::format("{}, the longest {}: {}", count_text(std::ssize(calls), "call"),
                               time_text(length_ns(longest)), examined.name_of(longest));
  finding.cost_ns = total_ns;
  finding.share = share_of(total_ns, examined.extent_ns());
  finding.of = "the recording";
  finding.next =
      "record later than the first steps, in which this is usual; else keep shapes the same, do not empty the cache, "
      "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True";
  finding.evidence = {{examined.id_of(longest), "the longest"}};
  return std::vector{std::move(finding)};
}

const Counter* counter_of(const Examined& examined, const Track& track, std::string_view name) {
  const StringId id = examined.capture().strings.find(name);
  const auto found = std::ranges::find(track.counters, id, &Counter::name);
  return id == StringId{kNoId} || found == track.counters.end() || found->at_ns.empty() ? nullptr : &*found;
}

// At the moment at which the most is reserved, or later where more of it is unused.
RuleAnswer fragmentation(const Examined& examined) {
  const auto& tracks = examined.profile().tracks;
  std::vector<Finding> findings;
  bool is_told = false;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    const Counter* const allocated = counter_of(examined, tracks[t], kAllocatedCounter);
    const Counter* const reserved = counter_of(examined, tracks[t], "reserved");
    if (allocated == nullptr || reserved == nullptr) continue;
    is_told = true;
    const auto values = reserved->value.span();
    const auto most = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    const std::int64_t at_ns = reserved->at_ns[most];
    // The most that is in use while so much is held: at its first moment nothing of the new part may be.
    const std::int64_t until_ns =
        most + 1 < values.size() ? reserved->at_ns[most + 1] : allocated->at_ns[allocated->at_ns.size() - 1];
    double used = 0;
    for (std::size_t i = 0; i < allocated->at_ns.size() && allocated->at_ns[i] <= until_ns; ++i) {
      const bool holds_on = i + 1 < allocated->at_ns.size() && allocated->at_ns[i + 1] <= at_ns;
      if (!holds_on) used = std::max(used, allocated->value[i]);
    }
    const double unused = values[most] - used;
    if (values[most] <= 0 || unused < kLeastUnused_bytes) continue;
    Finding finding;
    finding.title = "memory is reserved and not used, when the most is reserved";
    finding.detail = fmt::format("{:.2f} GB of {:.2f} GB", unused / 1e9, values[most] / 1e9);
    finding.share = unused / values[most];
    finding.of = "the reserved memory";
    finding.next = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; vizd memory of a snapshot tells fragmentation";
    finding.evidence = {{fmt::format("memory:{}", t), "who holds it"},
                        {time_id(examined.profile(), at_ns, at_ns), "when"}};
    findings.push_back(std::move(finding));
  }
  if (!is_told) return not_recorded(examined, Recordable::kMemoryBytes);
  return findings;
}

constexpr std::array kMemoryRules{
    DiagnosisRule{"exposed-copies", "copies and sets that run while nothing computes", 0.05, exposed_copies},
    DiagnosisRule{"unpinned-copies", "copies from or to pageable memory", 0.01, unpinned_copies},
    DiagnosisRule{"memory-churn", "calls that take memory from the system", 0.02, memory_churn},
    DiagnosisRule{"fragmentation", "memory that is reserved and not used", kLeastUnused, fragmentation},
};

}  // namespace

std::span<const DiagnosisRule> memory_rules() { return kMemoryRules; }

}  // namespace vizd
