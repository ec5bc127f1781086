#include "cli/memory/memory_comparison.h"

#include <fmt/core.h>

#include <tuple>

#include "base/standard_streams.h"
#include "cli/memory/memory_inputs.h"
#include "cli/memory/owner_records.h"

namespace vizd {
namespace {

std::string name_of(const MemoryChoice& part) {
  return part.device ? fmt::format("device {}", *part.device) : part.range.empty() ? "all of it" : part.range;
}

}  // namespace

std::optional<bool> print_memory_comparison(const MemoryComparison& comparison) {
  const auto a = open_allocators(comparison.a);
  const auto b = a && comparison.b ? open_allocators(*comparison.b) : a;
  if (!b) return std::nullopt;
  ComparedParts parts{a->capture, b->capture, comparison.a_part, comparison.b_part};
  if (!comparison.b && parts.before_part == parts.after_part) {
    const auto own = parts_to_compare(a->capture);
    if (!own) {
      print_error("vizd compare: {}: has neither steps nor devices to compare with one another; name two snapshots\n",
                  comparison.a.name);
      return std::nullopt;
    }
    std::tie(parts.before_part, parts.after_part) = *own;
    if (!comparison.json)
      print_answer("{} before, {} after\n\n", name_of(parts.before_part), name_of(parts.after_part));
  }
  RecordPrinter printer(comparison.json, comparison.limit);
  const auto peaks = tell_comparison(parts, RowIds(comparison.b.value_or(comparison.a)), printer.taker());
  if (!peaks) {
    print_error("vizd compare: {}\n", peaks.error().text());
    return std::nullopt;
  }
  printer.finish();
  bool has_regressed = false;
  for (const auto& [device, before, after] : *peaks) {
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
