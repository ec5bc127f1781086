// Times as tinygrad records them: Python's Decimal, in microseconds, as text. Exact: clocks of devices differ by parts
// of a nanosecond, and a microsecond's boundary must fall where Python's decimal arithmetic has it. Pure; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd::python {

// A time or a difference of two: ns whole nanoseconds, rounded down, and so many billionths of one more.
struct DecimalTime {
  std::int64_t ns = 0;
  std::uint32_t billionths = 0;

  auto operator<=>(const DecimalTime&) const = default;
};

DecimalTime operator+(DecimalTime a, DecimalTime b);
DecimalTime operator-(DecimalTime a, DecimalTime b);

// The time that str(Decimal) of microseconds means ("1018360290.194", "9.89625", "1E+3"). Nothing for what is no
// number, or 2^60 nanoseconds or more away from zero. Digits beyond the billionths are cut off.
std::optional<DecimalTime> parse_decimal_us(std::string_view text);

}  // namespace vizd::python
