#include "formats/tinygrad/symbolic/expr_graph.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace vizd::tinygrad {
namespace {

std::uint32_t hash_number(const Number& value) {
  const std::uint64_t bits =
      value.is_integer() ? static_cast<std::uint64_t>(value.integer) : std::bit_cast<std::uint64_t>(value.real);
  return mix_hash(mix_hash(static_cast<std::uint32_t>(value.kind), static_cast<std::uint32_t>(bits)),
                  static_cast<std::uint32_t>(bits >> 32));
}

// As arguments of constants: floats by their bits (ConstFloat), apart from integers by their dtype.
bool same_number(const Number& a, const Number& b) {
  if (a.kind != b.kind) return a.is_integer() && b.is_integer() && a.integer == b.integer;
  if (a.kind != Number::Kind::kFloat) return equal(a, b);
  return std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real) ||
         (a.real != a.real && b.real != b.real);
}

}  // namespace

std::span<const ExprId> ExprGraph::src(ExprId id) const {
  const Node& node = nodes_[index(id)];
  return std::span(src_).subspan(node.src_begin, node.src_count);
}

bool ExprGraph::are_one_constant(std::span<const ExprId> items) const {
  return language_.constants_number != 0 && std::ranges::all_of(items, [&](ExprId id) { return is_const(id); }) &&
         std::ranges::any_of(items, [&](ExprId id) { return id != items[0]; });
}

ExprId ExprGraph::intern(Node node, std::span<const ExprId> src) {
  if (node.op == Ops::kStack)
    node.order = are_one_constant(src) ? language_.constants_number : language_.number(Ops::kStack);
  std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(node.op), static_cast<std::uint32_t>(node.scalar));
  hash = mix_hash(mix_hash(hash, static_cast<std::uint32_t>(values_.equality(node.arg))),
                  static_cast<std::uint32_t>(values_.equality(node.tag)));
  hash = mix_hash(hash, static_cast<std::uint32_t>(values_.equality(node.dtype)));
  if (node.op == Ops::kOpaque) hash = mix_hash(hash, static_cast<std::uint32_t>(node.origin));
  if (node.number != kNoNumber) hash = mix_hash(hash, hash_number(numbers_[node.number]));
  for (const ExprId id : src) hash = mix_hash(hash, static_cast<std::uint32_t>(id));
  const auto found = index_.find(hash, [&](std::uint32_t i) {
    const Node& other = nodes_[i];
    if (other.op != node.op || other.scalar != node.scalar || other.origin != node.origin) return false;
    if (values_.equality(other.arg) != values_.equality(node.arg)) return false;
    if (values_.equality(other.tag) != values_.equality(node.tag)) return false;
    if (values_.equality(other.dtype) != values_.equality(node.dtype)) return false;
    if ((other.number == kNoNumber) != (node.number == kNoNumber)) return false;
    if (node.number != kNoNumber && !same_number(numbers_[other.number], numbers_[node.number])) return false;
    return std::ranges::equal(this->src(to_id<ExprId>(i)), src);
  });
  if (found != HashIndex::kNone) return to_id<ExprId>(found);
  for (const ExprId id : src) node.depth = std::max(node.depth, nodes_[index(id)].depth + 1);
  if (node.depth > language_.max_depth || nodes_.size() >= kMaxNodes) {
    fail();
    return src.empty() ? to_id<ExprId>(0) : src[0];
  }
  const auto id = to_id<ExprId>(nodes_.size());
  const std::vector<ExprId> copy(src.begin(), src.end());  // src may be a view of our own, about to move
  node.src_begin = static_cast<std::uint32_t>(src_.size());
  node.src_count = static_cast<std::uint32_t>(copy.size());
  node.size = count_parts(copy);
  src_.insert(src_.end(), copy.begin(), copy.end());
  nodes_.push_back(node);
  bounds_.emplace_back();
  index_.add(hash, static_cast<std::uint32_t>(index(id)));
  return id;
}

