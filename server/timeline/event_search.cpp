#include "timeline/event_search.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace vizd {
namespace {

// The rows of some lanes, merged by start: each row gives its picked events one by one.
template <typename Order, typename Step>
std::vector<EventCursor> merged(std::vector<std::pair<EventCursor, Row>> heads, std::size_t limit, Order order,
                                Step step) {
  const auto later = [&](const auto& a, const auto& b) { return order(b.first, a.first); };
  std::ranges::make_heap(heads, later);
  std::vector<EventCursor> found;
  while (!heads.empty() && found.size() < limit) {
    std::ranges::pop_heap(heads, later);
    auto& [cursor, row] = heads.back();
    found.push_back(cursor);
    if (step(cursor, row)) {
      std::ranges::push_heap(heads, later);
    } else {
      heads.pop_back();
    }
  }
  return found;
}

template <typename Visit>
void for_each_row(const Timeline& timeline, const std::vector<std::uint32_t>& lanes, Visit&& visit) {
  for (const std::uint32_t lane : lanes) {
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row)
      visit(lane, timeline.lanes[lane].row(row));
  }
}

EventCursor cursor_of(const Profile& profile, std::uint32_t lane, std::uint32_t event) {
  return {profile.tracks[lane].events.start_ns(event), {lane, event}};
}

// The first event of the row that is at or after the cursor in the order of all events.
std::uint32_t first_from(const Profile& profile, std::uint32_t lane, const Row& row, const EventCursor& cursor) {
  const EventColumns& events = profile.tracks[lane].events;
  std::uint32_t event = first_starting_at(events, row, cursor.start_ns);
  while (event < row.end && cursor_of(profile, lane, event) < cursor) ++event;
  return event;
}

}  // namespace

std::vector<EventCursor> picked_after(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                      const std::vector<std::uint32_t>& lanes, const std::optional<EventCursor>& after,
                                      std::size_t limit) {
  std::vector<std::pair<EventCursor, Row>> heads;
  for_each_row(timeline, lanes, [&](std::uint32_t lane, const Row& row) {
    std::uint32_t event = after ? first_from(profile, lane, row, *after) : row.begin;
    if (after && event < row.end && cursor_of(profile, lane, event) == *after) ++event;
    event = picks.lanes[lane].next(event, row.end);
    if (event < row.end) heads.emplace_back(cursor_of(profile, lane, event), row);
  });
  return merged(std::move(heads), limit, std::less(), [&](EventCursor& cursor, const Row& row) {
    const std::uint32_t event = picks.lanes[cursor.place.lane].next(cursor.place.event + 1, row.end);
    if (event == row.end) return false;
    cursor = cursor_of(profile, cursor.place.lane, event);
    return true;
  });
}

std::vector<EventCursor> picked_before(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                       const std::vector<std::uint32_t>& lanes, const EventCursor& before,
                                       std::size_t limit) {
  std::vector<std::pair<EventCursor, Row>> heads;
  const auto previous = [&](std::uint32_t lane, const Row& row, std::uint32_t event) {
    return picks.lanes[lane].previous(event, row.begin);
  };
  for_each_row(timeline, lanes, [&](std::uint32_t lane, const Row& row) {
    const std::uint32_t event = previous(lane, row, first_from(profile, lane, row, before));
    if (event != kNoId) heads.emplace_back(cursor_of(profile, lane, event), row);
  });
  return merged(std::move(heads), limit, std::greater(), [&](EventCursor& cursor, const Row& row) {
    const std::uint32_t event = previous(cursor.place.lane, row, cursor.place.event);
    if (event == kNoId) return false;
    cursor = cursor_of(profile, cursor.place.lane, event);
    return true;
  });
}

std::uint64_t count_picked_before(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                  const std::vector<std::uint32_t>& lanes, const EventCursor& cursor) {
  std::uint64_t count = 0;
  for_each_row(timeline, lanes, [&](std::uint32_t lane, const Row& row) {
    const LanePicks& picked = picks.lanes[lane];
    count += picked.rank(first_from(profile, lane, row, cursor)) - picked.rank(row.begin);
  });
  return count;
}

}  // namespace vizd
