// RangeSets: which loops (RANGE ops) an op stands in: ordered sets, each distinct one once. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash_index.h"
#include "base/sequence_table.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

enum class RangesId : std::uint32_t { kEmpty };

class RangeSets {
 public:
  explicit RangeSets(const ValueTable& values) : values_(values) {}

  // The set of one RANGE, which is known by its op and its argument.
  RangesId only(OpId range, ValueId arg);
  // Those of a, then those of b that are not in a.
  RangesId merged(RangesId a, RangesId b);
  // Those of a that are not in b.
  RangesId without(RangesId a, RangesId b);

  // "(0,1)" in the order of their numbers, coloured by axis type (serve.py uop_to_json); nothing where it raises.
  const std::optional<std::string>& text(RangesId set);

 private:
  struct Range {
    OpId op;
    ValueId arg;
  };
  struct Combined {
    RangesId a, b;
    bool is_merged;
    RangesId result;
  };

  RangesId combined(RangesId a, RangesId b, bool is_merged);
  std::optional<std::string> find_text(RangesId set) const;

  const ValueTable& values_;
  std::vector<Range> ranges_;
  HashIndex range_index_;
  SequenceTable sets_;  // of indices into ranges_
  std::vector<Combined> combined_;
  HashIndex combined_index_;
  std::unordered_map<RangesId, std::optional<std::string>> texts_;
};

}  // namespace vizd::tinygrad_2025_09
