#include "formats/tinygrad/v2025_09/symbolic/expr_graph.h"

#include <algorithm>
#include <bit>

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_comparison(Ops op) { return op == Ops::kCmplt || op == Ops::kCmpne || op == Ops::kCmpeq; }

std::uint32_t hash_number(const Number& value) {
  const std::uint64_t bits =
      value.is_integer() ? static_cast<std::uint64_t>(value.integer) : std::bit_cast<std::uint64_t>(value.real + 0.0);
  return mix_hash(
      mix_hash(static_cast<std::uint32_t>(value.kind == Number::Kind::kFloat), static_cast<std::uint32_t>(bits)),
      static_cast<std::uint32_t>(bits >> 32));
}

// How dtypes are ordered (by priority, size, name); any fixed order does where tinygrad's is never asked.
int order_of(Scalar scalar) {
  if (scalar == Scalar::kVoid || scalar == Scalar::kIndex) return scalar == Scalar::kVoid ? -2 : -1;
  return static_cast<int>(scalar);
}

}  // namespace

std::span<const ExprId> ExprGraph::src(ExprId id) const {
  const Node& node = nodes_[index(id)];
  return std::span(src_).subspan(node.src_begin, node.src_count);
}

ExprId ExprGraph::intern(Node node, std::span<const ExprId> src) {
  std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(node.op), static_cast<std::uint32_t>(node.scalar));
  hash = mix_hash(mix_hash(hash, static_cast<std::uint32_t>(values_.equality(node.arg))),
                  static_cast<std::uint32_t>(node.origin));
  if (node.number != kNoNumber) hash = mix_hash(hash, hash_number(numbers_[node.number]));
  for (const ExprId id : src) hash = mix_hash(hash, static_cast<std::uint32_t>(id));
  const auto found = index_.find(hash, [&](std::uint32_t i) {
    const Node& other = nodes_[i];
    if (other.op != node.op || other.scalar != node.scalar || other.origin != node.origin) return false;
    if (values_.equality(other.arg) != values_.equality(node.arg)) return false;
    if ((other.number == kNoNumber) != (node.number == kNoNumber)) return false;
    if (node.number != kNoNumber && !equal(numbers_[other.number], numbers_[node.number])) return false;
    return std::ranges::equal(this->src(to_id<ExprId>(i)), src);
  });
  if (found != HashIndex::kNone) return to_id<ExprId>(found);
  for (const ExprId id : src) node.depth = std::max(node.depth, nodes_[index(id)].depth + 1);
  if (node.depth > kMaxDepth || nodes_.size() >= kMaxNodes) {
    fail();
    return src.empty() ? to_id<ExprId>(0) : src[0];
  }
  const auto id = to_id<ExprId>(nodes_.size());
  const std::vector<ExprId> copy(src.begin(), src.end());  // src may be a view of our own, about to move
  node.src_begin = static_cast<std::uint32_t>(src_.size());
  node.src_count = static_cast<std::uint32_t>(copy.size());
  src_.insert(src_.end(), copy.begin(), copy.end());
  nodes_.push_back(node);
  bounds_.emplace_back();
  index_.add(hash, static_cast<std::uint32_t>(index(id)));
  return id;
}

ExprId ExprGraph::node(Ops op, Scalar scalar, std::span<const ExprId> src, ValueId arg) {
  return intern({.op = op, .scalar = scalar, .arg = arg}, src);
}

ExprId ExprGraph::constant(Scalar scalar, const Number& value) {
  numbers_.push_back(as_const(value, scalar));
  const auto number = static_cast<std::uint32_t>(numbers_.size() - 1);
  const ExprId id = intern({.op = Ops::kConst, .scalar = scalar, .number = number}, {});
  if (nodes_[index(id)].number != number) numbers_.pop_back();
  return id;
}

ExprId ExprGraph::opaque(Ops op, Scalar scalar, OpId origin) {
  return intern({.op = op, .scalar = scalar, .origin = origin}, {});
}

ExprId ExprGraph::alu(Ops op, ExprId a, ExprId b) {
  const ExprId src[] = {a, b};
  return node(op, is_comparison(op) ? Scalar::kBool : scalar(b), src);
}

ExprId ExprGraph::logical_not(ExprId id) { return alu(Ops::kCmpne, id, like(id, Number::of_bool(true))); }

