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
  // The metadata of a capture that has been read, made by add_op_metadata(). O(values).
  explicit OpMetadata(const ValueTable& values);

  bool empty() const { return by_op_.empty(); }
  // The op's tuple of Metadata, or kNoneValue.
  ValueId of(OpId id) const;

 private:
  std::unordered_map<OpId, ValueId> by_op_;
};

// The metadata of a graph's ops, of those beyond the capture too: of one that equals an op of the capture, that one's.
// Belongs to one thread; what was recorded must outlive it.
class LiveMetadata {
 public:
  explicit LiveMetadata(const OpMetadata& recorded) : recorded_(recorded) {}

  bool empty() const { return recorded_.empty(); }
  // Which op of the capture an op beyond it equals, or kNoId.
  void set_recorded(OpId id, OpId capture_op);
  // The op's tuple of Metadata, or kNoneValue.
  ValueId of(OpId id) const;

 private:
  const OpMetadata& recorded_;
  std::unordered_map<OpId, ValueId> by_equal_;
};

}  // namespace vizd::tinygrad
