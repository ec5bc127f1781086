#include "reference/inspector/value_summary.h"

#include <limits>
#include <string>

#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::inspector::value_summary_test {
namespace {

using namespace std::string_literals;

Tensor tensor_of(ScalarType type, std::vector<std::int64_t> shape, std::string_view bytes) {
  auto made = make_tensor(type, std::move(shape), as_bytes(bytes));
  REQUIRE(made);
  return *made;
}

std::string json_of(const Value& value) {
  std::string text;
  JsonWriter json(text);
  write_value(json, value);
  return text;
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

}  // namespace
}  // namespace vizd::inspector::value_summary_test