ExprId ExprGraph::negate(ExprId id) { return scalar(id) == Scalar::kBool ? logical_not(id) : multiply(id, -1); }

Bounds ExprGraph::bounds(ExprId id) {
  if (!bounds_[index(id)]) {
    const Bounds found = find_bounds(id);
    bounds_[index(id)] = found;
  }
  return *bounds_[index(id)];
}

// ops.py _min_max
Bounds ExprGraph::find_bounds(ExprId id) {
  const Bounds of_dtype{vizd::tinygrad_2025_09::least(scalar(id)), vizd::tinygrad_2025_09::greatest(scalar(id))};
  const auto sources = src(id);
  const auto number_of = [&](ValueId value) -> std::optional<Number> {
    if (values_.kind(value) == ValueKind::kInt) return Number::of(values_.as_int(value));
    if (values_.kind(value) == ValueKind::kBool) return Number::of_bool(values_.as_bool(value));
    if (values_.kind(value) == ValueKind::kFloat) return Number::of_real(values_.as_real(value));
    return std::nullopt;
  };
  switch (op(id)) {
    case Ops::kConst:
      return number(id).is_invalid() ? of_dtype : Bounds{number(id), number(id)};
    case Ops::kDefineVar:
      if (const auto arg_items = values_.items(arg(id)); arg_items.size() >= 3) {
        const auto from = number_of(arg_items[1]), to = number_of(arg_items[2]);
        if (from && to) return {*from, *to};
      }
      return of_dtype;
    case Ops::kRange:
    case Ops::kSpecial:
      if (sources.empty()) break;
      return {Number::of(0), vizd::tinygrad_2025_09::add(greatest(sources[0]), Number::of(-1))};
    case Ops::kBind:
      if (sources.empty()) break;
      return bounds(sources[0]);
    case Ops::kWhere: {
      if (!is_int(scalar(id))) return of_dtype;
      const Bounds yes = bounds(sources[1]), no = bounds(src(id, 2));
      return {lesser(yes.least, no.least), greater(yes.greatest, no.greatest)};
    }
    case Ops::kCast: {
      if (is_unsigned(scalar(id)) || scalar(id) == Scalar::kBool || sources.empty()) return of_dtype;
      const Bounds inner = bounds(sources[0]);
      return {greater(of_dtype.least, inner.least), lesser(inner.greatest, of_dtype.greatest)};
    }
    default:
      if (sources.size() == 2 && !is_float(scalar(id))) return bounds_of_binary(id).value_or(of_dtype);
      return of_dtype;
  }
  fail();
  return of_dtype;
}

