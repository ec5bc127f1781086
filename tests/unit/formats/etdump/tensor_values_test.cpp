#include "formats/etdump/tensor_values.h"

#include <cmath>
#include <limits>
#include <string>

#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::etdump::tensor_values_test {
namespace {

using namespace std::string_literals;

Tensor tensor_of(ScalarType type, std::vector<std::int64_t> shape, std::string_view bytes) {
  auto made = make_tensor(type, std::move(shape), as_bytes(bytes));
  REQUIRE(made);
  return *made;
}

double one(ScalarType type, std::string_view bytes) { return tensor_of(type, {1}, bytes).element(0); }

TEST_CASE("each scalar type reads as the number that PyTorch would show") {
  CHECK(one(ScalarType::kByte, "\xFF") == 255);
  CHECK(one(ScalarType::kChar, "\xFF") == -1);
  CHECK(one(ScalarType::kShort, "\x00\x80"s) == -32768);
  CHECK(one(ScalarType::kUInt16, "\x00\x80"s) == 32768);
  CHECK(one(ScalarType::kInt, "\xFE\xFF\xFF\xFF") == -2);
  CHECK(one(ScalarType::kUInt32, "\xFE\xFF\xFF\xFF") == 4294967294.0);
  CHECK(one(ScalarType::kLong, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF") == -1);
  CHECK(one(ScalarType::kUInt64, "\x00\x00\x00\x00\x00\x00\x00\x80"s) == 9223372036854775808.0);
  CHECK(one(ScalarType::kBool, "\x02") == 1);
  CHECK(one(ScalarType::kHalf, "\x00\x3C"s) == 1);
  CHECK(one(ScalarType::kHalf, "\x01\x00"s) == std::ldexp(1, -24));
  CHECK(one(ScalarType::kHalf, "\xFF\x7B") == 65504);
  CHECK(one(ScalarType::kHalf, "\x00\xFC"s) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(one(ScalarType::kHalf, "\x01\x7C")));
  CHECK(one(ScalarType::kBFloat16, "\x80\x3F") == 1);
  CHECK(one(ScalarType::kFloat8E5M2, "\x3C") == 1);
  CHECK(std::isinf(one(ScalarType::kFloat8E5M2, "\x7C")));
  CHECK(std::isnan(one(ScalarType::kFloat8E5M2, "\x7F")));
  CHECK(one(ScalarType::kFloat8E4M3Fn, "\x38") == 1);
  CHECK(one(ScalarType::kFloat8E4M3Fn, "\x7E") == 448);
  CHECK(std::isnan(one(ScalarType::kFloat8E4M3Fn, "\xFF")));
  CHECK(one(ScalarType::kFloat8E5M2Fnuz, "\x40") == 1);
  CHECK(std::isnan(one(ScalarType::kFloat8E5M2Fnuz, "\x80")));
  CHECK(one(ScalarType::kFloat8E4M3Fnuz, "\x40") == 1);
  CHECK(one(ScalarType::kFloat8E4M3Fnuz, "\x7F") == 240);
  CHECK(one(ScalarType::kQInt8, "\x80") == -128);
  CHECK(one(ScalarType::kQInt32, "\xFF\xFF\xFF\xFF") == -1);
  CHECK(elements(tensor_of(ScalarType::kQUInt4x2, {3}, "\xF1\x07")) == std::vector<double>{1, 15, 7});
  CHECK(elements(tensor_of(ScalarType::kQUInt2x4, {5}, "\xE4\x02")) == std::vector<double>{0, 1, 2, 3, 2});
}

TEST_CASE("a tensor of no shape or of too few bytes is none") {
  CHECK_FALSE(make_tensor(ScalarType::kFloat, {-1}, {}));
  CHECK_FALSE(make_tensor(ScalarType::kFloat, {1 << 30, 1 << 30, 1 << 30}, {}));
  CHECK_FALSE(make_tensor(ScalarType::kFloat, {2}, as_bytes("1234567")));
  CHECK_FALSE(make_tensor(static_cast<ScalarType>(99), {1}, as_bytes("1234")));
  CHECK_FALSE(make_tensor(static_cast<ScalarType>(-1), {1}, as_bytes("1234")));
  CHECK(tensor_of(ScalarType::kFloat, {3, 0}, "").element_count() == 0);
  CHECK(tensor_of(ScalarType::kFloat, {}, "1234").element_count() == 1);
}

}  // namespace
}  // namespace vizd::etdump::tensor_values_test
