#include "formats/bigtpu/engine_counters.h"

#include <algorithm>
#include <bit>

namespace vizd::bigtpu {
namespace {

// A value that is the last one's is not told again.
void append(Counter& counter, std::int64_t at_ns, double value) {
  if (counter.value.size() > 0 && counter.value[counter.value.size() - 1] == value) return;
  counter.at_ns.push_back(at_ns);
  counter.value.push_back(value);
}

}  // namespace

std::int64_t window_of(std::int64_t dur_ns) {
  constexpr std::int64_t kMostWindows = 2048;
  return static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, dur_ns / kMostWindows))));
}

void add_utilization(const Stretches& busy, std::int64_t start_ns, std::int64_t end_ns, Counter& counter) {
  const std::int64_t window_ns = window_of(end_ns - start_ns);
  auto next = busy.begin();
  for (std::int64_t from_ns = start_ns; from_ns < end_ns; from_ns += window_ns) {
    const std::int64_t to_ns = std::min(from_ns + window_ns, end_ns);
    while (next != busy.end() && next->to <= from_ns) ++next;
    std::int64_t filled_ns = 0;
    for (auto it = next; it != busy.end() && it->from < to_ns; ++it)
      filled_ns += std::min(it->to, to_ns) - std::max(it->from, from_ns);
    append(counter, from_ns, 100 * static_cast<double>(filled_ns) / static_cast<double>(to_ns - from_ns));
  }
  append(counter, end_ns, 0);
}

void add_bandwidth(std::span<const Transfer> transfers, Counter& counter) {
  struct Change {
    std::int64_t at_ns = 0;
    int count = 0;
    double gb_per_s = 0;
  };
  std::vector<Change> changes;
  for (const Transfer& transfer : transfers) {
    changes.push_back({transfer.start_ns, 1, transfer.gb_per_s});
    changes.push_back({transfer.end_ns, -1, -transfer.gb_per_s});
  }
  std::ranges::sort(changes, {}, &Change::at_ns);
  int running = 0;
  double gb_per_s = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const std::int64_t at_ns = changes[i].at_ns;
    for (; i < changes.size() && changes[i].at_ns == at_ns; ++i) {
      running += changes[i].count;
      gb_per_s += changes[i].gb_per_s;
    }
    if (running == 0) gb_per_s = 0;  // no rest of the additions
    append(counter, at_ns, gb_per_s);
  }
}

}  // namespace vizd::bigtpu
