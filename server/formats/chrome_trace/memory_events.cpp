// What a trace's events tell of memory.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

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
  std::optional<std::int64_t> address;
  std::uint32_t thread;  // the track that it was recorded on
  std::optional<std::int64_t> allocated_bytes, reserved_bytes;

  std::uint64_t size_bytes() const { return static_cast<std::uint64_t>(bytes > 0 ? bytes : -bytes); }
};
using DeviceKey = std::pair<std::int64_t, std::int64_t>;  // its type, and its number among those

std::optional<std::int64_t> integer_argument(const Track& track, StringId name, std::uint32_t event) {
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != name || column.type != ArgumentType::kInteger) continue;
    if (const auto value = column.of(event)) return std::get<std::int64_t>(*value);
  }
  return std::nullopt;
}

std::string number_text(const Track& track, const StringTable& strings) {
  if (!track.number) return {};
  if (const auto* const text = std::get_if<StringId>(&*track.number)) return std::string(strings.get(*text));
  const auto* const integer = std::get_if<std::int64_t>(&*track.number);
  return integer == nullptr ? std::string() : fmt::format("{}", *integer);
}

bool has_operators(const EventColumns& events) {
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.role(i) == EventRole::kOperator) return true;
  }
  return false;
}

// The track on which the thread of another one has its operators: traces of 2021 call a thread by a number in records
// of memory, and by a text of the same digits in those of operators.
class OperatorThreads {
 public:
  std::uint32_t of(const Capture& capture, std::uint32_t track) {
    const std::vector<Track>& tracks = capture.profile.tracks;
    if (number_text(tracks[track], capture.strings).empty() || has_operators(tracks[track].events)) return track;
    if (!is_filled_) fill(capture);
    const auto found = places_.find(key_of(capture, track));
    return found == places_.end() ? track : found->second;
  }

 private:
  using Key = std::tuple<TrackKind, std::uint32_t, std::string>;  // kind, parent and number

  static Key key_of(const Capture& capture, std::uint32_t track) {
    const Track& of = capture.profile.tracks[track];
    return {of.kind, of.parent, number_text(of, capture.strings)};
  }
  void fill(const Capture& capture) {
    for (std::uint32_t track = 0; track < capture.profile.tracks.size(); ++track) {
      if (has_operators(capture.profile.tracks[track].events)) places_.try_emplace(key_of(capture, track), track);
    }
    is_filled_ = true;
  }

  std::map<Key, std::uint32_t> places_;
  bool is_filled_ = false;
};

std::map<DeviceKey, std::vector<MemoryReport>> find_reports(const Capture& capture, std::uint32_t first_track,
                                                            std::uint32_t root_track) {
  std::map<DeviceKey, std::vector<MemoryReport>> reports;
  const StringTable& strings = capture.strings;
  const StringId memory = strings.find(trace::kMemoryEvent);
  if (memory == StringId{kNoId}) return reports;
  OperatorThreads threads;
  for (std::uint32_t t = first_track; t < capture.profile.tracks.size(); ++t) {
    if (!is_below(capture.profile.tracks, t, root_track)) continue;
    const Track& track = capture.profile.tracks[t];
    std::optional<std::uint32_t> thread;  // once it has such a record
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != memory || track.events.kind(i) != EventKind::kInstant) continue;
      const auto argument = [&](std::string_view name) { return integer_argument(track, strings.find(name), i); };
      const auto bytes = argument("Bytes");
      if (!bytes || *bytes == 0) continue;
      if (!thread) thread = threads.of(capture, t);
      reports[{argument("Device Type").value_or(-1), argument("Device Id").value_or(-1)}].push_back(
          {track.events.start_ns(i), track.events[i].order, *bytes, argument("Addr"), *thread,
           argument("Total Allocated"), argument("Total Reserved")});
    }
  }
  return reports;
}

