#include "model/arguments.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/assert.h"

namespace vizd {
namespace {

template <typename Values>
void gather(Values& column, const std::vector<std::uint32_t>& places) {
  if (column.empty()) return;
  Values values;
  for (const std::uint32_t place : places) values.push_back(column[place]);
  column = std::move(values);
}

// By event, as they are numbered now, the place of its value in a column; kNoId where it has none. Kept between
// columns, and all kNoId between them.
using PlaceOfEvent = std::vector<std::uint32_t>;

// The places of a column's values in the order of their events, and these; of an event's several the last.
struct Order {
  std::vector<std::uint32_t> places;
  PackedIntegers events;
};

template <typename Moved>
Order order_by_sorting(const ArgumentColumn& column, std::size_t event_count, Moved&& moved) {
  struct Placed {
    std::uint32_t event, place;
  };
  std::vector<Placed> all;
  std::uint32_t place = 0;
  column.events.for_each([&](std::int64_t event) {
    if (static_cast<std::size_t>(event) < event_count) all.push_back({moved(event), place});
    ++place;
  });
  std::ranges::stable_sort(all, {}, &Placed::event);
  Order order;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 != all.size() && all[i].event == all[i + 1].event) continue;
    order.places.push_back(all[i].place);
    order.events.push_back(all[i].event);
  }
  return order;
}

// The same, by a look at all events between the first and the last.
template <typename Moved>
Order order_by_events(const ArgumentColumn& column, std::size_t event_count, PlaceOfEvent& place_of, Moved&& moved) {
  place_of.resize(event_count, kNoId);
  std::uint32_t first = kNoId, last = 0, place = 0;
  column.events.for_each([&](std::int64_t recorded) {
    if (static_cast<std::size_t>(recorded) < event_count) {
      const std::uint32_t event = moved(recorded);
      place_of[event] = place;
      first = std::min(first, event);
      last = std::max(last, event);
    }
    ++place;
  });
  Order order;
  order.places.reserve(column.size());
  for (std::uint32_t event = first; event <= last && event < event_count; ++event) {
    if (place_of[event] == kNoId) continue;
    order.places.push_back(std::exchange(place_of[event], kNoId));
    order.events.push_back(event);
  }
  return order;
}

void renumber(ArgumentColumn& column, std::span<const std::uint32_t> now_at, std::size_t event_count,
              PlaceOfEvent& place_of) {
  const auto moved = [&](std::int64_t event) {
    return now_at.empty() ? static_cast<std::uint32_t>(event) : now_at[static_cast<std::size_t>(event)];
  };
  const PackedIntegers& events = column.events;
  if (now_at.empty() && events.is_ascending() &&
      (events.empty() || static_cast<std::size_t>(events[events.size() - 1]) < event_count))
    return;
  constexpr std::size_t kSparse = 16;
  Order order = events.size() < event_count / kSparse ? order_by_sorting(column, event_count, moved)
                                                      : order_by_events(column, event_count, place_of, moved);
  gather(column.numbers, order.places);
  gather(column.reals, order.places);
  column.events = std::move(order.events);
}

}  // namespace

ArgumentValue ArgumentColumn::value(std::size_t place) const {
  switch (type) {
    case ArgumentType::kInteger:
      return integer(place);
    case ArgumentType::kReal:
      return real(place);
    case ArgumentType::kText:
      break;
  }
  return text(place);
}

std::optional<std::size_t> ArgumentColumn::place_of(std::uint32_t event) const {
  const std::size_t place = events.lower_bound(event);
  return place < size() && events[place] == event ? std::optional(place) : std::nullopt;
}

std::optional<ArgumentValue> ArgumentColumn::of(std::uint32_t event) const {
  const auto place = place_of(event);
  return place ? std::optional(value(*place)) : std::nullopt;
}

void ArgumentColumn::push_back(std::uint32_t event, const ArgumentValue& value) {
  VIZD_ASSERT(type_of(value) == type);
  switch (type) {
    case ArgumentType::kInteger:
      return push_number(event, std::get<std::int64_t>(value));
    case ArgumentType::kReal:
      return push_real(event, std::get<double>(value));
    case ArgumentType::kText:
      return push_number(event, static_cast<std::int64_t>(index(std::get<StringId>(value))));
  }
}

void ArgumentColumn::shrink() {
  events.shrink();
  numbers.shrink();
  reals.shrink();
}

ArgumentColumn& find_or_add_argument(std::vector<ArgumentColumn>& columns, StringId name, StringId unit,
                                     ArgumentType type) {
  const auto found = std::ranges::find_if(columns, [&](const ArgumentColumn& column) {
    return column.name == name && column.unit == unit && column.type == type && !column.is_hidden;
  });
  if (found != columns.end()) return *found;
  ArgumentColumn& column = columns.emplace_back();
  column.name = name;
  column.unit = unit;
  column.type = type;
  return column;
}

const ArgumentColumn* find_argument(std::span<const ArgumentColumn> columns, StringId name) {
  const auto found = std::ranges::find_if(
      columns, [&](const ArgumentColumn& column) { return column.name == name && !column.is_hidden; });
  return found == columns.end() ? nullptr : &*found;
}

void renumber_arguments(std::vector<ArgumentColumn>& columns, std::span<const std::uint32_t> now_at,
                        std::size_t event_count) {
  PlaceOfEvent place_of;
  for (ArgumentColumn& column : columns) {
    renumber(column, now_at, event_count, place_of);
    column.shrink();
  }
  columns.shrink_to_fit();
}

}  // namespace vizd