// Counts the parts of an op with these sources.
std::uint32_t ExprGraph::count_parts(std::span<const ExprId> src) const {
  std::vector<ExprId> seen;
  for (const ExprId id : src) {
    if (size_of(id) >= kMaxSize) return kMaxSize;
    if (std::ranges::find(seen, id) == seen.end()) seen.push_back(id);
  }
  for (std::size_t i = 0; i < seen.size() && seen.size() < kMaxSize; ++i) {
    for (const ExprId id : this->src(seen[i])) {
      if (std::ranges::find(seen, id) == seen.end()) seen.push_back(id);
    }
  }
  return std::min<std::uint32_t>(static_cast<std::uint32_t>(seen.size()) + 1, kMaxSize);
}

ExprId ExprGraph::node(Ops op, Scalar scalar, std::span<const ExprId> src, ValueId arg, ValueId tag, ValueId dtype) {
  if (op == Ops::kCast || op == Ops::kBitcast) arg = kNoneValue;
  return intern({.op = op, .scalar = scalar, .arg = arg, .tag = tag, .dtype = dtype, .order = language_.number(op)},
                src);
}

ExprId ExprGraph::captured_constant(Scalar scalar, const Number& value, ValueId tag) {
  numbers_.push_back(value);
  const auto number = static_cast<std::uint32_t>(numbers_.size() - 1);
  const ExprId id = intern(
      {.op = Ops::kConst, .scalar = scalar, .tag = tag, .number = number, .order = language_.number(Ops::kConst)}, {});
  if (nodes_[index(id)].number != number) numbers_.pop_back();
  return id;
}

ExprId ExprGraph::opaque(std::uint16_t number, Scalar scalar, OpId origin) {
  return intern({.op = Ops::kOpaque, .scalar = scalar, .origin = origin, .order = number}, {});
}

ExprId ExprGraph::constant(Scalar scalar, const Number& value) {
  if (value.is_invalid() && language_.has_bool_invalid) scalar = Scalar::kBool;
  return captured_constant(scalar, language_.as_const(value, scalar), kNoneValue);
}

DerivedDType ExprGraph::derived_dtype(Ops op, std::span<const ExprId> src) const {
  std::vector<Scalar> scalars;
  std::vector<char> invalid;
  for (const ExprId id : src) {
    scalars.push_back(scalar(id));
    invalid.push_back(is_invalid(base(id)));
  }
  static_assert(sizeof(bool) == sizeof(char));
  return language_.derive_dtype(
      op, {.sources = scalars, .is_invalid = {reinterpret_cast<const bool*>(invalid.data()), invalid.size()}});
}

ExprId ExprGraph::make(Ops op, std::span<const ExprId> src) {
  const DerivedDType derived = derived_dtype(op, src);
  if (derived.kind == DerivedDType::Kind::kRaises) fail();
  return node(op, derived.scalar, src);
}

ExprId ExprGraph::with_sources(ExprId id, std::span<const ExprId> src) {
  const Node node = nodes_[index(id)];
  if (std::ranges::equal(this->src(id), src)) return id;
  return intern({.op = node.op,
                 .scalar = node.scalar,
                 .arg = node.arg,
                 .tag = node.tag,
                 .dtype = node.dtype,
                 .order = node.order},
                src);
}

ExprId ExprGraph::rebuilt(ExprId id, std::span<const ExprId> src) {
  const Node node = nodes_[index(id)];
  Scalar scalar = node.scalar;
  const auto old = this->src(id);
  bool same = true;
  for (std::size_t i = 0; i < src.size(); ++i) same = same && this->scalar(old[i]) == this->scalar(src[i]);
  if (!same && node.op != Ops::kCast && node.op != Ops::kBitcast && node.op != Ops::kParam && node.op != Ops::kBuffer) {
    const DerivedDType derived = derived_dtype(node.op, src);
    if (derived.kind == DerivedDType::Kind::kRaises) fail();
    if (derived.kind == DerivedDType::Kind::kDerived) scalar = derived.scalar;
  }
  const ValueId dtype = scalar == node.scalar ? node.dtype : kNoneValue;
  return intern(
      {.op = node.op, .scalar = scalar, .arg = node.arg, .tag = node.tag, .dtype = dtype, .order = node.order}, src);
}

