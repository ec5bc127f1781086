#include "formats/tinygrad/printing/op_metadata.h"

#include <string_view>
#include <vector>

namespace vizd::tinygrad {
namespace {

constexpr std::string_view kAllMetadata = "tinygrad.uop.ops.all_metadata";  // as tinygrad calls its table of them
constexpr std::string_view kByOp = "by_op";

}  // namespace

void add_op_metadata(ValueTable& values, std::span<const std::pair<OpId, ValueId>> metadata) {
  if (metadata.empty()) return;
  std::vector<ValueId> pairs;
  for (const auto& [op, told] : metadata) {
    pairs.push_back(values.op(op));
    pairs.push_back(told);
  }
  const ValueId fields[] = {values.string(kByOp), values.sequence(ValueKind::kDict, pairs)};
  values.object(kAllMetadata, fields);
}

OpMetadata::OpMetadata(const ValueTable& values) {
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const auto value = to_id<ValueId>(i);
    if (values.kind(value) != ValueKind::kObject || values.type_name(value) != kAllMetadata) continue;
    const auto pairs = values.items(values.field(value, kByOp));
    for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
      if (values.kind(pairs[k]) == ValueKind::kOp) by_op_.try_emplace(values.as_op(pairs[k]), pairs[k + 1]);
    }
  }
}

ValueId OpMetadata::of(OpId id) const {
  const auto found = by_op_.find(id);
  return found == by_op_.end() ? kNoneValue : found->second;
}

void LiveMetadata::set_recorded(OpId id, OpId capture_op) {
  const ValueId told = capture_op == OpId{kNoId} ? kNoneValue : recorded_.of(capture_op);
  if (told == kNoneValue) {
    by_equal_.erase(id);
  } else {
    by_equal_.insert_or_assign(id, told);
  }
}

ValueId LiveMetadata::of(OpId id) const {
  const auto equal = by_equal_.find(id);
  return equal == by_equal_.end() ? recorded_.of(id) : equal->second;
}

}  // namespace vizd::tinygrad
