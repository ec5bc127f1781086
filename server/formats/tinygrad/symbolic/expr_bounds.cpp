// The bounds of an expression's value: ops.py _min_max, rule by rule. What a version bounds in its own way comes first
// (Language::own_bounds).
#include <algorithm>

#include "formats/tinygrad/symbolic/expr_graph.h"

namespace vizd::tinygrad {
namespace {

Bounds dtype_bounds(Scalar scalar) { return {least(scalar), greatest(scalar)}; }

Bounds exactly(Wide least, Wide greatest) { return {Number::of(least), Number::of(greatest)}; }

Bounds logic(bool least, bool greatest) { return {Number::of_bool(least), Number::of_bool(greatest)}; }

Bounds extremes(Wide p, Wide q, Wide r, Wide s) { return exactly(std::min({p, q, r, s}), std::max({p, q, r, s})); }

Bounds bounds_of_cmod(Wide a0, Wide a1, Wide b0, Wide b1, const Bounds& otherwise) {
  if (b0 == b1 && b0 > 0) {
    return exactly(a0 > 0 ? 0 : a0 > -b0 ? a0 : -(b1 - 1), a1 < 0 ? 0 : a1 < b0 ? a1 : b0 - 1);
  }
  if (b0 <= 0 && b1 >= 0) return otherwise;
  const Wide most = b0 > 0 ? b1 - 1 : -b0 - 1;
  return a0 >= 0 ? exactly(0, most) : a1 <= 0 ? exactly(-most, 0) : exactly(-most, most);
}

Bounds bounds_of_floormod(Wide a0, Wide a1, Wide b0, Wide b1, const Bounds& otherwise) {
  using python::floor_div;
  using python::floor_mod;
  if (a0 > a1) return exactly(0, 0);
  if (b0 == b1 && b0 != 0) {
    if (floor_div(a0, b0) == floor_div(a1, b0)) return exactly(floor_mod(a0, b0), floor_mod(a1, b0));
    return b0 > 0 ? exactly(0, b0 - 1) : exactly(b0 + 1, 0);
  }
  if (b0 > 0) return exactly(0, b1 - 1);
  return b1 < 0 ? exactly(b0 + 1, 0) : otherwise;
}

}  // namespace

Bounds ExprGraph::bounds(ExprId id) {
  if (!bounds_[index(id)]) {
    const Bounds found = find_bounds(id);
    bounds_[index(id)] = found;
  }
  return *bounds_[index(id)];
}

Bounds ExprGraph::find_bounds(ExprId id) {
  if (language_.own_bounds != nullptr) {
    if (const auto found = language_.own_bounds(*this, id)) return *found;
  }
  const Bounds of_dtype = dtype_bounds(scalar(id));
  const auto count = src(id).size();
  if (is_binary(op(id)) && count == 2 && !is_float(scalar(id))) {
    if (const auto found = bounds_of_binary(id)) return *found;
  }
  switch (op(id)) {
    case Ops::kWhere: {
      if (count != 3 || !is_int(scalar(id))) return of_dtype;
      const Bounds yes = bounds(src(id, 1)), no = bounds(src(id, 2));
      return {lesser(yes.least, no.least), greater(yes.greatest, no.greatest)};
    }
    case Ops::kParam:
    case Ops::kBuffer:
    case Ops::kDefineVar:
      return bounds_of_variable(id).value_or(of_dtype);
    case Ops::kRange:
    case Ops::kSpecial:
      if (count == 0 || scalar(id) == Scalar::kVoid) return of_dtype;
      return {Number::of(0), greatest(add(src(id, 0), -1))};
    case Ops::kAfter:
    case Ops::kIndex:
    case Ops::kBind:
      return count == 0 ? of_dtype : bounds(src(id, 0));
    case Ops::kStack: {
      if (count == 0) fail();
      Bounds all = count == 0 ? of_dtype : bounds(src(id, 0));
      for (std::size_t i = 1; i < count; ++i) {
        const Bounds one = bounds(src(id, i));
        all = {lesser(all.least, one.least), greater(all.greatest, one.greatest)};
      }
      return all;
    }
    case Ops::kConst:
      return number(id).is_invalid() ? of_dtype : Bounds{number(id), number(id)};
    default:
      return of_dtype;
  }
}

// The argument of a variable says them: (name, least, greatest), or vmin_vmax.
std::optional<Bounds> ExprGraph::bounds_of_variable(ExprId id) const {
  const bool is_tuple = op(id) == Ops::kDefineVar;
  const ValueId range = is_tuple ? arg(id) : values_.field(arg(id), "vmin_vmax");
  const std::size_t first = is_tuple ? 1 : 0;
  const auto items = values_.items(range);
  if (values_.kind(range) != ValueKind::kTuple || items.size() < first + 2) return std::nullopt;
  const auto number_of = [&](ValueId value) {
    if (values_.kind(value) == ValueKind::kBool) return Number::of_bool(values_.as_bool(value));
    if (values_.kind(value) == ValueKind::kFloat) return Number::of_real(values_.as_real(value));
    return Number::of(values_.kind(value) == ValueKind::kInt ? values_.as_int(value) : 0);
  };
  const auto is_number = [&](ValueId value) {
    const ValueKind kind = values_.kind(value);
    return kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kFloat;
  };
  if (is_tuple && !(is_number(items[first]) && is_number(items[first + 1]))) return std::nullopt;
  return Bounds{number_of(items[first]), number_of(items[first + 1])};
}

// The bounds of an op with two operands whose dtype is not a float; nothing if only the dtype bounds it.
std::optional<Bounds> ExprGraph::bounds_of_binary(ExprId id) {
  const Bounds a = bounds(src(id, 0)), b = bounds(src(id, 1));
  const bool is_bool = scalar(id) == Scalar::kBool;
  switch (op(id)) {
    case Ops::kAdd:
      return Bounds{python::add(a.least, b.least), python::add(a.greatest, b.greatest)};
    case Ops::kMax:
      return Bounds{greater(a.least, b.least), greater(a.greatest, b.greatest)};
    case Ops::kCmplt:
      return logic(less(a.greatest, b.least), less(a.least, b.greatest));
    case Ops::kCmpne:
      return logic(less(a.greatest, b.least) || less(b.greatest, a.least),
                   !(equal(a.least, a.greatest) && equal(a.greatest, b.least) && equal(b.least, b.greatest)));
    case Ops::kOr:
      if (!is_bool) return std::nullopt;
      return logic(a.least.truthy() || b.least.truthy(), a.greatest.truthy() || b.greatest.truthy());
    case Ops::kAnd:
      if (is_bool) return logic(a.least.truthy() && b.least.truthy(), a.greatest.truthy() && b.greatest.truthy());
      break;
    default:
      break;
  }
  const bool integers =
      a.least.is_integer() && a.greatest.is_integer() && b.least.is_integer() && b.greatest.is_integer();
  if (integers) return bounds_of_integers(id, a, b);
  const bool asserts = op(id) == Ops::kCdiv || op(id) == Ops::kFloordiv || op(id) == Ops::kFloormod;
  if (asserts) fail();
  return std::nullopt;
}

// The same of whole numbers alone.
std::optional<Bounds> ExprGraph::bounds_of_integers(ExprId id, const Bounds& a, const Bounds& b) {
  using python::c_div;
  using python::floor_div;
  using python::wide_add;
  using python::wide_mul;
  const Bounds of_dtype = dtype_bounds(scalar(id));
  const Wide a0 = a.least.integer, a1 = a.greatest.integer, b0 = b.least.integer, b1 = b.greatest.integer;
  switch (op(id)) {
    case Ops::kSub:
      return exactly(wide_add(a0, -b1), wide_add(a1, -b0));
    case Ops::kMul:
      return extremes(wide_mul(a0, b0), wide_mul(a0, b1), wide_mul(a1, b0), wide_mul(a1, b1));
    case Ops::kAnd:
      if (!is_int(scalar(id)) || b0 != b1 || b0 < 0) return std::nullopt;
      return exactly(0, a0 < 0 ? b1 : std::min(a1, b1));
    case Ops::kShl:
    case Ops::kShr: {
      if (b0 != b1) return std::nullopt;
      if (b0 < 0) fail();
      if (b0 < 0 || b0 > 120) return of_dtype;
      const Wide factor = Wide{1} << static_cast<int>(b0);
      if (op(id) == Ops::kShl) return exactly(wide_mul(a0, factor), wide_mul(a1, factor));
      return exactly(floor_div(a0, factor), floor_div(a1, factor));
    }
    case Ops::kCmod:
      return bounds_of_cmod(a0, a1, b0, b1, of_dtype);
    case Ops::kCdiv:
      if ((b0 > 0) != (b1 > 0) || b0 == 0 || b1 == 0) return std::nullopt;
      return extremes(c_div(a0, b0), c_div(a0, b1), c_div(a1, b0), c_div(a1, b1));
    case Ops::kFloordiv:
      if (a0 > a1) return exactly(0, 0);
      if ((b0 > 0) != (b1 > 0) || b0 == 0 || b1 == 0) return std::nullopt;
      return extremes(floor_div(a0, b0), floor_div(a0, b1), floor_div(a1, b0), floor_div(a1, b1));
    case Ops::kFloormod:
      return bounds_of_floormod(a0, a1, b0, b1, of_dtype);
    case Ops::kXor:
      if (b0 != b1 || b0 != -1) return std::nullopt;
      return exactly(-a1 - 1, -a0 - 1);
    default:
      return std::nullopt;
  }
}

}  // namespace vizd::tinygrad
