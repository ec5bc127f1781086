// Fields of who holds a memory.
#include <algorithm>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"

namespace vizd {
namespace {

FieldValue holder_name(const HolderLine& line) {
  if (line.row.id == kUnknownHolder) return {};
  if (line.row.id == kEarlierHolder) return std::string_view("made before the capture began");
  return line.holders.name_of(line.row);
}

}  // namespace

Fields<HolderLine> holder_fields() {
  using L = HolderLine;
  using R = MemoryHolder;
  return {
      {text_field("name", "made in", "What the allocations were made in").or_null("not known"), holder_name},
      {count_field("bytes", "bytes", "Of its allocations that are alive then", Unit::kBytes), &R::bytes},
      {real_field("share_pct", "% of held", Unit::kPercent, "Of all allocations that are alive then"),
       [](const L& l) {
         return 100.0 * static_cast<double>(l.row.bytes) / static_cast<double>(std::max<std::uint64_t>(l.all_bytes, 1));
       }},
      {count_field("grown_bytes", "grown", "How much more it holds than before", Unit::kBytes),
       [](const L& l) {
         return static_cast<std::int64_t>(l.row.bytes) - static_cast<std::int64_t>(l.row.before_bytes);
       }},
      {count_field("allocations", "allocations", "That are alive then"), &R::allocations},
      {count_field("largest_bytes", "largest", "Its largest allocation that is alive then", Unit::kBytes),
       [](const L& l) { return l.row.largest == kNoId ? 0 : l.memory.allocations[l.row.largest].size_bytes(); }},
      {text_field("modules", "modules", "Those that its largest allocation was made in, the outermost first").or_null(),
       [](const L& l) {
         std::string modules = l.holders.modules_of(l.row);
         return modules.empty() ? std::nullopt : std::optional(std::move(modules));
       }},
  };
}

}  // namespace vizd
