// What an op carries whose capture says itself what it means (include/vizd/FORMAT.md), as values: its argument is
// either a text or, where the capture says more of the op than that, an object of kOpType with the fields below.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/value.h"

namespace vizd {

inline constexpr std::string_view kOpType = "vizd.Op";

// In the order of the object's items. What an op lacks is kNoneValue.
enum class OpField : std::size_t { kArgument, kShape, kLabel, kText, kIdentity, kContext, kInlined, kCount };

inline constexpr std::array<std::string_view, static_cast<std::size_t>(OpField::kCount)> kOpFieldNames = {
    "argument", "shape", "label", "text", "identity", "context", "inlined"};

// A field of an op's argument; the argument itself where it is no object of kOpType.
inline ValueId op_field(const ValueTable& values, ValueId argument, OpField field) {
  if (values.kind(argument) != ValueKind::kObject || values.type_name(argument) != kOpType) {
    return field == OpField::kArgument ? argument : kNoneValue;
  }
  const auto items = values.items(argument);
  const std::size_t at = static_cast<std::size_t>(field) * 2 + 1;
  return at < items.size() ? items[at] : kNoneValue;
}

// What the compiler itself tells this op by, from one whole graph to the next; 0 where it does not say.
inline std::uint64_t op_identity(const ValueTable& values, ValueId argument) {
  const ValueId identity = op_field(values, argument, OpField::kIdentity);
  return values.kind(identity) == ValueKind::kInt ? static_cast<std::uint64_t>(values.as_int(identity)) : 0;
}

}  // namespace vizd
