#include "analysis/allocator/trace_links.h"

#include <algorithm>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/devices/memory_report.h"

namespace vizd {
namespace {

constexpr std::int64_t kFarthest_ns = 1'000'000;  // a report further away is of another allocation
constexpr std::int64_t kCudaDevices = 1;          // "Device Type" of a report

std::optional<std::int64_t> whole_argument(const Track& track, StringId name, std::uint32_t event) {
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != name || column.type != ArgumentType::kInteger) continue;
    if (const auto value = column.of(event)) return std::get<std::int64_t>(*value);
  }
  return std::nullopt;
}

// Whether the trace's name is that of the operator on a stack, which may have its overload: "aten::mul" of
// "mul_Tensor".
bool is_operator(std::string_view name, std::string_view operation) {
  constexpr std::string_view kNamespace = "aten::";
  if (operation.empty() || !name.starts_with(kNamespace)) return false;
  name.remove_prefix(kNamespace.size());
  return operation.starts_with(name) && (operation.size() == name.size() || operation[name.size()] == '_');
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
  if (has_reports()) return;
  for (std::uint32_t track = 0; track < trace.profile.tracks.size(); ++track) find_operators(track);
  std::erase_if(operators_, [](const auto& item) { return item.second.events.empty(); });
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

template <typename IsWanted>
std::uint32_t TraceLinks::Operators::around(const Track& track, std::int64_t at_ns, IsWanted&& is_wanted) const {
  const auto after =
      std::ranges::upper_bound(events, at_ns, {}, [&](std::uint32_t i) { return track.events.start_ns(i); });
  for (auto i = static_cast<std::size_t>(after - events.begin()); i-- > 0 && latest_end_ns[i] >= at_ns;) {
    if (track.events.end_ns(events[i]) >= at_ns && is_wanted(events[i])) return events[i];
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
  const std::int64_t at_ns = found->unix_ns - offset_ns_;
  const auto any = [](std::uint32_t) { return true; };
  return AllocationLink{found->track, operators_.at(found->track).around(track, at_ns, any), at_ns, true};
}

std::optional<AllocationLink> TraceLinks::guess(std::string_view operation, std::int64_t unix_ns) const {
  const std::int64_t at_ns = unix_ns - offset_ns_;
  std::optional<AllocationLink> named, innermost;
  std::size_t named_count = 0, count = 0;
  for (const auto& [place, operators] : operators_) {
    const Track& track = trace_.profile.tracks[place];
    const auto is_named = [&](std::uint32_t event) {
      return is_operator(trace_.strings.get(track.events.name(event)), operation);
    };
    const auto any = [](std::uint32_t) { return true; };
    if (const std::uint32_t event = operators.around(track, at_ns, any); event != kNoId)
      innermost = AllocationLink{place, event, at_ns, false}, ++count;
    if (const std::uint32_t event = operators.around(track, at_ns, is_named); event != kNoId)
      named = AllocationLink{place, event, at_ns, false}, ++named_count;
  }
  if (named_count == 1) return named;
  return count == 1 ? innermost : std::nullopt;
}

std::size_t TraceLinks::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [place, reports] : reports_) bytes += 64 + reports.capacity() * sizeof(Report);
  for (const auto& [track, of] : operators_) bytes += of.events.capacity() * 12;
  return bytes;
}

LinkedLives::LinkedLives(const Capture& snapshot, const Track& memory, const TraceLinks& links)
    : has_reports_(links.has_reports()) {
  const AllocatorLog& log = *memory.allocator;
  const std::int64_t offset_ns = snapshot.profile.clock.unix_offset_ns.value_or(0);
  links_.resize(log.lives.size());
  if (!log.has_times) return;
  for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
    if (log.lives.born[life] == 0) continue;
    const std::int64_t unix_ns = time_of(log, log.lives.born[life]) + offset_ns;
    const auto link = links.has_reports()
                          ? links.of(log.device, memory.allocations[life].address, unix_ns)
                          : links.guess(snapshot.strings.get(log.sites[log.lives.site[life]].operation), unix_ns);
    if (!link) continue;
    links_[life] = *link;
    by_time_.push_back(life);
  }
  std::ranges::stable_sort(by_time_, {},
                           [&](std::uint32_t life) { return std::pair(links_[life].track, links_[life].at_ns); });
}

std::span<const std::uint32_t> LinkedLives::asked_in(std::uint32_t track, std::int64_t from_ns,
                                                     std::int64_t to_ns) const {
  const auto place = [&](std::uint32_t life) { return std::pair(links_[life].track, links_[life].at_ns); };
  const auto first = std::ranges::lower_bound(by_time_, std::pair(track, from_ns), {}, place);
  const auto last = std::ranges::upper_bound(first, by_time_.end(), std::pair(track, to_ns), {}, place);
  return {first, last};
}

std::pair<AllocatorMoment, AllocatorMoment> moments_of_trace(const Capture& snapshot, const AllocatorLog& log,
                                                             const Capture& trace, std::int64_t from_ns,
                                                             std::int64_t to_ns) {
  const std::int64_t shift_ns =
      trace.profile.clock.unix_offset_ns.value_or(0) - snapshot.profile.clock.unix_offset_ns.value_or(0);
  return {moment_at(log, from_ns + shift_ns), moment_at(log, to_ns + shift_ns)};
}

bool may_use(const Capture& trace, std::uint32_t track, std::uint32_t event, const AllocatorLog& log) {
  const Track& of = trace.profile.tracks[track];
  const StringId name = trace.strings.find("device");
  if (!is_work(of.events.role(event)) || name == StringId{kNoId}) return true;
  return whole_argument(of, name, event).value_or(log.device) == log.device;
}

std::vector<std::uint32_t> lives_of_event(const Capture& snapshot, const Track& memory, const LinkedLives& links,
                                          const Capture& trace, std::uint32_t track, std::uint32_t event) {
  const AllocatorLog& log = *memory.allocator;
  const EventColumns& events = trace.profile.tracks[track].events;
  const std::int64_t from_ns = events.start_ns(event), to_ns = events.end_ns(event);
  std::vector<std::uint32_t> lives;
  if (!is_work(events.role(event))) {
    const auto asked = links.asked_in(track, from_ns, to_ns);
    lives.assign(asked.begin(), asked.end());
  } else if (log.has_times && may_use(trace, track, event, log)) {
    const auto [from, to] = moments_of_trace(snapshot, log, trace, from_ns, to_ns);
    for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
      if (log.lives.born[life] <= to && log.lives.done(life) > from) lives.push_back(life);
    }
  }
  return lives;
}

}  // namespace vizd
