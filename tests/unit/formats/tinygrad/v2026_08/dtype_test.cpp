#include "formats/tinygrad/v2026_08/dtype.h"

#include <cmath>
#include <limits>

#include "model/capture.h"
#include "support/catch.h"

namespace vizd::tinygrad_2026_08::dtype_test {

TEST_CASE("two dtypes of 2026-08 meet in the smallest that holds the values of both") {
  const auto upper = [](Scalar a, Scalar b) {
    CHECK(least_upper(a, b) == least_upper(b, a));
    return least_upper(a, b);
  };
  CHECK(upper(Scalar::kBool, Scalar::kInt8) == Scalar::kInt8);
  CHECK(upper(Scalar::kInt8, Scalar::kUint8) == Scalar::kInt16);
  CHECK(upper(Scalar::kInt16, Scalar::kUint16) == Scalar::kInt32);
  CHECK(upper(Scalar::kInt32, Scalar::kUint32) == Scalar::kInt64);
  CHECK(upper(Scalar::kUint32, Scalar::kUint64) == Scalar::kUint64);
  CHECK(upper(Scalar::kInt32, Scalar::kFloat16) == Scalar::kFloat16);
  CHECK(upper(Scalar::kFloat16, Scalar::kBfloat16) == Scalar::kFloat32);
  CHECK(upper(Scalar::kFp8e4m3, Scalar::kFp8e5m2) == Scalar::kFloat16);
  CHECK(upper(Scalar::kFloat32, Scalar::kFloat64) == Scalar::kFloat64);
  CHECK(upper(Scalar::kFloat32, Scalar::kFloat32) == Scalar::kFloat32);
}

TEST_CASE("a weak dtype of 2026-08 gives way to any other of its kind") {
  CHECK(least_upper(Scalar::kWeakint, Scalar::kInt8) == Scalar::kInt8);
  CHECK(least_upper(Scalar::kWeakint, Scalar::kBool) == Scalar::kWeakint);
  CHECK(least_upper(Scalar::kWeakint, Scalar::kFloat16) == Scalar::kFloat16);
  CHECK(least_upper(Scalar::kWeakfloat, Scalar::kInt32) == Scalar::kWeakfloat);
  CHECK(least_upper(Scalar::kWeakfloat, Scalar::kBfloat16) == Scalar::kBfloat16);
  CHECK(weak_of(Scalar::kInt32) == Scalar::kWeakint);
  CHECK(weak_of(Scalar::kFloat16) == Scalar::kWeakfloat);
  CHECK(weak_of(Scalar::kBool) == Scalar::kBool);
  CHECK_FALSE(least_upper(Scalar::kVoid, Scalar::kInt32));
  CHECK_FALSE(least_upper(Scalar::kOther, Scalar::kInt32));
  CHECK_FALSE(least_upper(Scalar::kUint128, Scalar::kUint128));
}

TEST_CASE("what has no integers takes the smallest float of 2026-08") {
  CHECK(least_upper_float(Scalar::kInt32) == Scalar::kFloat32);
  CHECK(least_upper_float(Scalar::kBool) == Scalar::kFloat32);
  CHECK(least_upper_float(Scalar::kWeakint) == Scalar::kWeakfloat);
  CHECK(least_upper_float(Scalar::kFloat16) == Scalar::kFloat16);
}

TEST_CASE("casts of 2026-08 that lose nothing are known") {
  CHECK(casts_without_loss(Scalar::kBool, Scalar::kInt8));
  CHECK(casts_without_loss(Scalar::kInt16, Scalar::kInt32));
  CHECK(casts_without_loss(Scalar::kUint16, Scalar::kInt32));
  CHECK(casts_without_loss(Scalar::kInt32, Scalar::kFloat64));
  CHECK(casts_without_loss(Scalar::kUint64, Scalar::kWeakint));
  CHECK_FALSE(casts_without_loss(Scalar::kInt32, Scalar::kFloat32));
  CHECK_FALSE(casts_without_loss(Scalar::kInt32, Scalar::kUint32));
  CHECK_FALSE(casts_without_loss(Scalar::kFloat64, Scalar::kFloat32));
}

TEST_CASE("a constant of 2026-08 is what its dtype can hold") {
  const auto real = [](double value, Scalar scalar) { return as_const(Number::of_real(value), scalar).real; };
  CHECK((as_const(Number::of_real(-1.5), Scalar::kInt32).integer == -1));
  CHECK((as_const(Number::of(7), Scalar::kBool).integer == 1));
  CHECK(as_const(Number::invalid(), Scalar::kFloat32).is_invalid());
  CHECK(real(0.1, Scalar::kFloat32) == static_cast<double>(0.1f));
  CHECK(real(0.1, Scalar::kFloat64) == 0.1);
  CHECK(real(65519, Scalar::kFloat16) == 65504);
  CHECK(real(65520, Scalar::kFloat16) == std::numeric_limits<double>::infinity());
  CHECK(real(257, Scalar::kBfloat16) == 256);  // of two as near, the even one
  CHECK(real(259, Scalar::kBfloat16) == 260);
  CHECK(real(17, Scalar::kFp8e4m3) == 16);
  CHECK(real(1000, Scalar::kFp8e4m3) == 448);
  CHECK(std::isnan(real(std::numeric_limits<double>::infinity(), Scalar::kFp8e4m3)));
  CHECK(std::isinf(real(std::numeric_limits<double>::infinity(), Scalar::kFp8e5m2)));
}

TEST_CASE("a dtype of 2026-08 bounds its values") {
  CHECK((least(Scalar::kInt8).integer == -128));
  CHECK((greatest(Scalar::kInt8).integer == 127));
  CHECK((least(Scalar::kUint16).integer == 0));
  CHECK((greatest(Scalar::kUint16).integer == 65535));
  CHECK((greatest(Scalar::kBool).integer == 1));
  CHECK((greatest(Scalar::kWeakint).integer == python::kHuge));
  CHECK(greatest(Scalar::kFloat32).real == std::numeric_limits<double>::infinity());
}

TEST_CASE("dtypes of 2026-08 are in the order of their priority, width and name") {
  CHECK(comes_before(Scalar::kBool, Scalar::kInt8));
  CHECK(comes_before(Scalar::kUint64, Scalar::kFloat16));
  CHECK(comes_before(Scalar::kFp8e4m3, Scalar::kFp8e4m3fnuz));
  CHECK_FALSE(comes_before(Scalar::kFloat32, Scalar::kFloat32));
}

TEST_CASE("every dtype of 2026-08 is read from the value that a capture holds it as") {
  Capture capture;
  for (int i = 1; i < kDTypeCount; ++i) {
    const auto scalar = static_cast<Scalar>(i);
    CHECK(read_scalar(capture.values, add_dtype(capture.values, scalar)) == scalar);
  }
  CHECK(dtype_text(capture.values, add_dtype(capture.values, Scalar::kUint8)) == "dtypes.uchar");
  const ValueId unknown[] = {capture.values.string("name"), capture.values.string("float4")};
  const ValueId dtype = capture.values.object("tinygrad.dtype.DType", unknown);
  CHECK(read_scalar(capture.values, dtype) == Scalar::kOther);
  CHECK(dtype_text(capture.values, dtype) == "dtypes.float4");
  CHECK(read_scalar(capture.values, capture.values.integer(3)) == Scalar::kOther);
}

}  // namespace vizd::tinygrad_2026_08::dtype_test
