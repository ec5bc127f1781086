#include "timeline/allocation_origins.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "model/module_names.h"

namespace vizd {
namespace {

// What an event says of an allocation that is made in it.
enum class SpanKind : std::uint8_t { kNothing, kOther, kMaker, kOperator, kModule, kLine, kLibraryLine };
constexpr std::size_t kSpanKinds = 7;
constexpr std::uint32_t kMostInstants = 64;  // of one moment, that are passed over

constexpr std::string_view kMakers[] = {"aten::empty",      "aten::empty_strided",     "aten::empty_like",
                                        "aten::new_empty",  "aten::new_empty_strided", "aten::resize_",
                                        "aten::resize_as_", "aten::_resize_output_"};

class SpanKinds {
 public:
  explicit SpanKinds(const StringTable& strings) : strings_(strings) {}

  SpanKind of(const EventColumns& events, std::uint32_t event) {
    if (events.is_step(event)) return SpanKind::kNothing;
    const std::uint64_t key = std::uint64_t{index(events.category(event))} << 32 | index(events.name(event));
    const auto [known, is_new] = known_.try_emplace(key);
    if (is_new) {
      const bool is_operator = events.role(event) == EventRole::kOperator;
      known->second = kind_of(strings_.get(events.category(event)), strings_.get(events.name(event)), is_operator);
    }
    return known->second;
  }

 private:
  static SpanKind kind_of(std::string_view category, std::string_view name, bool is_operator) {
    if (std::ranges::find(kMakers, name) != std::end(kMakers)) return SpanKind::kMaker;
    if (is_operator) return SpanKind::kOperator;
    if (category != kPythonCategory) return SpanKind::kOther;
    if (is_module_name(name)) return SpanKind::kModule;
    const PythonLine line = python_line(name);
    return line == PythonLine::kNone      ? SpanKind::kNothing
           : line == PythonLine::kLibrary ? SpanKind::kLibraryLine
                                          : SpanKind::kLine;
  }

  const StringTable& strings_;
  std::unordered_map<std::uint64_t, SpanKind> known_;  // by category and name
};

// The innermost span of each kind around a moment: of those that began by then and have not ended before it, the one
// that began last, and of several such the one in the deepest row. Moments do not go back.
class InnermostSpans {
 public:
  InnermostSpans(const EventColumns& events, const LaneIndex& lane, SpanKinds& kinds) : events_(events), kinds_(kinds) {
    for (std::uint32_t row = 0; row < lane.row_count(); ++row) {
      const Row of = lane.row(row);
      if (of.size() > 0) rows_.push_back({.next = of.begin, .end = of.end});
    }
  }

  using Found = std::array<std::uint32_t, kSpanKinds>;  // by SpanKind; kNoId: none
  const Found& at(std::int64_t at_ns) {
    found_.fill(kNoId);
    for (RowPlace& row : rows_) {
      for (; row.next < row.end && events_.start_ns(row.next) <= at_ns; ++row.next) {
        if (events_.kind(row.next) != EventKind::kSpan) continue;  // an allocation's own record is one
        row.last = row.next;
        row.is_known = false;
      }
      if (row.last == kNoId || events_.end_ns(row.last) < at_ns) continue;
      if (!row.is_known) {
        row.kind = kinds_.of(events_, row.last);
        row.is_known = true;
      }
      std::uint32_t& best = found_[static_cast<std::size_t>(row.kind)];
      if (best == kNoId || events_.start_ns(row.last) >= events_.start_ns(best)) best = row.last;
    }
    return found_;
  }

 private:
  struct RowPlace {
    std::uint32_t next = 0, end = 0;     // the first event that has not begun
    std::uint32_t last = kNoId;          // the last span before it
    SpanKind kind = SpanKind::kNothing;  // of that
    bool is_known = false;
  };

  const EventColumns& events_;
  SpanKinds& kinds_;
  std::vector<RowPlace> rows_;
  Found found_{};
};

class OriginFinder {
 public:
  OriginFinder(const Capture& capture, const Timeline& timeline, std::uint32_t memory)
      : tracks_(capture.profile.tracks),
        timeline_(timeline),
        memory_(memory),
        lane_(tracks_[memory]),
        kinds_(capture.strings) {
    origins_.of.resize(lane_.allocations.size());
  }

  AllocationOrigins find() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_thread;  // places of allocations, in order of birth
    std::vector<std::uint32_t> unknown;
    const LaneMemory& memory = timeline_.lanes[memory_].memory;
    for (std::uint32_t i = 0; i < memory.by_birth.size(); ++i) {
      const std::uint32_t place = memory.place(i);
      const Allocation& allocation = lane_.allocations[place];
      if (allocation.is_earlier || take_first_use(place)) continue;
      (allocation.asked_by < tracks_.size() ? by_thread[allocation.asked_by] : unknown).push_back(place);
    }
    for (const auto& [track, places] : by_thread) find_on_thread(track, places);
    if (!unknown.empty()) find_by_time(unknown);
    return std::move(origins_);
  }

