#include "formats/tinygrad/v2026_08/dtype.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vizd::tinygrad_2026_08 {
namespace {

using Set = std::uint32_t;  // of scalars, a bit each

constexpr Set bit(Scalar scalar) { return Set{1} << static_cast<int>(scalar); }

// What a dtype is promoted to in one step (dtype.py promo_lattice); 0 for those outside the lattice.
constexpr Set promoted(Scalar scalar) {
  switch (scalar) {
    case Scalar::kBool:
      return bit(Scalar::kWeakint);
    case Scalar::kWeakint:
      return bit(Scalar::kInt8) | bit(Scalar::kUint8);
    case Scalar::kInt8:
      return bit(Scalar::kInt16);
    case Scalar::kInt16:
      return bit(Scalar::kInt32);
    case Scalar::kInt32:
      return bit(Scalar::kInt64);
    case Scalar::kInt64:
    case Scalar::kUint64:
      return bit(Scalar::kWeakfloat);
    case Scalar::kUint8:
      return bit(Scalar::kInt16) | bit(Scalar::kUint16);
    case Scalar::kUint16:
      return bit(Scalar::kInt32) | bit(Scalar::kUint32);
    case Scalar::kUint32:
      return bit(Scalar::kInt64) | bit(Scalar::kUint64);
    case Scalar::kWeakfloat:
      return bit(Scalar::kFp8e4m3) | bit(Scalar::kFp8e5m2) | bit(Scalar::kFp8e4m3fnuz) | bit(Scalar::kFp8e5m2fnuz);
    case Scalar::kFp8e4m3:
    case Scalar::kFp8e5m2:
    case Scalar::kFp8e4m3fnuz:
    case Scalar::kFp8e5m2fnuz:
      return bit(Scalar::kFloat16) | bit(Scalar::kBfloat16);
    case Scalar::kFloat16:
    case Scalar::kBfloat16:
      return bit(Scalar::kFloat32);
    case Scalar::kFloat32:
      return bit(Scalar::kFloat64);
    default:
      return 0;
  }
}

// A dtype and all that it is promoted to.
Set above(Scalar scalar) {
  Set set = bit(scalar), before = 0;
  while (set != before) {
    before = set;
    for (int i = 0; i < kDTypeCount; ++i) {
      if ((before >> i & 1) != 0) set |= promoted(static_cast<Scalar>(i));
    }
  }
  return set;
}

bool is_in_lattice(Scalar scalar) { return promoted(scalar) != 0 || scalar == Scalar::kFloat64; }

// The nearest number with so many bits of mantissa (the leading one counted) and no smaller unit than 2^least_exponent;
// of two as near, the even one.
double rounded_to(double value, int bits, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(value) - bits + 1, least_exponent));
  return std::nearbyint(value / unit) * unit;
}

double saturated(double value, double most, bool has_infinity) {
  if (std::isnan(value) || std::fabs(value) <= most) return value;
  if (std::isinf(value)) return has_infinity ? value : std::numeric_limits<double>::quiet_NaN();
  return std::copysign(most, value);
}

}  // namespace

std::optional<Scalar> least_upper(Scalar a, Scalar b) {
  if (!is_in_lattice(a) || !is_in_lattice(b)) return std::nullopt;
  if (a == b) return a;
  const Set common = above(a) & above(b);
  std::optional<Scalar> least;
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto scalar = static_cast<Scalar>(i);
    if ((common >> i & 1) != 0 && (!least || comes_before(scalar, *least))) least = scalar;
  }
  return least;
}

std::optional<Scalar> least_upper_float(Scalar scalar) {
  if (scalar == Scalar::kWeakint) return Scalar::kWeakfloat;
  return is_float(scalar) ? std::optional(scalar) : least_upper(scalar, Scalar::kFloat32);
}

// dtype.py can_lossless_cast
bool casts_without_loss(Scalar from, Scalar to) {
  if (from == to || from == Scalar::kBool) return true;
  const bool is_fp8 = from >= Scalar::kFp8e4m3 && from <= Scalar::kFp8e5m2fnuz;
  const bool is_8 = from == Scalar::kInt8 || from == Scalar::kUint8;
  const bool is_16 = is_8 || from == Scalar::kInt16 || from == Scalar::kUint16;
  const bool is_32 = is_16 || from == Scalar::kInt32 || from == Scalar::kUint32;
  const bool is_small_float = is_fp8 || from == Scalar::kFloat16 || from == Scalar::kBfloat16;
  switch (to) {
    case Scalar::kWeakint:
      return is_int(from);
    case Scalar::kFloat64:
      return is_small_float || from == Scalar::kFloat32 || is_32;
    case Scalar::kFloat32:
      return is_small_float || is_16;
    case Scalar::kFloat16:
      return is_fp8 || is_8;
    case Scalar::kUint64:
      return from == Scalar::kUint32 || from == Scalar::kUint16 || from == Scalar::kUint8;
    case Scalar::kUint32:
      return from == Scalar::kUint16 || from == Scalar::kUint8;
    case Scalar::kUint16:
      return from == Scalar::kUint8;
    case Scalar::kInt64:
      return is_32;
    case Scalar::kInt32:
      return is_16;
    case Scalar::kInt16:
      return is_8;
    default:
      return false;
  }
}

