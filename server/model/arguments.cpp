#include "model/arguments.h"

#include <algorithm>
#include <functional>

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

void renumber(ArgumentColumn& column, std::span<const std::uint32_t> now_at, std::size_t event_count) {
  const auto moved = [&](std::uint32_t event) { return now_at.empty() ? event : now_at[event]; };
  const std::span<const std::uint32_t> events = column.events.span();
  const auto is_there = [&](std::uint32_t event) { return event < event_count; };
  if (now_at.empty() && std::ranges::is_sorted(events, std::less_equal()) &&
      (events.empty() || is_there(events.back())))
    return;
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (is_there(events[i])) places.push_back(i);
  }
  const auto event_at = [&](std::uint32_t place) { return moved(events[place]); };
  std::ranges::stable_sort(places, {}, event_at);
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + 1 == places.size() || event_at(places[i]) != event_at(places[i + 1])) kept.push_back(places[i]);
  }
  LargeVector<std::uint32_t> renumbered(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) renumbered[i] = event_at(kept[i]);
  column.integers = gathered(column.integers, kept);
  column.reals = gathered(column.reals, kept);
  column.texts = gathered(column.texts, kept);
  column.events = Column<std::uint32_t>(std::move(renumbered));
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
  for (ArgumentColumn& column : columns) renumber(column, now_at, event_count);
}

}  // namespace vizd