 private:
  using Found = InnermostSpans::Found;
  static std::uint32_t first_of(const Found& found, std::initializer_list<SpanKind> kinds) {
    for (const SpanKind kind : kinds) {
      if (const std::uint32_t event = found[static_cast<std::size_t>(kind)]; event != kNoId) return event;
    }
    return kNoId;
  }

  // Where the thread is not known.
  bool take_first_use(std::uint32_t place) {
    if (lane_.allocations[place].asked_by < tracks_.size()) return false;
    const auto uses = std::ranges::equal_range(lane_.uses.span(), place, {}, &Use::allocation);
    if (uses.empty()) return false;
    const Use first = *std::ranges::min_element(
        uses, {}, [&](const Use& use) { return tracks_[use.track].events.start_ns(use.event); });
    origins_.of[place] = {.track = first.track, .operation = first.event, .kind = OriginKind::kUse};
    return true;
  }

  void find_on_thread(std::uint32_t track, const std::vector<std::uint32_t>& places) {
    const EventColumns& events = tracks_[track].events;
    InnermostSpans spans(events, timeline_.lanes[track], kinds_);
    for (const std::uint32_t place : places) {
      const Found& found = spans.at(lane_.allocations[place].birth_ns);
      AllocationOrigin& origin = origins_.of[place];
      origin.track = track;
      origin.operation = first_of(found, {SpanKind::kOperator, SpanKind::kMaker, SpanKind::kOther});
      origin.module = first_of(found, {SpanKind::kModule});
      origin.python_line = first_of(found, {SpanKind::kLine, SpanKind::kLibraryLine});
      const bool is_known = origin.operation != kNoId || origin.module != kNoId || origin.python_line != kNoId;
      origin.kind = is_known ? OriginKind::kThread : OriginKind::kNone;
    }
  }

  // Takes the shortest of the lanes' innermost spans; one of the memory's own lane only if there is no other.
  void find_by_time(const std::vector<std::uint32_t>& places) {
    for (std::uint32_t track = 0; track < tracks_.size(); ++track) {
      const EventColumns& events = tracks_[track].events;
      if (events.empty()) continue;
      InnermostSpans spans(events, timeline_.lanes[track], kinds_);
      const auto rank = [&](std::uint32_t of, std::uint32_t event) {
        return std::pair(of == memory_, tracks_[of].events.length_ns(event));
      };
      for (const std::uint32_t place : places) {
        const std::uint32_t event = first_of(spans.at(lane_.allocations[place].birth_ns),
                                             {SpanKind::kOperator, SpanKind::kMaker, SpanKind::kOther});
        AllocationOrigin& origin = origins_.of[place];
        if (event == kNoId) continue;
        if (origin.operation != kNoId && rank(origin.track, origin.operation) <= rank(track, event)) continue;
        origin = {.track = track, .operation = event, .kind = OriginKind::kTime};
      }
    }
  }

  const std::vector<Track>& tracks_;
  const Timeline& timeline_;
  const std::uint32_t memory_;
  const Track& lane_;
  SpanKinds kinds_;
  AllocationOrigins origins_;
};

}  // namespace

AllocationOrigins find_allocation_origins(const Capture& capture, const Timeline& timeline, std::uint32_t memory) {
  return OriginFinder(capture, timeline, memory).find();
}

std::vector<EventPlace> spans_around(const Capture& capture, const Timeline& timeline, std::uint32_t track,
                                     std::int64_t at_ns) {
  const EventColumns& events = capture.profile.tracks[track].events;
  const LaneIndex& lane = timeline.lanes[track];
  std::vector<EventPlace> around;
  for (std::uint32_t row = 0; row < lane.row_count(); ++row) {
    const std::uint32_t next = first_starting_at(events, lane.row(row), at_ns + 1);
    // Instants, as records of allocations are, may lie after the span that holds the moment.
    std::uint32_t last = next;
    while (last > lane.row(row).begin && next - last < kMostInstants && events.kind(last - 1) != EventKind::kSpan)
      --last;
    if (last == lane.row(row).begin || events.end_ns(last - 1) < at_ns) continue;
    if (events.kind(last - 1) == EventKind::kSpan) around.push_back({track, last - 1});
  }
  std::ranges::stable_sort(around, {}, [&](const EventPlace& place) { return events.start_ns(place.event); });
  return around;
}

}  // namespace vizd
