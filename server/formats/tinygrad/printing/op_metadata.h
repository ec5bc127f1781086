// OpMetadata: which calls of the user's program ops come from, as captures made under TRACEMETA=2 tell (UOp.metadata).
// It is no part of what an op is: equal ops are one. So a capture keeps it apart from them, among its values, as one
// object of pairs of an op and a tuple of Metadata. Read-only once made.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>

#include "model/value.h"

namespace vizd::tinygrad {

// Keeps what one record of ops tells.
void add_op_metadata(ValueTable& values, std::span<const std::pair<OpId, ValueId>> metadata);

class OpMetadata {
 public:
  // Of a capture that has been read, made by add_op_metadata(). O(values).
  explicit OpMetadata(const ValueTable& values);

  bool empty() const { return by_op_.empty(); }
  // The op's tuple of Metadata, or kNoneValue.
  ValueId of(OpId id) const;

 private:
  std::unordered_map<OpId, ValueId> by_op_;
};

}  // namespace vizd::tinygrad
