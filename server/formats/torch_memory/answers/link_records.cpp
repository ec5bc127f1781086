// Allocations of a snapshot with the operators of a trace of the same run: through the profiler's own reports of
// memory, which have the address, the thread and the same clock.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "formats/torch_memory/answers/records.h"
#include "formats/trace_words.h"
#include "model/track_numbers.h"

namespace vizd::torch_memory {
namespace {

constexpr std::int64_t kFarthest_ns = 1'000'000;  // a report further away is of another allocation
constexpr std::int64_t kCudaDevices = 1;          // "Device Type" of a report

struct Report {
  std::int64_t at_ns = 0;
  std::uint32_t track = 0;
};

struct Operator {
  std::int64_t start_ns = 0, end_ns = 0;
  std::string_view name;
  auto operator<=>(const Operator&) const = default;
};

// The operators of a thread, which hold one another.
class ThreadOperators {
 public:
  ThreadOperators(const Capture& capture, const Track& track, std::int64_t offset_ns) {
    const StringId category = capture.strings.find("cpu_op");
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      if (track.events.category(i) != category || track.events.kind(i) != EventKind::kSpan) continue;
      all_.push_back({track.events.start_ns(i) + offset_ns, track.events.end_ns(i) + offset_ns,
                      capture.strings.get(track.events.name(i))});
    }
    std::ranges::sort(all_);
    std::int64_t latest_ns = INT64_MIN;
    for (const Operator& one : all_) latest_end_ns_.push_back(latest_ns = std::max(latest_ns, one.end_ns));
  }

  // The one that began last of those around the time; null where there is none.
  const Operator* around(std::int64_t at_ns) const {
    const auto after = std::ranges::upper_bound(all_, at_ns, {}, &Operator::start_ns);
    for (auto i = static_cast<std::size_t>(after - all_.begin()); i-- > 0 && latest_end_ns_[i] >= at_ns;) {
      if (all_[i].end_ns >= at_ns) return &all_[i];
    }
    return nullptr;
  }

 private:
  std::vector<Operator> all_;
  std::vector<std::int64_t> latest_end_ns_;  // of all up to each
};

std::optional<std::int64_t> integer_of(const Track& track, StringId name, std::uint32_t event) {
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != name || column.type != ArgumentType::kInteger) continue;
    if (const auto value = column.of(event)) return std::get<std::int64_t>(*value);
  }
  return std::nullopt;
}

using Reports = std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<Report>>;  // by device and address

Reports find_reports(const Capture& trace, std::int64_t offset_ns) {
  Reports reports;
  const StringTable& strings = trace.strings;
  const StringId name = strings.find(trace::kMemoryEvent);
  if (name == StringId{kNoId}) return reports;
  for (std::uint32_t t = 0; t < trace.profile.tracks.size(); ++t) {
    const Track& track = trace.profile.tracks[t];
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (track.events.name(i) != name) continue;
      const auto number = [&](const char* key) { return integer_of(track, strings.find(key), i); };
      const auto device = number("Device Id"), address = number("Addr");
      if (number("Device Type") != kCudaDevices || number("Bytes").value_or(0) <= 0 || !device || !address) continue;
      reports[{*device, static_cast<std::uint64_t>(*address)}].push_back({track.events.start_ns(i) + offset_ns, t});
    }
  }
  for (auto& [place, found] : reports) std::ranges::stable_sort(found, {}, &Report::at_ns);
  return reports;
}

const Report* nearest(const std::vector<Report>& reports, std::int64_t at_ns) {
  const auto after = std::ranges::lower_bound(reports, at_ns, {}, &Report::at_ns);
  const Report* found = nullptr;
  std::int64_t distance_ns = kFarthest_ns;
  if (after != reports.begin() && at_ns - std::prev(after)->at_ns <= distance_ns) {
    // The first of those at that time.
    found = &*std::ranges::lower_bound(reports, std::prev(after)->at_ns, {}, &Report::at_ns);
    distance_ns = at_ns - found->at_ns - 1;
  }
  if (after != reports.end() && after->at_ns - at_ns <= distance_ns) found = &*after;
  return found;
}

Value number_value(const Capture& trace, std::uint32_t track) {
  const auto number = thread_number(trace.profile.tracks, track);
  if (!number) return {};
  if (const auto* const text = std::get_if<StringId>(&*number)) return std::string(trace.strings.get(*text));
  const auto* const integer = std::get_if<std::int64_t>(&*number);
  return integer == nullptr ? Value() : Value(*integer);
}

}  // namespace

void tell_links(const MemoryFile& file, const Capture& trace, const TakeRecord& take) {
  const std::int64_t offset_ns = trace.profile.clock.unix_offset_ns.value_or(0);
  const Reports reports = find_reports(trace, offset_ns);
  std::unordered_map<std::uint32_t, ThreadOperators> operators;
  for (const auto& replay : file.replays()) {
    for (const Life& life : replay->lives().subspan(replay->lives_before())) {
      const auto of = reports.find({replay->device(), life.address});
      const std::int64_t born_ns = replay->time_ns(life.born);
      const Report* const report = of == reports.end() || born_ns == kNoTime ? nullptr : nearest(of->second, born_ns);
      const Operator* found = nullptr;
      if (report != nullptr) {
        const auto thread = operators.try_emplace(report->track, trace, trace.profile.tracks[report->track], offset_ns);
        found = thread.first->second.around(report->at_ns);
      }
      take({{"device", replay->device()},
            {"born_event", life.born},
            {"operator", found == nullptr ? Value() : Value(std::string(found->name))},
            {"operator_start_ns", found == nullptr ? Value() : Value(found->start_ns)},
            {"thread", report == nullptr ? Value() : number_value(trace, report->track)}});
    }
  }
}

}  // namespace vizd::torch_memory