double rounded(double value, Scalar scalar) {
  switch (scalar) {
    case Scalar::kFloat32:
      return static_cast<float>(value);
    case Scalar::kFloat16: {
      const double near = rounded_to(value, 11, -24);
      return std::fabs(near) > 65504 ? std::copysign(std::numeric_limits<double>::infinity(), value) : near;
    }
    case Scalar::kBfloat16:
      return rounded_to(static_cast<float>(value), 8, -133);
    case Scalar::kFp8e4m3:
      return saturated(rounded_to(value, 4, -9), 448, false);
    case Scalar::kFp8e5m2:
      return saturated(rounded_to(value, 3, -16), 57344, true);
    case Scalar::kFp8e4m3fnuz:
      return saturated(rounded_to(value, 4, -10), 240, false);
    case Scalar::kFp8e5m2fnuz:
      return saturated(rounded_to(value, 3, -17), 57344, false);
    default:
      return value;
  }
}

Number as_const(const Number& value, Scalar scalar) {
  if (value.is_invalid()) return value;
  if (is_float(scalar)) return Number::of_real(rounded(value.as_real(), scalar));
  if (scalar == Scalar::kBool) return Number::of_bool(value.truthy());
  return Number::of(value.is_integer() ? value.integer : python::truncated(value.real));
}

Scalar read_scalar(const ValueTable& values, ValueId dtype) {
  if (values.kind(dtype) != ValueKind::kObject || values.type_name(dtype) != "tinygrad.dtype.DType") {
    return Scalar::kOther;
  }
  const ValueId name = values.field(dtype, "name");
  const Scalar scalar = values.kind(name) == ValueKind::kString ? scalar_called(values.text(name)) : Scalar::kOther;
  return scalar == Scalar::kIndex ? Scalar::kOther : scalar;  // which 2026 has no more
}

namespace {

bool is_dtype_object(const ValueTable& values, ValueId value) {
  return values.kind(value) == ValueKind::kObject && values.type_name(value) == "tinygrad.dtype.DType";
}

std::string named_text(const ValueTable& values, ValueId dtype) {
  const ValueId name = values.field(dtype, "name");
  return fmt::format("dtypes.{}", values.kind(name) == ValueKind::kString ? values.text(name) : "");
}

}  // namespace

std::string dtype_text(const ValueTable& values, ValueId dtype) {
  const Scalar scalar = read_scalar(values, dtype);
  if (scalar != Scalar::kOther) return scalar_text(scalar);
  const auto number = [&](std::string_view name) {
    const ValueId field = values.field(dtype, name);
    return values.kind(field) == ValueKind::kInt ? values.as_int(field) : 1;
  };
  const auto lanes = [](std::int64_t count) { return count == 1 ? std::string() : fmt::format(".vec({})", count); };
  // Before 0.14.0 dtypes were vectors and pointers as well. Each is made of a simpler one, and no deeper.
  if (const ValueId scalar_of = values.field(dtype, "_scalar");
      is_dtype_object(values, dtype) && scalar_of != kNoneValue) {
    return (read_scalar(values, scalar_of) == Scalar::kOther ? named_text(values, scalar_of)
                                                             : scalar_text(read_scalar(values, scalar_of))) +
           lanes(number("count"));
  }
  if (const ValueId base = values.field(dtype, "_base"); is_dtype_object(values, base)) {
    const ValueId space = values.field(dtype, "addrspace");
    const bool is_told = values.kind(space) == ValueKind::kEnum && values.text(space) != "GLOBAL";
    return fmt::format("{}.ptr({}{}){}", dtype_text(values, base), number("size"),
                       is_told ? fmt::format(", AddrSpace.{}", values.text(space)) : "", lanes(number("v")));
  }
  return named_text(values, dtype);
}

ValueId add_dtype(ValueTable& values, Scalar scalar) {
  const ScalarInfo& info = scalar_info(scalar);
  const ValueId format = info.format.empty() ? kNoneValue : values.string(info.format);
  const ValueId fields[] = {
      values.string("priority"), values.integer(info.priority), values.string("bitsize"), values.integer(info.bits),
      values.string("name"),     values.string(info.c_name),    values.string("fmt"),     format};
  return values.object("tinygrad.dtype.DType", fields);
}

}  // namespace vizd::tinygrad_2026_08