ExprId ExprGraph::base(ExprId id) const {
  while ((is_movement(op(id)) || op(id) == Ops::kDetach) && !src(id).empty()) id = src(id, 0);
  return id;
}

ExprId ExprGraph::alu(Ops op, ExprId a, ExprId b) { return make(op, {a, b}); }

ExprId ExprGraph::number_expr(const Number& value) {
  const Scalar scalar = value.kind == Number::Kind::kFloat                        ? Scalar::kWeakfloat
                        : value.is_invalid() || value.kind == Number::Kind::kBool ? Scalar::kBool
                                                                                  : language_.index;
  return constant(scalar, value);
}

ExprId ExprGraph::promoted(ExprId id, Scalar to) {
  const ExprId root = base(id);
  if (is_invalid(root)) return id;
  if (is_weak(scalar(id)) && is_const(root)) {
    // A view of a constant would become the constant expanded to its shape, which is the same where it has none.
    return root == id ? constant(weak_of(to), number(root)) : cast(id, to);
  }
  return cast(id, to);
}

std::pair<ExprId, ExprId> ExprGraph::broadcasted(ExprId a, ExprId b) {
  if (language_.common_dtype == nullptr) return {a, b};
  const auto upper = language_.common_dtype(scalar(a), scalar(b));
  if (!upper) {
    fail();
    return {a, b};
  }
  return {promoted(a, *upper), promoted(b, *upper)};
}

ExprId ExprGraph::binary(Ops op, ExprId a, ExprId b) {
  const auto [x, y] = broadcasted(a, b);
  return alu(op, x, y);
}

// A number as an operand beside an expression.
ExprId ExprGraph::beside(ExprId id, const Number& value) {
  return language_.common_dtype == nullptr ? constant(scalar(id), value) : number_expr(value);
}

ExprId ExprGraph::binary(Ops op, ExprId a, const Number& b) { return binary(op, a, beside(a, b)); }

ExprId ExprGraph::binary(Ops op, const Number& a, ExprId b) { return binary(op, beside(b, a), b); }

ExprId ExprGraph::subtract(ExprId a, ExprId b) {
  const auto [x, y] = broadcasted(a, b);
  return alu(Ops::kAdd, x, negate(y));
}

ExprId ExprGraph::floor_divide(ExprId a, ExprId b) {
  const auto [x, y] = broadcasted(a, b);
  if (!is_int(scalar(x)) || !is_int(scalar(y))) fail();  // tinygrad goes on with floats, which no index does
  return alu(Ops::kFloordiv, x, y);
}

ExprId ExprGraph::remainder(ExprId a, ExprId b) {
  const auto [x, y] = broadcasted(a, b);
  if (!is_int(scalar(x)) || !is_int(scalar(y))) fail();
  return alu(Ops::kFloormod, x, y);
}

ExprId ExprGraph::divide(ExprId a, ExprId b) {
  auto [x, y] = broadcasted(a, b);
  if (is_int(scalar(x)) || scalar(x) == Scalar::kBool) x = cast(x, Scalar::kFloat32);
  return alu(Ops::kMul, x, make(Ops::kReciprocal, {y}));
}

ExprId ExprGraph::logical_not(ExprId id) { return binary(Ops::kCmpne, cast(id, Scalar::kBool), Number::of_bool(true)); }

ExprId ExprGraph::negate(ExprId id) { return scalar(id) == Scalar::kBool ? logical_not(id) : multiply(id, -1); }

ExprId ExprGraph::cast(ExprId id, Scalar to) {
  const ExprId src[] = {id};
  return scalar(id) == to ? id : node(Ops::kCast, to, src);
}

ExprId ExprGraph::where(ExprId condition, ExprId yes, ExprId no) {
  const auto [x, y] = broadcasted(yes, no);
  return make(Ops::kWhere, {condition, x, y});
}

bool ExprGraph::contains(ExprId id, ExprId part) const {
  const auto all = parts(id);
  return std::ranges::find(all, part) != all.end();
}