// As PyTorch calls it: its types of devices by number (c10/core/DeviceType.h).
std::string memory_name(const DeviceKey& device) {
  constexpr std::string_view kTypes[] = {"CPU",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
                                         "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
                                         "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia"};
  const auto& [type, number] = device;
  const bool is_known = type >= 0 && static_cast<std::size_t>(type) < std::size(kTypes);
  if (!is_known) return fmt::format("memory of device {} of type {}", number, type);
  const std::string_view name = kTypes[static_cast<std::size_t>(type)];
  return number < 0 || type == 0 ? fmt::format("{} memory", name) : fmt::format("{}:{} memory", name, number);
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

// Which allocation each report is of. A free is of what lies at its address; where the trace has no addresses, of the
// last allocation of its size.
class LiveAllocations {
 public:
  void add(const MemoryReport& report, std::size_t place) {
    std::vector<std::size_t>& places = live_[key_of(report)];
    if (report.address) places.clear();  // its free was not recorded
    places.push_back(place);
  }
  std::optional<std::size_t> take(const MemoryReport& report) {
    const auto found = live_.find(key_of(report));
    if (found == live_.end() || found->second.empty()) return std::nullopt;
    const std::size_t place = found->second.back();
    found->second.pop_back();
    return place;
  }

 private:
  static std::int64_t key_of(const MemoryReport& report) {
    return report.address.value_or(static_cast<std::int64_t>(report.size_bytes()));
  }

  std::unordered_map<std::int64_t, std::vector<std::size_t>> live_;
};

Allocation allocation_of(const MemoryReport& report) {
  return {.key = static_cast<std::uint64_t>(report.address.value_or(0)),
          .count = report.size_bytes(),
          .item_size_bytes = 1,
          .address = report.address ? static_cast<std::uint64_t>(*report.address) : Allocation::kNoAddress};
}

// An allocation that is freed, and was never made, was there from the beginning.
void add_earlier(Track& track, std::span<const MemoryReport> reports, std::int64_t start_ns, LiveAllocations& live) {
  LiveAllocations known;
  for (const MemoryReport& report : reports) {
    if (report.bytes > 0) {
      known.add(report, 0);
    } else if (!known.take(report)) {
      Allocation earlier = allocation_of(report);
      earlier.birth_ns = start_ns;
      earlier.birth_order = static_cast<std::uint32_t>(track.allocations.size());
      earlier.is_earlier = true;
      live.add(report, track.allocations.size());
      track.allocations.push_back(earlier);
    }
  }
}

void add_allocations(Track& track, std::span<const MemoryReport> reports, std::int64_t start_ns) {
  LiveAllocations live;
  add_earlier(track, reports, start_ns, live);
  auto order = static_cast<std::uint32_t>(track.allocations.size());
  for (const MemoryReport& report : reports) {
    if (report.bytes > 0) {
      live.add(report, track.allocations.size());
      Allocation& made = track.allocations.emplace_back(allocation_of(report));
      made.birth_ns = report.at_ns;
      made.birth_order = order++;
      made.asked_by = report.thread;
    } else if (const auto place = live.take(report)) {
      Allocation& allocation = track.allocations[*place];
      allocation.freed = true;
      allocation.death_ns = report.at_ns;
      allocation.death_order = order++;
    }
  }
}

}  // namespace

void add_memory(Capture& capture, std::uint32_t first_track, std::uint32_t root_track) {
  for (auto& [device, reports] : find_reports(capture, first_track, root_track)) {
    std::ranges::sort(reports, {}, [](const MemoryReport& report) { return std::pair(report.at_ns, report.order); });
    Track& track = capture.profile.tracks.emplace_back();
    track.name = capture.strings.add(memory_name(device));
    track.kind = TrackKind::kMemory;
    track.parent = root_track;
    track.sort = std::numeric_limits<std::int32_t>::max();
    add_allocations(track, reports, capture.profile.start_ns);
    if (!std::ranges::all_of(reports, [](const MemoryReport& report) { return report.address.has_value(); })) {
      capture.notes.push_back(
          fmt::format("{}: allocations were recorded without addresses, so each free is matched with the last "
                      "allocation of the same size",
                      capture.strings.get(track.name)));
    }
    add_counter(track, capture.strings, kAllocatedCounter, reports, &MemoryReport::allocated_bytes);
    add_counter(track, capture.strings, "reserved", reports, &MemoryReport::reserved_bytes);
  }
}

}  // namespace vizd::chrome_trace
