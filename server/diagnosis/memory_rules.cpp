// Rules about memory: copies that nothing hides or that come from pageable memory, allocating all the time, and memory
// that is held and not used.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

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

// Kinds of copies and sets, by where they copy from and to, as their names tell.
enum class CopyKind : std::uint8_t { kToDevice, kFromDevice, kWithinDevice, kBetweenDevices, kSet, kOther };
constexpr std::string_view kCopyKinds[] = {"host to device",  "device to host", "device to device",
                                           "between devices", "sets",           "other copies"};

CopyKind copy_kind(EventRole work, std::string_view name) {
  constexpr std::pair<std::string_view, CopyKind> kWords[] = {
      {"HtoD", CopyKind::kToDevice},           {"HostToDevice", CopyKind::kToDevice},
      {"Host -> Device", CopyKind::kToDevice}, {"DtoH", CopyKind::kFromDevice},
      {"DeviceToHost", CopyKind::kFromDevice}, {"Device -> Host", CopyKind::kFromDevice},
      {"DtoD", CopyKind::kWithinDevice},       {"DeviceToDevice", CopyKind::kWithinDevice},
      {"PtoP", CopyKind::kBetweenDevices},     {"PeerToPeer", CopyKind::kBetweenDevices}};
  if (work == EventRole::kMemset) return CopyKind::kSet;
  const auto found = std::ranges::find_if(kWords, [&](const auto& word) { return name.find(word.first) != name.npos; });
  return found == std::end(kWords) ? CopyKind::kOther : found->second;
}

std::string_view way_to_hide(const Examined& examined, CopyKind kind) {
  if (!examined.profile().is_trace)
    return "start transfers earlier, into a second buffer, so that they overlap the computing";
  switch (kind) {
    case CopyKind::kToDevice:
      return "copy on a separate stream, ahead of time and from pinned memory, or keep the data on the device";
    case CopyKind::kFromDevice:
      return "copy results less often, on a separate stream and into pinned memory, or process them on the device";
    case CopyKind::kWithinDevice:
      return "avoid them: contiguous(), clone(), cat and padding copy within the device; write into views of one "
             "buffer, "
             "or let torch.compile fuse them";
    case CopyKind::kBetweenDevices:
      return "copy on a separate stream, overlapping the computing, or keep the needed data on each device";
    case CopyKind::kSet:
      return "avoid them: do not zero in each step (zero_grad(set_to_none=True); use empty instead of zeros where "
             "possible)";
    case CopyKind::kOther:
      break;
  }
  return "copy on a separate stream, ahead of time, so that it overlaps the computing";
}

// How long only copies and sets of each kind run; of two that run at once the one that began first counts.
struct ExposedCopies {
  std::array<std::int64_t, std::size(kCopyKinds)> exposed_ns = {};
  std::array<CopySum, std::size(kCopyKinds)> copies = {};
};

ExposedCopies find_exposed_copies(const Examined& examined) {
  ExposedCopies found;
  std::map<std::uint32_t, std::vector<const WorkItem*>> by_device;
  const DeviceWork& work = examined.work_in_scope();
  for (const WorkItem& item : work.items) by_device[work.streams[item.stream].device].push_back(&item);
  for (auto& [device, items] : by_device) {
    std::ranges::stable_sort(items, {}, &WorkItem::start_ns);
    std::vector<TimeSpan> kernels;  // apart from each other
    for (const WorkItem* const item : items) {
      if (item->work != EventRole::kKernel) continue;
      if (kernels.empty() || item->start_ns > kernels.back().to_ns)
        kernels.push_back({item->start_ns, item->end_ns});
      else
        kernels.back().to_ns = std::max(kernels.back().to_ns, item->end_ns);
    }
    std::int64_t copied_until_ns = INT64_MIN;
    for (const WorkItem* const item : items) {
      if (item->work != EventRole::kMemcpy && item->work != EventRole::kMemset) continue;
      const StringId name = examined.profile().tracks[item->track].events.name(item->event);
      const auto kind = static_cast<std::size_t>(copy_kind(item->work, examined.capture().strings.get(name)));
      found.copies[kind].add(*item);
      const std::int64_t from_ns = std::max(item->start_ns, copied_until_ns);
      copied_until_ns = std::max(copied_until_ns, item->end_ns);
      if (from_ns >= item->end_ns) continue;
      found.exposed_ns[kind] += item->end_ns - from_ns;
      auto kernel = std::ranges::lower_bound(kernels, from_ns, {}, &TimeSpan::to_ns);
      for (; kernel != kernels.end() && kernel->from_ns < item->end_ns; ++kernel)
        found.exposed_ns[kind] -= std::min(kernel->to_ns, item->end_ns) - std::max(kernel->from_ns, from_ns);
    }
  }
  return found;
}

