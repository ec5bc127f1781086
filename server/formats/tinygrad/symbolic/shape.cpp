// The shapes of expressions, and constants in the shape of one.
#include "formats/tinygrad/symbolic/shaped_op.h"
#include "formats/tinygrad/symbolic/simplifier.h"

namespace vizd::tinygrad {
namespace {

// An expression as the rules ask it.
class ShapedExpr final : public ShapedOp {
 public:
  ShapedExpr(Simplifier& simplifier, ExprId id) : s_(simplifier), g_(simplifier.graph()), id_(id) {}

  Ops op() const override { return g_.op(id_); }
  Scalar scalar() const override { return g_.scalar(id_); }
  ValueId arg() const override { return g_.arg(id_); }
  std::size_t source_count() const override { return g_.src(id_).size(); }
  Ops source_op(std::size_t i) const override { return g_.op(g_.src(id_, i)); }
  Scalar source_scalar(std::size_t i) const override { return g_.scalar(g_.src(id_, i)); }
  ShapeId source_shape(std::size_t i) const override { return s_.shape(g_.src(id_, i)); }
  ShapeId source_as_shape(std::size_t i) override { return s_.as_shape(g_.src(id_, i)); }
  Number source_greatest(std::size_t i) override { return g_.greatest(g_.src(id_, i)); }
  ShapeId element_shape() override {
    if (g_.src(id_).empty() || g_.values().kind(arg()) != ValueKind::kInt) return ShapeId::kRaises;
    ExprId tuple = g_.src(id_, 0);
    if (g_.op(tuple) == Ops::kFunction && !g_.src(tuple).empty()) tuple = g_.src(tuple, 0);
    const auto i = static_cast<std::size_t>(g_.values().as_int(arg()));
    return g_.op(tuple) == Ops::kTuple && i < g_.src(tuple).size() ? s_.shape(g_.src(tuple, i)) : ShapeId::kRaises;
  }

 private:
  Simplifier& s_;
  ExprGraph& g_;
  ExprId id_;
};

}  // namespace

ShapeId Simplifier::shape(ExprId id) {
  const auto find_shape = graph_.language().find_shape;
  if (find_shape == nullptr) return ShapeTable::kScalar;
  if (const auto found = shape_of_.find(id); found != shape_of_.end()) return found->second;
  if (graph_.failed()) return ShapeId::kRaises;
  for (const ExprId part : graph_.parts(id)) {
    if (shape_of_.contains(part)) continue;
    ShapedExpr op(*this, part);
    const ShapeId found = find_shape(op, *this);
    shape_of_.emplace(part, found);
  }
  return shape_of_.at(id);
}

// UOp.as_shape
ShapeId Simplifier::as_shape(ExprId id) {
  std::vector<ExprId> sizes;
  if (graph_.op(id) == Ops::kStack) {
    const std::vector<ExprId> items(graph_.src(id).begin(), graph_.src(id).end());
    for (const ExprId item : items) sizes.push_back(size(item));
  } else {
    sizes.push_back(size(id));
  }
  return graph_.failed() ? ShapeId::kRaises : shapes_.add(sizes);
}

ExprId Simplifier::like(ExprId id, const Number& value) {
  const ExprId constant = graph_.constant(graph_.scalar(id), value);
  const ShapeId shape = this->shape(id);
  if (shape == ShapeId::kRaises) graph_.fail();
  if (!is_shape(shape) || shape == ShapeTable::kScalar) return constant;
  const auto sizes = shapes_.get(shape);
  const ExprId argument = sizes.size() == 1 ? sizes[0] : graph_.make(Ops::kStack, sizes);
  return graph_.make(Ops::kExpand, {constant, argument});
}

}  // namespace vizd::tinygrad
