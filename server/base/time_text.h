// Reads a time as people write it on a command line: "5ms", "1.5s", "200us", "10ns", or a bare number. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd {

// In nanoseconds, exact. bare_unit_ns: what a number without a unit counts. None if the text is not a time, has parts
// below a nanosecond, or is too large for 64 bits.
std::optional<std::int64_t> parse_time_ns(std::string_view text, std::int64_t bare_unit_ns = 1);

}  // namespace vizd