RuleAnswer exposed_copies(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  const ExposedCopies found = find_exposed_copies(examined);
  std::string kinds;
  for (std::size_t kind = 0; kind < found.copies.size(); ++kind) {
    if (found.copies[kind].count == 0) continue;
    kinds += fmt::format("{}{} {} of {}", kinds.empty() ? "" : ", ", kCopyKinds[kind],
                         time_text(found.exposed_ns[kind]), time_text(found.copies[kind].total_ns));
  }
  if (kinds.empty()) return Absence{Nothing::kNone, "no copy ran", ""};
  // Only kinds that ran count: if none of them ran alone, a kind that never ran is no less exposed.
  std::size_t most = 0;
  for (std::size_t kind = 0; kind < found.copies.size(); ++kind) {
    if (found.copies[kind].count == 0) continue;
    if (found.copies[most].count == 0 || found.exposed_ns[kind] > found.exposed_ns[most]) most = kind;
  }
  const WorkItem& longest = *found.copies[most].longest;
  Finding finding =
      examined.of_devices(fmt::format("exposed copies: only copies and sets run, most of them {}", kCopyKinds[most]),
                          fmt::format("by kind, and how long they take in all: {}; the longest {}: {}", kinds,
                                      time_text(length_ns(longest)), examined.name_of(longest)),
                          examined.whole().exposed_memory_ns, Sureness::kMeasured);
  finding.next = way_to_hide(examined, static_cast<CopyKind>(most));
  finding.evidence = {{examined.id_of(longest), "the longest of that kind"}};
  return std::vector{std::move(finding)};
}

RuleAnswer unpinned_copies(const Examined& examined) {
  if (examined.whole().events == 0) return without_device_work(examined);
  CopySum pageable, told;
  bool has_copies = false;
  for (const WorkItem& item : examined.work_in_scope().items) {
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
    return Absence{Nothing::kNotRecorded, "no copy has the kind of memory that it reads",
                   "PyTorch's profiler records it for CUDA copies"};
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
  if (calls.empty()) return Absence{Nothing::kNone, "no call for system memory", ""};
  std::int64_t total_ns = 0;
  for (const ProfileEvent& call : calls) total_ns += length_ns(call);
  const ProfileEvent& longest = *std::ranges::max_element(calls, {}, length_ns);
  Finding finding;
  finding.title = "memory churn: system memory is allocated and freed during the run";
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

// What an allocator told over time of one memory.
struct MemoryCounters {
  const Counter* allocated = nullptr;
  const Counter* reserved = nullptr;
  std::uint32_t track = 0;
};

std::vector<MemoryCounters> memory_counters(const Examined& examined) {
  std::vector<MemoryCounters> all;
  const auto& tracks = examined.profile().tracks;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    const MemoryCounters of{counter_of(examined, tracks[t], kAllocatedCounter),
                            counter_of(examined, tracks[t], "reserved"), t};
    if (of.allocated != nullptr && of.reserved != nullptr) all.push_back(of);
  }
  return all;
}

double most_of(const Counter& counter) { return std::ranges::max(counter.value.span()); }

// What was reserved anew though all that was ever allocated until then, and until the next time, had room before.
double reserved_in_vain(const MemoryCounters& of) {
  double sum = 0, most_allocated = 0;
  std::size_t at = 0;
  const auto allocate_until = [&](std::int64_t until_ns) {
    for (; at < of.allocated->at_ns.size() && of.allocated->at_ns[at] < until_ns; ++at)
      most_allocated = std::max(most_allocated, of.allocated->value[at]);
  };
  for (std::size_t i = 1; i < of.reserved->value.size(); ++i) {
    const double before = of.reserved->value[i - 1], after = of.reserved->value[i];
    if (after <= before) continue;
    allocate_until(i + 1 < of.reserved->at_ns.size() ? of.reserved->at_ns[i + 1] : INT64_MAX);
    sum += std::clamp(after - std::max(before, most_allocated), 0.0, after - before);
  }
  return sum;
}

Finding of_memory(const Examined& examined, const MemoryCounters& of, double bytes, std::string title) {
  const double reserved = most_of(*of.reserved);
  const auto values = of.reserved->value.span();
  const std::int64_t at_ns =
      of.reserved->at_ns[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())];
  Finding finding;
  finding.title = std::move(title);
  finding.detail = fmt::format("{:.2f} GB of {:.2f} GB; at its peak it holds {:.2f} GB", bytes / 1e9, reserved / 1e9,
                               most_of(*of.allocated) / 1e9);
  finding.share = bytes / reserved;
  finding.of = "the reserved memory";
  finding.evidence = {{fmt::format("memory:{}", of.track), "who holds it"},
                      {time_id(examined.profile(), at_ns, at_ns), "when the most is reserved"}};
  return finding;
}

