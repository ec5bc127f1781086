// ArgumentKey: a value of an argument by which events know each other: a number, or a text. Two are equal where the
// values are, however they are written: 5 and 5.0 are one, and not "5". Pure functions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/arguments.h"

namespace vizd {

struct ArgumentKey {
  enum class Type : std::uint8_t { kInteger, kReal, kText, kJson, kNone };

  Type type = Type::kNone;
  std::int64_t number = 0;  // of a real its bits, of a text its StringId

  bool operator==(const ArgumentKey&) const = default;
  auto operator<=>(const ArgumentKey&) const = default;
};

// The column's value at that place in it; kNone where it is null.
inline ArgumentKey argument_key(const ArgumentColumn& column, std::size_t place, const StringTable& strings) {
  using Type = ArgumentKey::Type;
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
