// OpFacts: what follows from an op and its sources: its shape, the loops it stands in, its device. Found when asked,
// from the sources' facts, and kept; finding costs what the op itself has in sources. Belongs to one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/tinygrad/fact_pages.h"
#include "formats/tinygrad/printing/range_sets.h"
#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/shapes.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

using tinygrad::RangeSets;
using tinygrad::RangesId;

// A device or a tuple of them, as far as a shape depends on it.
struct DeviceFact {
  enum class Kind : std::uint8_t { kNone, kRaises, kValue, kStack };
  Kind kind = Kind::kNone;
  std::uint32_t id = 0;  // kValue: of a string or tuple of strings; kStack: how many there are
  bool operator==(const DeviceFact&) const = default;
};

struct Facts {
  ShapeId shape = ShapeId::kNone;
  ShapeId first_source_shape = ShapeId::kNone;
  RangesId ranges = RangesId::kEmpty;
  DeviceFact device;
  ValueId dtype{};
  Ops op{};
  bool known = false;
  bool is_bound = false;  // other facts were found from the op's greatest value

  std::uint32_t label = kNoId;         // kept here by Labels
  std::uint32_t inlined_text = kNoId;  // likewise
};

class OpFacts {
 public:
  explicit OpFacts(const OpGraph& graph) : graph_(graph), shapes_(graph) {}

  // Valid until facts of another op are asked for.
  Facts& get(OpId id);
  void forget(OpId id) { at(id) = Facts(); }
  // Finds the facts again after the op has changed; whether any that its users' facts may depend on differs.
  bool refresh(OpId id);

  // The op's shape line takes no part in this: a KERNEL's shape, which is asked of few, is found here only.
  ShapeId shape(OpId id);
  Shapes& shapes() { return shapes_; }
  RangeSets& ranges() { return ranges_; }

 private:
  static constexpr int kMaxKernelDepth = 20;  // of KERNELs in syntax trees of KERNELs

  Facts& at(OpId id) { return facts_[id]; }
  void find(OpId id);
  RangesId find_ranges(const Op& op, OpId id);
  DeviceFact find_device(const Op& op);
  // op_shape.cpp, by UOp.st
  ShapeId find_shape(const Op& op);
  ShapeId shape_from_sources(const Op& op);
  ShapeId shape_of_multi(const Op& op);
  ShapeId shape_of_bitcast(const Op& op, ShapeId common);
  ShapeId shape_of_reduction(const Op& op, ShapeId common);
  ShapeId shape_up_to(std::span<const OpId> ranges, std::span<const Size> rest);
  ShapeId kernel_shape(OpId kernel);
  std::optional<Wide> element_count(OpId id);

  const OpGraph& graph_;
  Shapes shapes_;
  RangeSets ranges_;
  tinygrad::FactPages<Facts> facts_;
  int kernel_depth_ = 0;
};

}  // namespace vizd::tinygrad_2025_09
