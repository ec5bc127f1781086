#include "analysis/allocator/trace_links.h"

#include <algorithm>

namespace vizd {
namespace {

constexpr std::string_view kMemoryReport = "[memory]";  // what a profiler calls its events about memory
constexpr std::int64_t kFarthest_ns = 1'000'000;        // a report further away is of another allocation
constexpr std::int64_t kCudaDevices = 1;                // "Device Type" of a report

std::optional<std::int64_t> whole_argument(const Track& track, StringId name, std::uint32_t event) {
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != name || column.type != ArgumentType::kInteger) continue;
    if (const auto value = column.of(event)) return std::get<std::int64_t>(*value);
  }
  return std::nullopt;
}

}  // namespace

TraceLinks::TraceLinks(const Capture& trace)
    : trace_(trace), offset_ns_(trace.profile.clock.unix_offset_ns.value_or(0)) {
  find_reports();
  for (auto& [place, found] : reports_) {
    std::ranges::stable_sort(found, {}, &Report::unix_ns);
    for (const Report& report : found) {
      if (!operators_.contains(report.track)) find_operators(report.track);
    }
  }
}

void TraceLinks::find_reports() {
  const StringTable& strings = trace_.strings;
  const StringId name = strings.find(kMemoryReport);
  if (name == StringId{kNoId}) return;
  for (std::uint32_t t = 0; t < trace_.profile.tracks.size(); ++t) {
    const Track& track = trace_.profile.tracks[t];
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != name) continue;
      const auto number = [&](const char* key) { return whole_argument(track, strings.find(key), i); };
      const auto device = number("Device Id"), address = number("Addr");
      if (number("Device Type") != kCudaDevices || number("Bytes").value_or(0) <= 0 || !device || !address) continue;
      reports_[{*device, static_cast<std::uint64_t>(*address)}].push_back({track.events.start_ns(i) + offset_ns_, t});
    }
  }
}

void TraceLinks::find_operators(std::uint32_t track) {
  const EventColumns& events = trace_.profile.tracks[track].events;
  const StringId category = trace_.strings.find("cpu_op");
  Operators& found = operators_[track];
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.category(i) == category && events.kind(i) == EventKind::kSpan) found.events.push_back(i);
  }
  std::ranges::sort(found.events, {}, [&](std::uint32_t i) { return std::pair(events.start_ns(i), events.end_ns(i)); });
  std::int64_t latest_ns = INT64_MIN;
  for (const std::uint32_t i : found.events)
    found.latest_end_ns.push_back(latest_ns = std::max(latest_ns, events.end_ns(i)));
}

// The one that began last of those around the time.
std::uint32_t TraceLinks::Operators::around(const Track& track, std::int64_t at_ns) const {
  const auto after =
      std::ranges::upper_bound(events, at_ns, {}, [&](std::uint32_t i) { return track.events.start_ns(i); });
  for (auto i = static_cast<std::size_t>(after - events.begin()); i-- > 0 && latest_end_ns[i] >= at_ns;) {
    if (track.events.end_ns(events[i]) >= at_ns) return events[i];
  }
  return kNoId;
}

std::optional<AllocationLink> TraceLinks::of(std::int64_t device, std::uint64_t address, std::int64_t unix_ns) const {
  const auto reports = reports_.find({device, address});
  if (reports == reports_.end()) return std::nullopt;
  const std::vector<Report>& all = reports->second;
  const auto after = std::ranges::lower_bound(all, unix_ns, {}, &Report::unix_ns);
  const Report* found = nullptr;
  std::int64_t distance_ns = kFarthest_ns;
  if (after != all.begin() && unix_ns - std::prev(after)->unix_ns <= distance_ns) {
    // The first of those at that time.
    found = &*std::ranges::lower_bound(all, std::prev(after)->unix_ns, {}, &Report::unix_ns);
    distance_ns = unix_ns - found->unix_ns - 1;
  }
  if (after != all.end() && after->unix_ns - unix_ns <= distance_ns) found = &*after;
  if (found == nullptr) return std::nullopt;
  const Track& track = trace_.profile.tracks[found->track];
  return AllocationLink{found->track, operators_.at(found->track).around(track, found->unix_ns - offset_ns_)};
}

std::size_t TraceLinks::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [place, reports] : reports_) bytes += 64 + reports.capacity() * sizeof(Report);
  for (const auto& [track, of] : operators_) bytes += of.events.capacity() * 12;
  return bytes;
}

}  // namespace vizd
