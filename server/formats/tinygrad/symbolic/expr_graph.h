// ExprGraph: expressions as tinygrad simplifies them to print a shape or an index: hash-consed, so that equal ids are
// equal expressions, with Python's operators as a version of tinygrad defines them (Language), and the bounds of each
// value. A graph of its own beside the capture's OpGraph, since simplifying makes new expressions and new numbers. What
// would raise in tinygrad sets failed(); the results until then are of no meaning. Belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "formats/tinygrad/symbolic/language.h"
#include "model/op_graph.h"

namespace vizd::tinygrad {

class ExprGraph {
 public:
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 22;
  static constexpr std::size_t kMaxWork = 2'000'000;
  // Sizes are counted up to here.
  static constexpr std::uint32_t kMaxSize = 64;

  ExprGraph(const ValueTable& values, const Language& language) : values_(values), language_(language) {}

  const ValueTable& values() const { return values_; }
  const Language& language() const { return language_; }

  // UOp(op, dtype, src, arg, tag): for anything but a constant. CAST and BITCAST have their dtype as their argument,
  // which is not given. dtype: where it says more than its scalar, as of a pointer.
  ExprId node(Ops op, Scalar scalar, std::span<const ExprId> src, ValueId arg = kNoneValue, ValueId tag = kNoneValue,
              ValueId dtype = kNoneValue);
  // UOp.const(value, dtype)
  ExprId constant(Scalar scalar, const Number& value);
  // A constant with exactly this number and tag, as a capture holds it.
  ExprId captured_constant(Scalar scalar, const Number& value, ValueId tag);
  // An op of another graph that is no arithmetic: equal only to itself, anything within its dtype. number: the
  // version's, of the op.
  ExprId opaque(std::uint16_t number, Scalar scalar, OpId origin);
  // UOp(op, src=src): the dtype follows from the sources.
  ExprId make(Ops op, std::span<const ExprId> src);
  ExprId make(Ops op, std::initializer_list<ExprId> src) { return make(op, std::span(src.begin(), src.size())); }
  // The op with other sources (replace(src=…)): its own dtype stays.
  ExprId with_sources(ExprId id, std::span<const ExprId> src);
  // The same as a rewrite rebuilds it: a dtype follows from the sources where any source's did change.
  ExprId rebuilt(ExprId id, std::span<const ExprId> src);

  Ops op(ExprId id) const { return nodes_[index(id)].op; }
  Scalar scalar(ExprId id) const { return nodes_[index(id)].scalar; }
  std::span<const ExprId> src(ExprId id) const;
  ExprId src(ExprId id, std::size_t i) const { return src(id)[i]; }
  ValueId arg(ExprId id) const { return nodes_[index(id)].arg; }
  ValueId tag(ExprId id) const { return nodes_[index(id)].tag; }
  ValueId dtype(ExprId id) const { return nodes_[index(id)].dtype; }
  bool is_const(ExprId id) const { return op(id) == Ops::kConst; }
  bool is_invalid(ExprId id) const { return is_const(id) && number(id).is_invalid(); }
  // Whether it is a constant and equals this number.
  bool is_const(ExprId id, Wide value) const { return is_const(id) && equal(number(id), Number::of(value)); }
  // Whether the version has one op for a vector of these: constants, of which not all are the same.
  bool are_one_constant(std::span<const ExprId> items) const;
  const Number& number(ExprId constant) const { return numbers_[nodes_[index(constant)].number]; }
  std::size_t size() const { return nodes_.size(); }
  // How many distinct expressions it is made of, itself counted; at most kMaxSize.
  std::uint32_t size_of(ExprId id) const { return nodes_[index(id)].size; }
  // What it is a view of: the source of movement ops and DETACH.
  ExprId base(ExprId id) const;