// Of an op with two operands whose dtype is no float; nothing where only the dtype bounds it.
std::optional<Bounds> ExprGraph::bounds_of_binary(ExprId id) {
  const Bounds a = bounds(src(id, 0)), b = bounds(src(id, 1));
  const bool integers =
      a.least.is_integer() && a.greatest.is_integer() && b.least.is_integer() && b.greatest.is_integer();
  const Wide a0 = a.least.integer, a1 = a.greatest.integer, b0 = b.least.integer, b1 = b.greatest.integer;
  const auto extremes = [](Wide p, Wide q, Wide r, Wide s) {
    return Bounds{Number::of(std::min({p, q, r, s})), Number::of(std::max({p, q, r, s}))};
  };
  const auto logic = [](bool least, bool greatest) {
    return Bounds{Number::of_bool(least), Number::of_bool(greatest)};
  };
  switch (op(id)) {
    case Ops::kCmplt:
      return logic(less(a.greatest, b.least), less(a.least, b.greatest));
    case Ops::kCmpne:
      return logic(less(a.greatest, b.least) || less(b.greatest, a.least),
                   !(equal(a.least, a.greatest) && equal(a.greatest, b.least) && equal(b.least, b.greatest)));
    case Ops::kMax:
      return Bounds{greater(a.least, b.least), greater(a.greatest, b.greatest)};
    case Ops::kAdd:
      return Bounds{vizd::tinygrad_2025_09::add(a.least, b.least), vizd::tinygrad_2025_09::add(a.greatest, b.greatest)};
    default:
      break;
  }
  if (!integers) {
    if (op(id) == Ops::kIdiv) fail();
    return std::nullopt;
  }
  switch (op(id)) {
    case Ops::kSub:
      return Bounds{Number::of(wide_add(a0, -b1)), Number::of(wide_add(a1, -b0))};
    case Ops::kMul:
      return extremes(wide_mul(a0, b0), wide_mul(a0, b1), wide_mul(a1, b0), wide_mul(a1, b1));
    case Ops::kIdiv:
      if ((b0 > 0) != (b1 > 0) || b0 == 0 || b1 == 0) return std::nullopt;
      return extremes(c_div(a0, b0), c_div(a0, b1), c_div(a1, b0), c_div(a1, b1));
    case Ops::kMod: {
      if (b0 <= 0 && b1 >= 0) return std::nullopt;
      const Wide most = b0 > 0 ? b1 - 1 : -b0 - 1;
      return Bounds{Number::of(a0 >= 0 ? 0 : -most), Number::of(a0 < 0 && a1 <= 0 ? 0 : most)};
    }
    case Ops::kAnd:
      if (b0 == b1 && a0 >= 0 && b0 >= 0)
        return Bounds{Number::of(std::min<Wide>(0, a0)), lesser(a.greatest, b.greatest)};
      if (scalar(id) == Scalar::kBool) return logic(a0 != 0 && b0 != 0, a1 != 0 && b1 != 0);
      return std::nullopt;
    case Ops::kOr:
      if (scalar(id) == Scalar::kBool) return logic(a0 != 0 || b0 != 0, a1 != 0 || b1 != 0);
      return std::nullopt;
    case Ops::kShl:
    case Ops::kShr: {
      if (b0 != b1 || b0 < 0 || b0 > 62) return std::nullopt;
      const Wide factor = Wide{1} << static_cast<int>(b0);
      if (op(id) == Ops::kShl) return Bounds{Number::of(wide_mul(a0, factor)), Number::of(wide_mul(a1, factor))};
      return Bounds{Number::of(floor_div(a0, factor)), Number::of(floor_div(a1, factor))};
    }
    default:
      return std::nullopt;
  }
}

// Python's comparison of two tuplize: op, arg, dtype, then the sources one by one. Recursion ends at kMaxDepth.
int ExprGraph::compare(ExprId a, ExprId b) {
  if (a == b) return 0;
  const Node& x = nodes_[index(a)];
  const Node& y = nodes_[index(b)];
  if (x.op != y.op) return x.op < y.op ? -1 : 1;
  if (x.number != kNoNumber) {
    if (!equal(number(a), number(b))) return less(number(a), number(b)) ? -1 : 1;
  } else if (const int by_arg = compare_values(x.arg, y.arg); by_arg != 0) {
    return by_arg;
  }
  if (x.scalar != y.scalar) return order_of(x.scalar) < order_of(y.scalar) ? -1 : 1;
  if (x.origin != y.origin) return x.origin < y.origin ? -1 : 1;
  const auto x_src = src(a), y_src = src(b);
  for (std::size_t i = 0; i < std::min(x_src.size(), y_src.size()); ++i) {
    if (const int by_source = compare(x_src[i], y_src[i]); by_source != 0) return by_source;
  }
  return x_src.size() == y_src.size() ? 0 : x_src.size() < y_src.size() ? -1 : 1;
}

// Python's comparison of two arguments; fails where Python cannot order them (members of enumerations).
int ExprGraph::compare_values(ValueId a, ValueId b) {
  if (values_.equality(a) == values_.equality(b)) return 0;
  const auto is_number = [&](ValueId id) {
    const ValueKind kind = values_.kind(id);
    return kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kFloat;
  };
  if (is_number(a) && is_number(b)) return values_.as_real(a) < values_.as_real(b) ? -1 : 1;
  if (values_.kind(a) == ValueKind::kString && values_.kind(b) == ValueKind::kString) {
    return values_.text(a) < values_.text(b) ? -1 : 1;
  }
  if (values_.kind(a) == ValueKind::kTuple && values_.kind(b) == ValueKind::kTuple) {
    const auto x = values_.items(a), y = values_.items(b);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (const int by_item = compare_values(x[i], y[i]); by_item != 0) return by_item;
    }
    return x.size() < y.size() ? -1 : 1;
  }
  fail();
  return a < b ? -1 : 1;
}

}  // namespace vizd::tinygrad_2025_09
