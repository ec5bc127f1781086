#include "formats/etdump/tensor_values.h"

#include <cmath>
#include <limits>
#include <string>

#include "formats/etdump/npy.h"
#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::etdump {
namespace {

using namespace std::string_literals;

Tensor tensor_of(ScalarType type, std::vector<std::int64_t> shape, std::string_view bytes) {
  auto made = make_tensor(type, std::move(shape), as_bytes(bytes));
  REQUIRE(made);
  return *made;
}

double one(ScalarType type, std::string_view bytes) { return tensor_of(type, {1}, bytes).element(0); }

std::string json_of(const Value& value) {
  std::string text;
  JsonWriter json(text);
  write_value(json, value);
  return text;
}

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

TEST_CASE("a tensor's summary counts what is no number and leaves it out of the rest") {
  const std::string bytes =
      "\x00\x00\xC0\x7F"
      "\x00\x00\x80\x7F"
      "\x00\x00\x80\x3F"
      "\x00\x00\x00\xC0"
      "\x00\x00\x00\x00"s;
  const TensorSummary summary = summarize(tensor_of(ScalarType::kFloat, {5}, bytes));
  CHECK(summary.nan_count == 1);
  CHECK(summary.infinite_count == 1);
  CHECK(summary.zero_count == 1);
  CHECK(summary.min == -2);
  CHECK(summary.max == 1);
  CHECK(summary.mean == Approx(-1.0 / 3));
  CHECK(json_of({tensor_of(ScalarType::kFloat, {2}, bytes)}) ==
        R"({"dtype":"float32","shape":[2],"sha1":")" + summarize(tensor_of(ScalarType::kFloat, {2}, bytes)).sha1 +
            R"(","min":null,"max":null,"mean":null,"nan":1,"inf":1,"first":["nan","inf"]})");
  CHECK(summarize(tensor_of(ScalarType::kByte, {3}, "abc")).sha1 == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST_CASE("values are written as the Inspector's answers are compared") {
  CHECK(json_of({std::vector<Value>{{true}, {std::int64_t{-3}}, {0.5}, {}}}) == "[true,-3,0.5,null]");
  CHECK(json_of({-std::numeric_limits<double>::infinity()}) == "\"-inf\"");
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

std::string npy(std::string_view head, std::string_view data) {
  std::string bytes = "\x93NUMPY\x01\x00"s;
  bytes += static_cast<char>(head.size());
  bytes += '\0';
  return bytes.append(head).append(data);
}

TEST_CASE("a .npy is read whatever the order of its bytes and elements") {
  const std::string plain =
      npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", "\1\0\2\0\3\0\4\0\5\0\6\0"s);
  const auto read = read_npy(as_bytes(plain), "a.npy");
  REQUIRE(read);
  CHECK(read->shape == std::vector<std::int64_t>{2, 3});
  CHECK(elements(*read) == std::vector<double>{1, 2, 3, 4, 5, 6});

  const std::string turned =
      npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n", "\0\1\0\4\0\2\0\5\0\3\0\6"s);
  const auto other = read_npy(as_bytes(turned), "b.npy");
  REQUIRE(other);
  CHECK(elements(*other) == std::vector<double>{1, 2, 3, 4, 5, 6});

  const std::string scalar = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "\1");
  CHECK(read_npy(as_bytes(scalar), "c.npy")->element(0) == 1);
}

TEST_CASE("a .npy that is cut or holds objects is an error that names it") {
  const std::string whole = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", "12345678");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = read_npy(as_bytes(std::string_view(whole).substr(0, size)), "cut.npy");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().where == "cut.npy");
  }
  CHECK_FALSE(
      read_npy(as_bytes(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", "12345678")), "o.npy"));
  CHECK_FALSE(read_npy(as_bytes(npy("{'descr': '<f4', 'shape': (99999999999999999999,), }\n", "1234")), "s.npy"));
}

}  // namespace
}  // namespace vizd::etdump
