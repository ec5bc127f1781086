// RangeSets: which loops (RANGE ops) an op stands in: ordered sets, each distinct one once. Belongs to one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "base/sequence_table.h"
#include "model/op_graph.h"

namespace vizd::tinygrad {

enum class RangesId : std::uint32_t { kEmpty };

class RangeSets {
 public:
  struct Range {
    OpId op;
    ValueId arg;
  };

  // The set of one RANGE, which is known by its op and its argument.
  RangesId only(OpId range, ValueId arg);
  // Returns the ranges of a, then the ranges of b that are not in a.
  RangesId merged(RangesId a, RangesId b);
  // Returns the ranges of a that are not in b.
  RangesId without(RangesId a, RangesId b);

  // In order.
  std::vector<Range> get(RangesId set) const;

 private:
  struct Combined {
    RangesId a, b;
    bool is_merged;
    RangesId result;
  };

  RangesId combined(RangesId a, RangesId b, bool is_merged);

  std::vector<Range> ranges_;
  HashIndex range_index_;
  SequenceTable sets_;  // of indices into ranges_
  std::vector<Combined> combined_;
  HashIndex combined_index_;
};

}  // namespace vizd::tinygrad
