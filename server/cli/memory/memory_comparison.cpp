#include "cli/memory/memory_comparison.h"

#include <map>

#include "analysis/allocator/allocator_curve.h"
#include "base/standard_streams.h"
#include "cli/memory/memory_inputs.h"
#include "cli/memory/owner_records.h"

namespace vizd {
namespace {

// The peak of allocated bytes, by device.
std::map<std::int64_t, std::int64_t> peaks_of(const Capture& capture) {
  std::map<std::int64_t, std::int64_t> peaks;
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator != nullptr) peaks[track.allocator->device] = AllocatorCurve(track).allocated.bytes;
  }
  return peaks;
}

}  // namespace

std::optional<bool> print_memory_comparison(const MemoryComparison& comparison) {
  const auto a = open_allocators(comparison.a);
  const auto b = a ? open_allocators(comparison.b) : nullptr;
  if (!b) return std::nullopt;
  RecordPrinter printer(comparison.json, comparison.limit);
  tell_comparison(a->capture, b->capture, RowIds(comparison.b), printer.taker());
  printer.finish();
  bool has_regressed = false;
  const auto before_peaks = peaks_of(a->capture);
  for (const auto& [device, after] : peaks_of(b->capture)) {
    const auto found = before_peaks.find(device);
    const std::int64_t before = found == before_peaks.end() ? 0 : found->second;
    const double percent = before == 0 ? 0 : 100 * static_cast<double>(after - before) / static_cast<double>(before);
    if (!comparison.json) {
      print_answer("\nDevice {}: peak of allocated {} before, {} after ({:+.2f} %)\n", device, bytes_text(before),
                   bytes_text(after), percent);
    }
    const bool is_more = after > before && (before == 0 || percent > comparison.most_regress_percent.value_or(0));
    if (!comparison.most_regress_percent || !is_more) continue;
    has_regressed = true;
    print_error("vizd compare: the peak of allocated bytes of device {} is {}, {} before: more than {} % more\n",
                device, after, before, *comparison.most_regress_percent);
  }
  return has_regressed;
}

}  // namespace vizd
