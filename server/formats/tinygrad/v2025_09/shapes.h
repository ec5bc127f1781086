// Shapes: the shapes of tinygrad's ShapeTrackers, each distinct one once, and what movement ops make of them. Of a
// tracker only the shape is kept: strides, offsets and masks are not needed for what an op's box shows. Where tinygrad
// raises, the answer is kRaises. Remembers what it found; belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash_index.h"
#include "base/sequence_table.h"
#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/sizes.h"

namespace vizd::tinygrad_2025_09 {

using tinygrad::ShapeId;

class Shapes {
 public:
  explicit Shapes(const OpGraph& graph) : graph_(graph), sizes_(graph) {}

  Sizes& sizes() { return sizes_; }

  // ShapeTracker.from_shape: kRaises for a negative size; symbolic sizes in their simplest form.
  ShapeId from_shape(std::span<const Size> sizes);
  // The same of a shape that may hold sizes which are not in their simplest form.
  ShapeId from_shape(ShapeId shape);
  // A tuple of ints and ops.
  ShapeId from_tuple(ValueId tuple);
  // The shape of a ShapeTracker; kNone for another value.
  ShapeId of_tracker(ValueId tracker);
  // shape after a movement op (RESHAPE, PERMUTE, EXPAND, PAD, SHRINK, FLIP) with this argument.
  ShapeId moved(Ops op, ShapeId shape, ValueId arg);

  std::vector<Size> get(ShapeId shape) const;
  // st.size: the product of the greatest values of all sizes; nothing where it raises.
  std::optional<Wide> element_count(ShapeId shape);
  // "(2,3,(4*n))" (serve.py shape_to_str); nothing where it raises.
  const std::optional<std::string>& text(ShapeId shape);

 private:
  struct Moved {
    Ops op;
    ShapeId shape;
    ValueId arg;
    ShapeId result;
  };

  ShapeId intern(std::span<const Size> sizes);
  std::uint32_t intern_size(const Size& size);
  std::optional<std::vector<Size>> read_tuple(ValueId tuple);
  std::optional<std::vector<std::pair<Size, Size>>> read_pairs(ValueId tuple);
  ShapeId find_moved(Ops op, ShapeId shape, ValueId arg);
  ShapeId reshape(ShapeId shape, ValueId arg);
  ShapeId permute(std::span<const Size> shape, ValueId arg);
  ShapeId expand(std::span<const Size> shape, ValueId arg);
  ShapeId pad(ShapeId shape, ValueId arg);
  ShapeId shrink(std::span<const Size> shape, ValueId arg);

  const OpGraph& graph_;
  Sizes sizes_;
  std::vector<Size> size_table_;
  HashIndex size_index_;
  SequenceTable shapes_;  // of size ids
  std::unordered_map<ShapeId, ShapeId> canonical_;
  std::unordered_map<ShapeId, std::optional<std::string>> texts_;
  std::unordered_map<ValueId, ShapeId> trackers_;
  std::vector<Moved> moved_;
  HashIndex moved_index_;
};

}  // namespace vizd::tinygrad_2025_09
