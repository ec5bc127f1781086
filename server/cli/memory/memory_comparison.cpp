#include "cli/memory/memory_comparison.h"

#include "base/standard_streams.h"
#include "cli/memory/memory_inputs.h"
#include "formats/torch_memory/answers/records.h"

namespace vizd {
namespace {

using torch_memory::MemoryFile;
using torch_memory::Replay;

std::int64_t peak_of(const MemoryFile& file, std::int64_t device) {
  for (const auto& replay : file.replays()) {
    if (replay->device() == device) return replay->peak()[torch_memory::Quantity::kAllocated];
  }
  return 0;
}

}  // namespace

std::optional<bool> print_memory_comparison(const MemoryComparison& comparison) {
  const auto a = open_snapshot(comparison.a);
  const auto b = a ? open_snapshot(comparison.b) : nullptr;
  if (!b) return std::nullopt;
  RecordPrinter printer(comparison.json, comparison.limit);
  tell_comparison(*a, *b, printer.taker());
  printer.finish();
  bool has_regressed = false;
  for (const auto& replay : b->replays()) {
    const std::int64_t before = peak_of(*a, replay->device()), after = peak_of(*b, replay->device());
    const double percent = before == 0 ? 0 : 100 * static_cast<double>(after - before) / static_cast<double>(before);
    if (!comparison.json) {
      print_answer("\nDevice {}: peak of allocated {} before, {} after ({:+.2f} %)\n", replay->device(),
                   bytes_text(before), bytes_text(after), percent);
    }
    const bool is_more = after > before && (before == 0 || percent > comparison.most_regress_percent.value_or(0));
    if (!comparison.most_regress_percent || !is_more) continue;
    has_regressed = true;
    print_error("vizd compare: the peak of allocated bytes of device {} is {}, {} before: more than {} % more\n",
                replay->device(), after, before, *comparison.most_regress_percent);
  }
  return has_regressed;
}

}  // namespace vizd
