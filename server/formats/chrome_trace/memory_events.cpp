// What a trace's events tell of memory, and of the steps of the workload.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "formats/chrome_trace/tracks.h"
#include "formats/trace_words.h"
#include "model/track_numbers.h"

namespace vizd::chrome_trace {
namespace {

// A report of the allocator's.
struct MemoryReport {
  std::int64_t at_ns;
  std::uint32_t order;
  std::int64_t bytes;  // allocated, or freed where negative
  std::int64_t address;
  std::optional<std::int64_t> allocated_bytes, reserved_bytes;
};
using DeviceKey = std::pair<std::int64_t, std::int64_t>;  // its type, and its number among those

std::optional<std::int64_t> integer_argument(const Track& track, StringId name, std::uint32_t event) {
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != name || column.type != ArgumentType::kInteger) continue;
    if (const auto value = column.of(event)) return std::get<std::int64_t>(*value);
  }
  return std::nullopt;
}

std::map<DeviceKey, std::vector<MemoryReport>> find_reports(const Capture& capture, std::uint32_t first_track,
                                                            std::uint32_t root_track) {
  std::map<DeviceKey, std::vector<MemoryReport>> reports;
  const StringTable& strings = capture.strings;
  const StringId memory = strings.find(trace::kMemoryEvent);
  if (memory == StringId{kNoId}) return reports;
  for (std::uint32_t t = first_track; t < capture.profile.tracks.size(); ++t) {
    if (!is_below(capture.profile.tracks, t, root_track)) continue;
    const Track& track = capture.profile.tracks[t];
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != memory || track.events.kind(i) != EventKind::kInstant) continue;
      const auto argument = [&](std::string_view name) { return integer_argument(track, strings.find(name), i); };
      const auto bytes = argument("Bytes");
      if (!bytes || *bytes == 0) continue;
      reports[{argument("Device Type").value_or(-1), argument("Device Id").value_or(-1)}].push_back(
          {track.events.start_ns(i), track.events[i].order, *bytes, argument("Addr").value_or(0),
           argument("Total Allocated"), argument("Total Reserved")});
    }
  }
  return reports;
}

std::string device_name(const DeviceKey& device) {
  constexpr std::int64_t kCpu = 0, kCuda = 1;
  if (device.first == kCpu) return "CPU memory";
  if (device.first == kCuda) return fmt::format("GPU {} memory", std::max<std::int64_t>(device.second, 0));
  return fmt::format("memory of device {} of type {}", device.second, device.first);
}

void add_counter(Track& track, StringTable& strings, std::string_view name, std::span<const MemoryReport> reports,
                 std::optional<std::int64_t> MemoryReport::*value) {
  Counter counter{.name = strings.add(name), .unit = strings.add("B"), .at_ns = {}, .value = {}};
  for (const MemoryReport& report : reports) {
    if (!(report.*value)) continue;
    counter.at_ns.push_back(report.at_ns);
    counter.value.push_back(static_cast<double>(*(report.*value)));
  }
  if (counter.at_ns.size() > 0) track.counters.push_back(std::move(counter));
}

// What is freed without having been allocated was there from the beginning.
void add_allocations(Track& track, std::span<const MemoryReport> reports, std::int64_t start_ns) {
  std::unordered_map<std::int64_t, std::size_t> live;  // by address
  std::vector<Allocation> earlier;
  std::vector<bool> is_birth;
  for (const MemoryReport& report : reports) {
    if (report.bytes > 0) {
      live[report.address] = 1;
    } else if (live.erase(report.address) == 0) {
      earlier.push_back({.key = static_cast<std::uint64_t>(report.address),
                         .count = static_cast<std::uint64_t>(-report.bytes),
                         .item_size_bytes = 1,
                         .address = static_cast<std::uint64_t>(report.address),
                         .birth_ns = start_ns});
    }
  }
  live.clear();
  std::uint32_t order = 0;
  for (Allocation& allocation : earlier) {
    allocation.birth_order = order++;
    live[static_cast<std::int64_t>(allocation.address)] = track.allocations.size();
    track.allocations.push_back(allocation);
  }
  for (const MemoryReport& report : reports) {
    if (report.bytes > 0) {
      live[report.address] = track.allocations.size();
      track.allocations.push_back({.key = static_cast<std::uint64_t>(report.address),
                                   .count = static_cast<std::uint64_t>(report.bytes),
                                   .item_size_bytes = 1,
                                   .address = static_cast<std::uint64_t>(report.address),
                                   .birth_ns = report.at_ns,
                                   .birth_order = order++});
      continue;
    }
    const auto freed = live.find(report.address);
    if (freed == live.end()) continue;
    Allocation& allocation = track.allocations[freed->second];
    allocation.freed = true;
    allocation.death_ns = report.at_ns;
    allocation.death_order = order++;
    live.erase(freed);
  }
}

}  // namespace

void add_memory(Capture& capture, std::uint32_t first_track, std::uint32_t root_track) {
  for (auto& [device, reports] : find_reports(capture, first_track, root_track)) {
    std::ranges::sort(reports, {}, [](const MemoryReport& report) { return std::pair(report.at_ns, report.order); });
    Track& track = capture.profile.tracks.emplace_back();
    track.name = capture.strings.add(device_name(device));
    track.kind = TrackKind::kMemory;
    track.parent = root_track;
    track.sort = std::numeric_limits<std::int32_t>::max();
    add_allocations(track, reports, capture.profile.start_ns);
    add_counter(track, capture.strings, "allocated", reports, &MemoryReport::allocated_bytes);
    add_counter(track, capture.strings, "reserved", reports, &MemoryReport::reserved_bytes);
  }
}

void add_steps(Capture& capture, std::uint32_t first_track, std::uint32_t root_track) {
  Profile& profile = capture.profile;
  std::set<StringId> known;
  for (std::uint32_t t = first_track; t < profile.tracks.size(); ++t) {
    if (!is_below(profile.tracks, t, root_track)) continue;
    const Track& track = profile.tracks[t];
    if (track.kind == TrackKind::kStream) continue;  // the same steps again, as far as devices worked on them
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      const StringId name = track.events.name(i);
      const std::string_view text = capture.strings.get(name);
      if (!text.starts_with(trace::kStepPrefix) || track.events.kind(i) != EventKind::kSpan) continue;
      if (!known.insert(name).second) continue;
      Run run{.track = root_track,
              .kind = capture.strings.add("step"),
              .name = name,
              .from_ns = track.events.start_ns(i),
              .to_ns = track.events.end_ns(i)};
      const std::string_view number = text.substr(std::min(text.find('#') + 1, text.size()));
      std::from_chars(number.data(), number.data() + number.size(), run.number);
      profile.runs.push_back(run);
    }
  }
}

}  // namespace vizd::chrome_trace