bool ExprGraph::contains(ExprId id, Ops wanted) const {
  const auto all = parts(id);
  return std::ranges::any_of(all, [&](ExprId part) { return op(part) == wanted; });
}

std::vector<ExprId> ExprGraph::parts(ExprId id) const {
  std::vector<ExprId> order;
  std::unordered_set<ExprId> done;
  std::vector<std::pair<ExprId, bool>> stack{{id, false}};
  while (!stack.empty()) {
    const auto [next, visited] = stack.back();
    stack.pop_back();
    if (done.contains(next)) continue;
    if (visited) {
      done.insert(next);
      order.push_back(next);
      continue;
    }
    stack.emplace_back(next, true);
    const auto sources = src(next);
    for (auto it = sources.rbegin(); it != sources.rend(); ++it) stack.emplace_back(*it, false);
  }
  return order;
}

// Python's comparison of two tuplize: op, arg, dtype, then the sources one by one. Recursion ends at max_depth.
int ExprGraph::compare(ExprId a, ExprId b) {
  if (a == b) return 0;
  const Node x = nodes_[index(a)], y = nodes_[index(b)];
  if (x.order != y.order) return x.order < y.order ? -1 : 1;
  if (x.number != kNoNumber) {
    if (!same_number(number(a), number(b))) {
      if (number(a).is_invalid() || number(b).is_invalid()) fail();
      if (!equal(number(a), number(b))) return less(number(a), number(b)) ? -1 : 1;
    }
  } else if (const int by_arg = compare_values(x.arg, y.arg); by_arg != 0) {
    return by_arg;
  }
  if (x.scalar != y.scalar) return tinygrad::comes_before(x.scalar, y.scalar) ? -1 : 1;
  if (x.origin != y.origin) return x.origin < y.origin ? -1 : 1;
  const auto count = std::min(x.src_count, y.src_count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (const int by_source = compare(src(a, i), src(b, i)); by_source != 0) return by_source;
  }
  return x.src_count == y.src_count ? 0 : x.src_count < y.src_count ? -1 : 1;
}

// Python's comparison of two arguments; fails where Python cannot order them (None beside a text, enumerations).
int ExprGraph::compare_values(ValueId a, ValueId b) {
  if (values_.equality(a) == values_.equality(b)) return 0;
  const auto is_number = [&](ValueId id) {
    const ValueKind kind = values_.kind(id);
    return kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kFloat;
  };
  const auto kind = values_.kind(a);
  if (is_number(a) && is_number(b)) return values_.as_real(a) < values_.as_real(b) ? -1 : 1;
  if (kind != values_.kind(b)) {
    fail();
    return a < b ? -1 : 1;
  }
  if (kind == ValueKind::kString) return values_.text(a) < values_.text(b) ? -1 : 1;
  const bool is_ordered_enum =
      kind == ValueKind::kEnum && values_.type_name(a) != "tinygrad.uop.ops.AxisType";  // an IntEnum
  if (is_ordered_enum) return values_.as_int(a) < values_.as_int(b) ? -1 : 1;
  const bool is_dtype = kind == ValueKind::kObject && values_.type_name(a) == "tinygrad.dtype.DType";
  if (is_dtype) {
    const auto scalar_of = [&](ValueId dtype) {
      const ValueId name = values_.field(dtype, "name");
      return values_.kind(name) == ValueKind::kString ? scalar_called(values_.text(name)) : Scalar::kOther;
    };
    return tinygrad::comes_before(scalar_of(a), scalar_of(b)) ? -1 : 1;
  }
  const bool is_ordered = kind == ValueKind::kTuple || kind == ValueKind::kObject;
  if (is_ordered) {
    const std::size_t first = kind == ValueKind::kObject ? 1 : 0, step = first + 1;
    const auto x = values_.items(a), y = values_.items(b);
    for (std::size_t i = first; i < std::min(x.size(), y.size()); i += step) {
      if (const int by_item = compare_values(x[i], y[i]); by_item != 0) return by_item;
    }
    return x.size() < y.size() ? -1 : 1;
  }
  fail();
  return a < b ? -1 : 1;
}

}  // namespace vizd::tinygrad
