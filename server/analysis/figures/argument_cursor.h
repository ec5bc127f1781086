// ArgumentCursor: the values of one argument, asked for in the order of a track's events, so that all of them together
// cost one walk over its columns. Refers to the track. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/argument_key.h"
#include "model/track.h"

namespace vizd {

class ArgumentCursor {
 public:
  ArgumentCursor(const Track& track, std::string_view name, const StringTable& strings)
      : strings_(strings), null_(strings.find("null")), json_(strings.find(argument::kJson)) {
    const StringId id = strings.find(name);
    if (id == StringId{kNoId}) return;
    for (const ArgumentColumn& column : track.arguments) {
      if (column.name == id && !column.is_hidden) places_.push_back({&column, 0});
    }
  }

  bool empty() const { return places_.empty(); }

  // The event's argument; none if it has none, or JSON's null. Events do not go back.
  std::optional<ArgumentValue> at(std::uint32_t event) {
    const Place* const place = find(event);
    if (place == nullptr) return std::nullopt;
    return place->column->value(place->next);
  }
  // The same argument as a key, by which events are matched with each other.
  std::optional<ArgumentKey> key_at(std::uint32_t event) {
    const Place* const place = find(event);
    if (place == nullptr) return std::nullopt;
    return argument_key(*place->column, place->next, strings_);
  }

 private:
  struct Place {
    const ArgumentColumn* column;
    std::size_t next;
  };

  // The last column's that has the event.
  const Place* find(std::uint32_t event) {
    const Place* found = nullptr;
    for (Place& place : places_) {
      const ArgumentColumn& column = *place.column;
      while (place.next < column.size() && column.event(place.next) < event) ++place.next;
      if (place.next == column.size() || column.event(place.next) != event) continue;
      const bool is_null =
          column.type == ArgumentType::kText && column.unit == json_ && column.text(place.next) == null_;
      if (!is_null) found = &place;
    }
    return found;
  }

  const StringTable& strings_;
  std::vector<Place> places_;
  const StringId null_, json_;
};

}  // namespace vizd
