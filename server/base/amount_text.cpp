#include "base/amount_text.h"

#include <fmt/format.h>

#include <cmath>

namespace vizd {

std::string scaled_text(double value, std::initializer_list<std::pair<double, const char*>> units) {
  for (const auto& [size, unit] : units) {
    if (std::abs(value) < size) continue;
    const double shown = value / size;
    return fmt::format("{:.{}f} {}", shown, std::abs(shown) >= 100 ? 0 : std::abs(shown) >= 10 ? 1 : 2, unit);
  }
  return fmt::format("{:.3g} {}", value, (units.end() - 1)->second);
}

std::string rate_text(double amount, const char* unit) {
  return scaled_text(amount, {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}) + unit;
}

}  // namespace vizd
