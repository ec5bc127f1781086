#include "formats/tinygrad/symbolic/scalar.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace vizd::tinygrad {
namespace {

constexpr std::array<ScalarInfo, kScalarCount> kScalars = {{
    {"", "", -2, 0, ""},
    {"void", "void", -1, 0, ""},
    {"weakint", "weakint", 0, 800, ""},
    {"bool", "bool", 0, 1, "?"},
    {"signed char", "char", 1, 8, "b"},
    {"unsigned char", "uchar", 2, 8, "B"},
    {"short", "short", 3, 16, "h"},
    {"unsigned short", "ushort", 4, 16, "H"},
    {"int", "int", 5, 32, "i"},
    {"unsigned int", "uint", 6, 32, "I"},
    {"long", "long", 7, 64, "q"},
    {"unsigned long", "ulong", 8, 64, "Q"},
    {"uint128", "", 8, 128, ""},
    {"uint256", "", 8, 256, ""},
    {"weakfloat", "weakfloat", 9, 800, ""},
    {"float8_e4m3", "fp8e4m3", 10, 8, ""},
    {"float8_e5m2", "fp8e5m2", 11, 8, ""},
    {"float8_e4m3fnuz", "fp8e4m3fnuz", 10, 8, ""},
    {"float8_e5m2fnuz", "fp8e5m2fnuz", 11, 8, ""},
    {"half", "half", 12, 16, "e"},
    {"__bf16", "bfloat16", 13, 16, ""},
    {"float", "float", 14, 32, "f"},
    {"double", "double", 15, 64, "d"},
    {"index", "index", -1, 800, ""},
}};

bool is_unbounded(Scalar scalar) { return scalar == Scalar::kWeakint || scalar == Scalar::kIndex; }

}  // namespace

Scalar scalar_called(std::string_view c_name) {
  const auto found = std::ranges::find(kScalars, c_name, &ScalarInfo::c_name);
  return found == kScalars.end() ? Scalar::kOther : static_cast<Scalar>(found - kScalars.begin());
}

const ScalarInfo& scalar_info(Scalar scalar) { return kScalars[static_cast<std::size_t>(scalar)]; }

bool is_int(Scalar scalar) {
  return scalar == Scalar::kWeakint || scalar == Scalar::kIndex ||
         (scalar >= Scalar::kInt8 && scalar <= Scalar::kUint64);
}

bool is_unsigned(Scalar scalar) {
  return scalar == Scalar::kUint8 || scalar == Scalar::kUint16 || scalar == Scalar::kUint32 ||
         scalar == Scalar::kUint64;
}

bool is_float(Scalar scalar) { return scalar >= Scalar::kWeakfloat && scalar <= Scalar::kFloat64; }

Scalar weak_of(Scalar scalar) {
  return is_float(scalar) ? Scalar::kWeakfloat : is_int(scalar) ? Scalar::kWeakint : scalar;
}

std::int64_t item_size_bytes(Scalar scalar) { return (scalar_info(scalar).bits + 7) / 8; }

bool comes_before(Scalar a, Scalar b) {
  const auto key = [](const ScalarInfo& info) { return std::tuple(info.priority, info.bits, info.c_name); };
  return key(scalar_info(a)) < key(scalar_info(b));
}

Number least(Scalar scalar) {
  if (is_float(scalar)) return Number::of_real(-std::numeric_limits<double>::infinity());
  if (!is_int(scalar)) return Number::of_bool(false);
  if (is_unsigned(scalar)) return Number::of(0);
  return Number::of(is_unbounded(scalar) ? -python::kHuge : -(Wide{1} << (scalar_info(scalar).bits - 1)));
}

Number greatest(Scalar scalar) {
  if (is_float(scalar)) return Number::of_real(std::numeric_limits<double>::infinity());
  if (!is_int(scalar)) return Number::of_bool(true);
  if (is_unbounded(scalar)) return Number::of(python::kHuge);
  return Number::of((Wide{1} << (scalar_info(scalar).bits - (is_unsigned(scalar) ? 0 : 1))) - 1);
}

std::string scalar_text(Scalar scalar) { return fmt::format("dtypes.{}", scalar_info(scalar).name); }

}  // namespace vizd::tinygrad