bool is_fragmented(const MemoryCounters& of) {
  const double bytes = reserved_in_vain(of);
  return bytes >= kLeastUnused_bytes && bytes >= kLeastUnused * most_of(*of.reserved);
}

RuleAnswer fragmentation(const Examined& examined) {
  const std::vector<MemoryCounters> memories = memory_counters(examined);
  if (memories.empty()) return not_recorded(examined, Recordable::kMemoryBytes);
  std::vector<Finding> findings;
  for (const MemoryCounters& of : memories) {
    if (!is_fragmented(of)) continue;
    findings.push_back(of_memory(examined, of, reserved_in_vain(of),
                                 "fragmentation: more memory is reserved although the allocated memory fit before"));
    findings.back().next =
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; keep sizes the same; vizd memory on a snapshot shows which "
        "blocks are between the free pieces";
  }
  if (findings.empty()) return Absence{Nothing::kNone, "no more was reserved than was needed for allocations", ""};
  return findings;
}

// The allocator's cache, where that is no fragmentation.
RuleAnswer reserved_not_used(const Examined& examined) {
  const std::vector<MemoryCounters> memories = memory_counters(examined);
  if (memories.empty()) return not_recorded(examined, Recordable::kMemoryBytes);
  std::vector<Finding> findings;
  for (const MemoryCounters& of : memories) {
    const double unused = most_of(*of.reserved) - most_of(*of.allocated);
    if (unused < kLeastUnused_bytes || is_fragmented(of)) continue;
    findings.push_back(of_memory(examined, of, unused, "memory is reserved but not used: the allocator keeps it"));
    findings.back().next =
        "there is room for larger batches; one torch.cuda.empty_cache() frees it for other processes; an earlier step "
        "that needed more may have reserved it: vizd memory shows who holds what";
  }
  return findings;
}

constexpr std::array kMemoryRules{
    DiagnosisRule{"exposed-copies", "copies and sets that run while nothing computes", 0.05, exposed_copies},
    DiagnosisRule{"unpinned-copies", "copies from or to pageable memory", 0.01, unpinned_copies},
    DiagnosisRule{"memory-churn", "calls that allocate system memory", 0.02, memory_churn},
    DiagnosisRule{"fragmentation", "memory that is newly reserved though there was room", kLeastUnused, fragmentation},
    DiagnosisRule{"reserved-not-used", "memory that is reserved and never used", kLeastUnused, reserved_not_used},
};

}  // namespace

std::span<const DiagnosisRule> memory_rules() { return kMemoryRules; }

}  // namespace vizd
