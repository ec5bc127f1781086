// OpNames: what the ops of a capture are called: those of the table, and those that only the capture knows, which a
// newer tinygrad wrote. Constant once made; any thread.
#pragma once

#include <string_view>
#include <unordered_map>

#include "formats/tinygrad/v2026_08/ops.h"
#include "model/value.h"

namespace vizd::tinygrad_2026_08 {

class OpNames {
 public:
  OpNames() = default;
  explicit OpNames(const ValueTable& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ValueId id = to_id<ValueId>(i);
      if (values.kind(id) != ValueKind::kEnum || values.as_int(id) < kOpsCount) continue;
      if (values.type_name(id) == "tinygrad.uop.Ops") {
        others_.emplace(static_cast<Ops>(values.as_int(id)), values.text(id));
      }
    }
  }

  std::string_view operator()(Ops op) const {
    if (static_cast<std::size_t>(op) < kOpsCount) return op_name(op);
    const auto found = others_.find(op);
    return found == others_.end() ? "UNKNOWN" : found->second;
  }

 private:
  std::unordered_map<Ops, std::string_view> others_;
};

}  // namespace vizd::tinygrad_2026_08
