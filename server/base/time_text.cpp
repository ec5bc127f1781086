#include "base/time_text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vizd {
namespace {

struct TimeUnit {
  std::string_view word;
  std::int64_t size_ns;
};
constexpr std::array kTimeUnits{TimeUnit{"ns", 1},
                                TimeUnit{"us", 1'000},
                                TimeUnit{"µs", 1'000},
                                TimeUnit{"ms", 1'000'000},
                                TimeUnit{"s", 1'000'000'000},
                                TimeUnit{"min", 60'000'000'000},
                                TimeUnit{"h", 3'600'000'000'000}};

constexpr std::string_view kDigits = "0123456789";

// The digits that the text begins with, which are taken off it.
std::string_view cut_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, std::min(text.size(), text.find_first_not_of(kDigits)));
  text.remove_prefix(digits.size());
  return digits;
}

// number * factor + more; none if that exceeds 64 bits. All are at least 0.
std::optional<std::int64_t> multiply_add(std::int64_t number, std::int64_t factor, std::int64_t more) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (factor != 0 && number > (kMost - more) / factor) return std::nullopt;
  return number * factor + more;
}

// The digits after the point in nanoseconds of that unit; none if a part of a nanosecond is left.
std::optional<std::int64_t> fraction_ns(std::string_view digits, std::int64_t unit_ns) {
  std::int64_t sum_ns = 0;
  for (const char digit : digits) {
    if (digit == '0' && unit_ns % 10 != 0) continue;
    if (unit_ns % 10 != 0) return std::nullopt;
    unit_ns /= 10;
    sum_ns += unit_ns * (digit - '0');
  }
  return sum_ns;
}

}  // namespace

std::optional<std::int64_t> parse_time_ns(std::string_view text, std::int64_t bare_unit_ns) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::string_view whole = cut_digits(text);
  if (whole.empty()) return std::nullopt;
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = cut_digits(text);
    if (fraction.empty()) return std::nullopt;
  }
  const auto unit = std::ranges::find(kTimeUnits, text, &TimeUnit::word);
  if (!text.empty() && unit == kTimeUnits.end()) return std::nullopt;
  const std::int64_t unit_ns = text.empty() ? bare_unit_ns : unit->size_ns;
  std::optional<std::int64_t> number = 0;
  for (const char digit : whole) {
    number = multiply_add(*number, 10, digit - '0');
    if (!number) return std::nullopt;
  }
  const auto below_ns = fraction_ns(fraction, unit_ns);
  const auto time_ns = below_ns ? multiply_add(*number, unit_ns, *below_ns) : std::nullopt;
  return time_ns && is_negative ? std::optional(-*time_ns) : time_ns;
}

}  // namespace vizd
