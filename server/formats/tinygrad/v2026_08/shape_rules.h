// The shape that follows from an op's sources (tinygrad's UOp._shape), for ops of a capture and for expressions alike.
// What raises in tinygrad, here or in a source, is ShapeId::kRaises.
#pragma once

#include <cstddef>
#include <optional>

#include "formats/tinygrad/v2026_08/symbolic/simplifier.h"

namespace vizd::tinygrad_2026_08 {

// What the rules ask of an op.
class ShapedOp {
 public:
  virtual ~ShapedOp() = default;

  virtual Ops op() const = 0;
  virtual Scalar scalar() const = 0;
  virtual ValueId arg() const = 0;
  virtual std::size_t source_count() const = 0;
  virtual Ops source_op(std::size_t i) const = 0;
  virtual Scalar source_scalar(std::size_t i) const = 0;
  virtual ShapeId source_shape(std::size_t i) const = 0;
  // The source as a shape (UOp.as_shape): of a STACK its items, else itself as the only size.
  virtual ShapeId source_as_shape(std::size_t i) = 0;
  // vmax of the source.
  virtual Number source_greatest(std::size_t i) = 0;
  // Of a GETTUPLE: the shape of the tuple's element.
  virtual ShapeId element_shape() = 0;
};

ShapeId find_shape(ShapedOp& op, Simplifier& simplifier);

}  // namespace vizd::tinygrad_2026_08
