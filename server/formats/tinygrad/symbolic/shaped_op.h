// ShapedOp: what a version's rules for shapes (Language::find_shape) ask of an op, for ops of a capture and for
// expressions alike. Belongs to one thread.
#pragma once

#include <cstddef>

#include "formats/tinygrad/symbolic/ops.h"
#include "formats/tinygrad/symbolic/scalar.h"
#include "formats/tinygrad/symbolic/shape_table.h"
#include "model/value.h"

namespace vizd::tinygrad {

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
  // For a GETTUPLE: the shape of the tuple's element.
  virtual ShapeId element_shape() = 0;
};

}  // namespace vizd::tinygrad
