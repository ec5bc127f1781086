// Correlation: what events of a trace know each other by: a number, or a text. Equal where the trace's values are
// equal, however they are written: 5 and 5.0 are one, and not "5". Pure functions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/arguments.h"

namespace vizd {

struct Correlation {
  enum class Type : std::uint8_t { kInteger, kReal, kText, kJson, kNone };

  Type type = Type::kNone;
  std::int64_t number = 0;  // of a real its bits, of a text its StringId

  bool operator==(const Correlation&) const = default;
  auto operator<=>(const Correlation&) const = default;
};

// The column's value at that place in it; kNone where it is null.
inline Correlation correlation_of(const ArgumentColumn& column, std::size_t place, const StringTable& strings) {
  using Type = Correlation::Type;
  if (column.type == ArgumentType::kInteger) return {Type::kInteger, column.integer(place)};
  if (column.type == ArgumentType::kReal) {
    constexpr double kMost = 9.2e18;
    const double real = column.real(place);
    const bool is_small = real > -kMost && real < kMost;
    const std::int64_t whole = is_small ? static_cast<std::int64_t>(real) : 0;
    if (is_small && static_cast<double>(whole) == real) return {Type::kInteger, whole};
    return {Type::kReal, std::bit_cast<std::int64_t>(real)};
  }
  const StringId id = column.text(place);
  if (column.unit == StringId{}) return {Type::kText, static_cast<std::int64_t>(index(id))};
  const std::string_view json = strings.get(id);
  if (json == "null") return {};
  if (json == "true" || json == "false") return {Type::kInteger, json == "true" ? 1 : 0};
  return {Type::kJson, static_cast<std::int64_t>(index(id))};
}

}  // namespace vizd
