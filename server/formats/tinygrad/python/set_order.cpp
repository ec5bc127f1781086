#include "formats/tinygrad/python/set_order.h"

#include <cstdint>
#include <optional>

namespace vizd::python {

// CPython's set: open addressing, where a place is the value's low bits and, where that is taken, up to nine places on,
// and else one that the higher bits decide; four times as large once three fifths are full.
std::vector<Wide> in_set_order(std::span<const Wide> values) {
  constexpr std::size_t kProbes = 9;
  std::vector<std::optional<Wide>> places(8);
  std::size_t used = 0;
  const auto put = [&](Wide value) {
    const std::size_t mask = places.size() - 1;
    auto perturb = static_cast<std::uint64_t>(value);
    std::size_t i = perturb & mask;
    while (true) {
      const std::size_t probes = i + kProbes <= mask ? kProbes : 0;
      for (std::size_t at = i; at <= i + probes; ++at) {
        if (places[at] && *places[at] != value) continue;
        used += !places[at];
        places[at] = value;
        return;
      }
      perturb >>= 5;
      i = (i * 5 + 1 + perturb) & mask;
    }
  };
  const auto in_order = [&] {
    std::vector<Wide> order;
    for (const auto& place : places) {
      if (place) order.push_back(*place);
    }
    return order;
  };
  for (const Wide value : values) {
    put(value);
    if (used * 5 < (places.size() - 1) * 3) continue;
    const auto kept = in_order();
    std::size_t size = 8;
    while (size <= used * 4) size *= 2;
    places.assign(size, std::nullopt);
    used = 0;
    for (const Wide again : kept) put(again);
  }
  return in_order();
}

}  // namespace vizd::python
