#include "query/slice_family.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace vizd::sql {
namespace {

// A slice with what it lies in.
struct SliceAt {
  const EventColumns& events;
  const LaneIndex& lane;
  SliceTrack track;
  std::uint32_t event;

  std::int64_t id(std::uint32_t of) const { return static_cast<std::int64_t>(track.first_slice + of); }
};

std::optional<SliceAt> slice_at(const Catalog& catalog, std::int64_t slice) {
  if (slice < 0 || static_cast<std::uint64_t>(slice) >= catalog.slice_count()) return std::nullopt;
  const SliceTrack& track = catalog.slice_tracks()[catalog.slice_track_of(static_cast<std::uint64_t>(slice))];
  return SliceAt{catalog.capture(track.source).profile.tracks[track.track].events,
                 catalog.timeline(track.source).lanes[track.track], track,
                 static_cast<std::uint32_t>(static_cast<std::uint64_t>(slice) - track.first_slice)};
}

// Goes from slices along flows, over each once.
class FlowWalk {
 public:
  FlowWalk(const Catalog& catalog, const Budget& budget) : catalog_(catalog), budget_(budget) {
    for (std::size_t source = 0; source < catalog.sources().size(); ++source)
      flows_.add(catalog.capture(source).profile.flows.size());
  }

  Result<void> go(std::int64_t slice, bool is_forward, bool takes_family) {
    seen_.clear();
    std::vector<std::int64_t> open;
    VIZD_TRY(add(slice, is_forward, takes_family, open));
    while (!open.empty()) {
      if (!budget_.goes_on()) return budget_.error();
      const std::int64_t at = open.back();
      open.pop_back();
      std::vector<std::int64_t> next;
      for_each_flow(at, is_forward, [&](std::uint64_t flow, std::int64_t other) {
        found_.insert(static_cast<std::int64_t>(flow));
        next.push_back(other);
      });
      for (const std::int64_t other : next) VIZD_TRY(add(other, is_forward, takes_family, open));
    }
    return {};
  }

  Ids found() const {
    Ids ids(found_.begin(), found_.end());
    std::ranges::sort(ids);
    return ids;
  }

 private:
  // The slice, and those below it on the way forward, above it on the way back.
  Result<void> add(std::int64_t slice, bool is_forward, bool takes_family, std::vector<std::int64_t>& open) {
    if (!seen_.insert(slice).second) return {};
    open.push_back(slice);
    if (!takes_family) return {};
    auto family = is_forward ? descendant_slices(catalog_, slice, budget_) : ancestor_slices(catalog_, slice);
    if (!family) return family.error();
    for (const std::int64_t of : *family) {
      if (seen_.insert(of).second) open.push_back(of);
    }
    return {};
  }

  // Calls visit(flow's number, the slice at its other end).
  template <typename Visit>
  void for_each_flow(std::int64_t slice, bool is_forward, Visit&& visit) const {
    const auto at = slice_at(catalog_, slice);
    if (!at) return;
    const auto flows = catalog_.capture(at->track.source).profile.flows.span();
    const std::pair event(at->track.track, at->event);
    const auto number = [&](std::uint32_t track, std::uint32_t of) {
      return static_cast<std::int64_t>(catalog_.slice_number(at->track.source, track, of));
    };
    const std::uint64_t first = flows_.first(at->track.source);
    const auto from = [](const Flow& flow) { return std::pair(flow.from_track, flow.from_event); };
    const auto to = [](const Flow& flow) { return std::pair(flow.to_track, flow.to_event); };
    if (is_forward) {
      const auto range = std::ranges::equal_range(flows, event, {}, from);
      for (const Flow& flow : range)
        visit(first + static_cast<std::uint64_t>(&flow - flows.data()), number(flow.to_track, flow.to_event));
    } else {
      const auto by_target = catalog_.timeline(at->track.source).flows_by_target.span();
      const auto range = std::ranges::equal_range(by_target, event, {}, [&](std::uint32_t i) { return to(flows[i]); });
      for (const std::uint32_t i : range) visit(first + i, number(flows[i].from_track, flows[i].from_event));
    }
  }

  const Catalog& catalog_;
  const Budget& budget_;
  Numbering flows_;
  std::unordered_set<std::int64_t> seen_, found_;
};

}  // namespace

std::uint32_t parent_event(const EventColumns& events, const LaneIndex& lane, std::uint32_t event) {
  const auto starts = events.starts();
  for (std::uint32_t row = lane.row_of(event); row-- > 0;) {
    const auto from = starts.begin() + lane.row_begin[row], to = starts.begin() + lane.row_begin[row + 1];
    const auto after = std::upper_bound(from, to, events.start_ns(event));
    if (after == from) continue;
    const auto above = static_cast<std::uint32_t>(after - starts.begin()) - 1;
    if (events.end_ns(above) >= events.end_ns(event)) return above;
  }
  return kNoId;
}

Ids ancestor_slices(const Catalog& catalog, std::int64_t slice) {
  Ids ids;
  const auto at = slice_at(catalog, slice);
  if (!at) return ids;
  std::uint32_t above = parent_event(at->events, at->lane, at->event);
  for (; above != kNoId; above = parent_event(at->events, at->lane, above)) ids.push_back(at->id(above));
  std::ranges::reverse(ids);
  return ids;
}

Result<Ids> descendant_slices(const Catalog& catalog, std::int64_t slice, const Budget& budget) {
  Ids ids;
  const auto at = slice_at(catalog, slice);
  if (!at) return ids;
  const EventColumns& events = at->events;
  const auto starts = events.starts();
  // Rows lie one behind the other: what is below and within its time, and has it among those above.
  for (std::uint32_t row = at->lane.row_of(at->event) + 1; row < at->lane.row_count(); ++row) {
    const auto from = starts.begin() + at->lane.row_begin[row], to = starts.begin() + at->lane.row_begin[row + 1];
    auto below = std::lower_bound(from, to, events.start_ns(at->event));
    for (; below != to && *below <= events.end_ns(at->event); ++below) {
      if (!budget.goes_on()) return budget.error();
      const auto event = static_cast<std::uint32_t>(below - starts.begin());
      std::uint32_t above = parent_event(events, at->lane, event);
      while (above != kNoId && above > at->event) above = parent_event(events, at->lane, above);
      if (above == at->event) ids.push_back(at->id(event));
    }
  }
  return ids;
}

Result<Ids> flows_of_slice(const Catalog& catalog, std::int64_t slice, FlowWay way, const Budget& budget) {
  FlowWalk walk(catalog, budget);
  if (way != FlowWay::kPreceding) VIZD_TRY(walk.go(slice, true, way == FlowWay::kFollowing));
  if (way != FlowWay::kFollowing) VIZD_TRY(walk.go(slice, false, way == FlowWay::kPreceding));
  return walk.found();
}

}  // namespace vizd::sql
