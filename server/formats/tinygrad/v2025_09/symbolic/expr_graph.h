// ExprGraph: expressions over sizes and indices, as tinygrad writes them in shapes, strides and offsets: hash-consed,
// so that equal ids are equal expressions, with Python's operators as tinygrad's MathTrait defines them, and the bounds
// of each value. A graph of its own beside the capture's OpGraph, since simplifying makes new expressions. What would
// raise in tinygrad sets failed(); the results until then are of no meaning. Belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "formats/tinygrad/v2025_09/ops.h"
#include "formats/tinygrad/v2025_09/symbolic/number.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

enum class ExprId : std::uint32_t {};

struct Bounds {
  Number least, greatest;
};

class ExprGraph {
 public:
  // Expressions deeper than this fail, as Python's recursion limit makes them fail in tinygrad; so do too many of them.
  static constexpr std::uint32_t kMaxDepth = 500;
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 22;

  static constexpr std::size_t kMaxWork = 2'000'000;

  explicit ExprGraph(const ValueTable& values) : values_(values) {}

  // UOp(op, dtype, src, arg): for anything but a constant.
  ExprId node(Ops op, Scalar scalar, std::span<const ExprId> src, ValueId arg = kNoneValue);
  // UOp.const(dtype, value)
  ExprId constant(Scalar scalar, const Number& value);
  // An op of another graph that is no arithmetic: equal only to itself, anything within its dtype.
  ExprId opaque(Ops op, Scalar scalar, OpId origin);

  Ops op(ExprId id) const { return nodes_[index(id)].op; }
  Scalar scalar(ExprId id) const { return nodes_[index(id)].scalar; }
  std::span<const ExprId> src(ExprId id) const;
  ExprId src(ExprId id, std::size_t i) const { return src(id)[i]; }
  ValueId arg(ExprId id) const { return nodes_[index(id)].arg; }
  bool is_const(ExprId id) const { return op(id) == Ops::kConst; }
  // Whether it is a constant and equals this number.
  bool is_const(ExprId id, Wide value) const { return is_const(id) && equal(number(id), Number::of(value)); }
  const Number& number(ExprId constant) const { return numbers_[nodes_[index(constant)].number]; }
  std::size_t size() const { return nodes_.size(); }

  // MathTrait: alu() and the operators made of it. A number beside an expression becomes a constant of its dtype.
  ExprId alu(Ops op, ExprId a, ExprId b);
  ExprId like(ExprId id, const Number& value) { return constant(scalar(id), value); }
  ExprId like(ExprId id, Wide value) { return like(id, Number::of(value)); }
  ExprId add(ExprId a, ExprId b) { return alu(Ops::kAdd, a, b); }
  ExprId add(ExprId a, Wide b) { return add(a, like(a, b)); }
  ExprId add(Wide a, ExprId b) { return add(like(b, a), b); }
  ExprId subtract(ExprId a, ExprId b) { return add(a, negate(b)); }
  ExprId subtract(ExprId a, Wide b) { return add(a, -b); }
  ExprId multiply(ExprId a, ExprId b) { return alu(Ops::kMul, a, b); }
  ExprId multiply(ExprId a, Wide b) { return multiply(a, like(a, b)); }
  ExprId multiply(Wide a, ExprId b) { return multiply(like(b, a), b); }
  ExprId divide(ExprId a, ExprId b) { return alu(Ops::kIdiv, a, b); }
  ExprId divide(ExprId a, Wide b) { return divide(a, like(a, b)); }
  ExprId less_than(ExprId a, ExprId b) { return alu(Ops::kCmplt, a, b); }
  ExprId less_than(ExprId a, Wide b) { return less_than(a, like(a, b)); }
  ExprId logical_not(ExprId id);
  ExprId negate(ExprId id);

  // uop._min_max
  Bounds bounds(ExprId id);
  Number least(ExprId id) { return bounds(id).least; }
  Number greatest(ExprId id) { return bounds(id).greatest; }
  bool least_at_least(ExprId id, Wide value) { return !less(least(id), Number::of(value)); }

  // uop.tuplize < other.tuplize: the order in which commutative operands are put.
  bool comes_before(ExprId a, ExprId b) { return compare(a, b) < 0; }

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  // Whether something failed since the last call; begins to count work anew.
  bool take_failure() {
    work_ = 0;
    return std::exchange(failed_, false);
  }
  // Counts a step of a search that could be exponential; fails and returns false once there were too many.
  bool spend_work() {
    if (++work_ > kMaxWork) fail();
    return !failed_;
  }

 private:
  static constexpr std::uint32_t kNoNumber = 0xFFFFFFFFu;

  struct Node {
    Ops op{};
    Scalar scalar{};
    std::uint32_t src_begin = 0, src_count = 0;
    ValueId arg{};
    std::uint32_t number = kNoNumber;  // of a constant
    OpId origin{kNoId};                // of an opaque one
    std::uint32_t depth = 0;
  };

  ExprId intern(Node node, std::span<const ExprId> src);
  Bounds find_bounds(ExprId id);
  std::optional<Bounds> bounds_of_binary(ExprId id);
  int compare(ExprId a, ExprId b);
  int compare_values(ValueId a, ValueId b);

  const ValueTable& values_;
  std::vector<Node> nodes_;
  std::vector<ExprId> src_;
  std::vector<Number> numbers_;
  std::vector<std::optional<Bounds>> bounds_;
  HashIndex index_;
  std::size_t work_ = 0;
  bool failed_ = false;
};

}  // namespace vizd::tinygrad_2025_09
