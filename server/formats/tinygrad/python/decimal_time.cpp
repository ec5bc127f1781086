#include "formats/tinygrad/python/decimal_time.h"

#include <charconv>

#include "model/profile.h"

namespace vizd::python {
namespace {

constexpr std::uint32_t kBillion = 1'000'000'000;
constexpr int kMaxDigits = 64;  // Python's own arithmetic keeps 28

DecimalTime negate(DecimalTime t) {
  if (t.billionths == 0) return {-t.ns, 0};
  return {-t.ns - 1, kBillion - t.billionths};
}

}  // namespace

DecimalTime operator+(DecimalTime a, DecimalTime b) {
  const std::uint32_t sum = a.billionths + b.billionths;
  return {a.ns + b.ns + (sum >= kBillion ? 1 : 0), sum >= kBillion ? sum - kBillion : sum};
}

DecimalTime operator-(DecimalTime a, DecimalTime b) { return a + negate(b); }

std::optional<DecimalTime> parse_decimal_us(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  int exponent = 0;
  if (const std::size_t at = text.find_first_of("eE"); at != std::string_view::npos) {
    std::string_view digits = text.substr(at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size() || exponent < -1000 || exponent > 1000) return {};
    text = text.substr(0, at);
  }
  char digits[kMaxDigits];
  int count = 0;
  std::optional<int> point;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = count;
    } else if (c < '0' || c > '9' || count == kMaxDigits) {
      return {};
    } else {
      digits[count++] = c;
    }
  }
  if (count == 0) return {};
  // Digit i stands for digits[i] * 10^(place - 1 - i) nanoseconds.
  const int place = point.value_or(count) + exponent + 3;
  const auto digit = [&](int i) { return i >= 0 && i < count ? digits[i] - '0' : 0; };
  DecimalTime time;
  for (int i = 0; i < place; ++i) {
    if (time.ns > kTimeBound_ns / 10) return {};
    time.ns = time.ns * 10 + digit(i);
  }
  if (time.ns >= kTimeBound_ns) return {};
  for (int i = place; i < place + 9; ++i) time.billionths = time.billionths * 10 + static_cast<std::uint32_t>(digit(i));
  return negative ? negate(time) : time;
}

}  // namespace vizd::python
