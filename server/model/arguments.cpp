#include "model/arguments.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/assert.h"

namespace vizd {
namespace {

template <typename T>
Column<T> gathered(const Column<T>& column, const std::vector<std::uint32_t>& places) {
  if (column.empty()) return {};
  LargeVector<T> values(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = column[places[i]];
  return Column<T>(std::move(values));
}

// By event, as they are numbered now, the place of its value in a column; kNoId where it has none. Kept between
// columns, and all kNoId between them.
using PlaceOfEvent = std::vector<std::uint32_t>;

// The places of a column's values in the order of their events, and these; of an event's several the last.
struct Order {
  std::vector<std::uint32_t> places;
  LargeVector<std::uint32_t> events;
};

template <typename Moved>
Order order_by_sorting(std::span<const std::uint32_t> events, std::size_t event_count, Moved&& moved) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events[i] < event_count) places.push_back(i);
  }
  const auto event_at = [&](std::uint32_t place) { return moved(events[place]); };
  std::ranges::stable_sort(places, {}, event_at);
  Order order;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + 1 != places.size() && event_at(places[i]) == event_at(places[i + 1])) continue;
    order.places.push_back(places[i]);
    order.events.push_back(event_at(places[i]));
  }
  return order;
}

// The same, by a look at all events between the first and the last.
template <typename Moved>
Order order_by_events(std::span<const std::uint32_t> events, std::size_t event_count, PlaceOfEvent& place_of,
                      Moved&& moved) {
  place_of.resize(event_count, kNoId);
  std::uint32_t first = kNoId, last = 0;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events[i] >= event_count) continue;
    const std::uint32_t event = moved(events[i]);
    place_of[event] = i;
    first = std::min(first, event);
    last = std::max(last, event);
  }
  Order order;
  order.places.reserve(events.size());
  order.events.reserve(events.size());
  for (std::uint32_t event = first; event <= last && event < event_count; ++event) {
    if (place_of[event] == kNoId) continue;
    order.places.push_back(std::exchange(place_of[event], kNoId));
    order.events.push_back(event);
  }
  return order;
}

void renumber(ArgumentColumn& column, std::span<const std::uint32_t> now_at, std::size_t event_count,
              PlaceOfEvent& place_of) {
  const auto moved = [&](std::uint32_t event) { return now_at.empty() ? event : now_at[event]; };
  const std::span<const std::uint32_t> events = column.events.span();
  if (now_at.empty() && std::ranges::is_sorted(events, std::less_equal()) &&
      (events.empty() || events.back() < event_count))
    return;
  constexpr std::size_t kSparse = 16;
  Order order = events.size() < event_count / kSparse ? order_by_sorting(events, event_count, moved)
                                                      : order_by_events(events, event_count, place_of, moved);
  column.integers = gathered(column.integers, order.places);
  column.reals = gathered(column.reals, order.places);
  column.texts = gathered(column.texts, order.places);
  column.events = Column<std::uint32_t>(std::move(order.events));
}

}  // namespace

ArgumentValue ArgumentColumn::value(std::size_t place) const {
  switch (type) {
    case ArgumentType::kInteger:
      return integers[place];
    case ArgumentType::kReal:
      return reals[place];
    case ArgumentType::kText:
      break;
  }
  return StringId{texts[place]};
}

std::optional<ArgumentValue> ArgumentColumn::of(std::uint32_t event) const {
  const auto all = events.span();
  const auto found = std::ranges::lower_bound(all, event);
  if (found == all.end() || *found != event) return std::nullopt;
  return value(static_cast<std::size_t>(found - all.begin()));
}

void ArgumentColumn::push_back(std::uint32_t event, const ArgumentValue& value) {
  VIZD_ASSERT(type_of(value) == type);
  events.push_back(event);
  switch (type) {
    case ArgumentType::kInteger:
      return integers.push_back(std::get<std::int64_t>(value));
    case ArgumentType::kReal:
      return reals.push_back(std::get<double>(value));
    case ArgumentType::kText:
      return texts.push_back(static_cast<std::uint32_t>(std::get<StringId>(value)));
  }
}

ArgumentColumn& find_or_add_argument(std::vector<ArgumentColumn>& columns, StringId name, StringId unit,
                                     ArgumentType type) {
  const auto found = std::ranges::find_if(columns, [&](const ArgumentColumn& column) {
    return column.name == name && column.unit == unit && column.type == type;
  });
  if (found != columns.end()) return *found;
  ArgumentColumn& column = columns.emplace_back();
  column.name = name;
  column.unit = unit;
  column.type = type;
  return column;
}

const ArgumentColumn* find_argument(std::span<const ArgumentColumn> columns, StringId name) {
  const auto found = std::ranges::find(columns, name, &ArgumentColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

void renumber_arguments(std::vector<ArgumentColumn>& columns, std::span<const std::uint32_t> now_at,
                        std::size_t event_count) {
  PlaceOfEvent place_of;
  for (ArgumentColumn& column : columns) renumber(column, now_at, event_count, place_of);
}

}  // namespace vizd
