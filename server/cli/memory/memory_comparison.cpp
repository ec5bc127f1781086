#include "cli/memory/memory_comparison.h"

#include <fmt/core.h>

#include <tuple>
#include <vector>

#include "base/amount_text.h"
#include "base/json_writer.h"
#include "base/standard_streams.h"
#include "cli/memory/memory_inputs.h"
#include "cli/memory/owner_records.h"

namespace vizd {
namespace {

std::string choice_name(const MemoryChoice& part) {
  return part.device ? fmt::format("device {}", *part.device) : part.range.empty() ? "all of it" : part.range;
}

double change_percent(const ComparedPeak& peak) {
  const auto before = static_cast<double>(peak.before_bytes);
  return before == 0 ? 0 : 100 * (static_cast<double>(peak.after_bytes) - before) / before;
}

void print_verdict(const std::vector<ComparedPeak>& peaks) {
  for (const ComparedPeak& peak : peaks) {
    print_answer("Device {}: the peak of allocated bytes is {}: {} before, {} after{}\n", peak.device,
                 peak.after_bytes > peak.before_bytes   ? "higher"
                 : peak.after_bytes < peak.before_bytes ? "lower"
                                                        : "the same",
                 bytes_text(peak.before_bytes), bytes_text(peak.after_bytes),
                 peak.before_bytes == 0 ? "" : fmt::format(" ({:+.2f} %)", change_percent(peak)));
  }
  print_answer("\n");
}

// One object a device.
torch_memory::Json verdict_json(const std::vector<ComparedPeak>& peaks) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const ComparedPeak& peak : peaks) {
    json.begin_object().key("of").text("peak of allocated bytes").key("device").number(peak.device);
    json.key("change_percent").real(change_percent(peak)).key("a_bytes").number(peak.before_bytes);
    json.key("b_bytes").number(peak.after_bytes).end_object();
  }
  json.end_array();
  return {std::move(text)};
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
      print_error("vizd compare: {}: has neither steps nor several devices to compare; name two snapshots\n",
                  comparison.a.name);
      return std::nullopt;
    }
    std::tie(parts.before_part, parts.after_part) = *own;
    if (!comparison.json)
      print_answer("{} before, {} after\n\n", choice_name(parts.before_part), choice_name(parts.after_part));
  }
  std::vector<torch_memory::Record> records;
  const auto peaks = tell_comparison(parts, RowIds(comparison.b.value_or(comparison.a)),
                                     [&](const torch_memory::Record& record) { records.push_back(record); });
  if (!peaks) {
    print_error("vizd compare: {}\n", peaks.error().text());
    return std::nullopt;
  }
  if (comparison.json && !records.empty()) records.front().push_back({"verdict", verdict_json(*peaks)});
  if (!comparison.json) print_verdict(*peaks);
  RecordPrinter printer(comparison.json, comparison.limit);
  for (const torch_memory::Record& record : records) printer.take(record);
  printer.finish();
  bool has_regressed = false;
  for (const auto& [device, before, after] : *peaks) {
    const double percent = change_percent({device, before, after});
    const bool is_more = after > before && (before == 0 || percent > comparison.most_regress_percent.value_or(0));
    if (!comparison.most_regress_percent || !is_more) continue;
    has_regressed = true;
    print_error("vizd compare: the peak of allocated bytes of device {} is {}, {} before: more than {} % more\n",
                device, after, before, *comparison.most_regress_percent);
  }
  return has_regressed;
}

}  // namespace vizd