  // The operators of tinygrad's mixins: operands are brought to one dtype first.
  ExprId alu(Ops op, ExprId a, ExprId b);  // without that
  ExprId binary(Ops op, ExprId a, ExprId b);
  ExprId binary(Ops op, ExprId a, const Number& b);
  ExprId binary(Ops op, const Number& a, ExprId b);
  ExprId add(ExprId a, ExprId b) { return binary(Ops::kAdd, a, b); }
  ExprId add(ExprId a, Wide b) { return binary(Ops::kAdd, a, Number::of(b)); }
  ExprId subtract(ExprId a, ExprId b);
  ExprId multiply(ExprId a, ExprId b) { return binary(Ops::kMul, a, b); }
  ExprId multiply(ExprId a, Wide b) { return binary(Ops::kMul, a, Number::of(b)); }
  ExprId floor_divide(ExprId a, ExprId b);
  ExprId floor_divide(ExprId a, Wide b) { return floor_divide(a, number_expr(Number::of(b))); }
  ExprId remainder(ExprId a, ExprId b);
  ExprId remainder(ExprId a, Wide b) { return remainder(a, number_expr(Number::of(b))); }
  ExprId divide(ExprId a, ExprId b);  // a / b
  ExprId less_than(ExprId a, ExprId b) { return binary(Ops::kCmplt, a, b); }
  ExprId less_than(ExprId a, Wide b) { return binary(Ops::kCmplt, a, Number::of(b)); }
  ExprId not_equal(ExprId a, ExprId b) { return binary(Ops::kCmpne, a, b); }
  ExprId maximum(ExprId a, ExprId b) { return binary(Ops::kMax, a, b); }
  ExprId logical_not(ExprId id);
  ExprId negate(ExprId id);
  ExprId cast(ExprId id, Scalar scalar);
  ExprId where(ExprId condition, ExprId yes, ExprId no);
  // a._broadcasted(b): both as one dtype has them; fails where none does.
  std::pair<ExprId, ExprId> broadcasted(ExprId a, ExprId b);
  // A Python number by itself: a constant of the dtype of indices, or of what else the number is.
  ExprId number_expr(const Number& value);

  // uop._min_max
  Bounds bounds(ExprId id);
  Number least(ExprId id) { return bounds(id).least; }
  Number greatest(ExprId id) { return bounds(id).greatest; }

  // uop.tuplize < other.tuplize: the order in which commutative operands are put.
  bool comes_before(ExprId a, ExprId b) { return compare(a, b) < 0; }
  // Whether part is id or among what it is made of.
  bool contains(ExprId id, ExprId part) const;
  bool contains(ExprId id, Ops op) const;
  // The distinct expressions it is made of, sources first, itself last.
  std::vector<ExprId> parts(ExprId id) const;

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
    ValueId tag{};
    ValueId dtype{kNoneValue};
    std::uint32_t number = kNoNumber;  // of a constant
    OpId origin{kNoId};                // of an opaque op
    std::uint16_t order = 0;           // the version's number of the op
    std::uint32_t depth = 0;
    std::uint32_t size = 1;
  };

  ExprId intern(Node node, std::span<const ExprId> src);
  std::uint32_t count_parts(std::span<const ExprId> src) const;
  DerivedDType derived_dtype(Ops op, std::span<const ExprId> src) const;
  ExprId promoted(ExprId id, Scalar scalar);
  ExprId beside(ExprId id, const Number& value);
  Bounds find_bounds(ExprId id);
  std::optional<Bounds> bounds_of_binary(ExprId id);
  std::optional<Bounds> bounds_of_integers(ExprId id, const Bounds& a, const Bounds& b);
  std::optional<Bounds> bounds_of_variable(ExprId id) const;
  int compare(ExprId a, ExprId b);
  int compare_values(ValueId a, ValueId b);

  const ValueTable& values_;
  const Language& language_;
  std::vector<Node> nodes_;
  std::vector<ExprId> src_;
  std::vector<Number> numbers_;
  std::vector<std::optional<Bounds>> bounds_;
  HashIndex index_;
  std::size_t work_ = 0;
  bool failed_ = false;
};

}  // namespace vizd::tinygrad
