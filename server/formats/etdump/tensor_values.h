// Values that a runtime logged and that a reference is compared with: numbers, and tensors of every scalar type of
// ExecuTorch with their dense little-endian bytes. Read-only once made, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace vizd::etdump {

// As ExecuTorch and PyTorch number them.
enum class ScalarType : std::int8_t {
  kByte = 0,
  kChar = 1,
  kShort = 2,
  kInt = 3,
  kLong = 4,
  kHalf = 5,
  kFloat = 6,
  kDouble = 7,
  kComplexHalf = 8,
  kComplexFloat = 9,
  kComplexDouble = 10,
  kBool = 11,
  kQInt8 = 12,
  kQUInt8 = 13,
  kQInt32 = 14,
  kBFloat16 = 15,
  kQUInt4x2 = 16,  // two to a byte, the first in the low bits
  kQUInt2x4 = 17,  // four to a byte, the first in the low bits
  kBits1x8 = 18,
  kBits2x4 = 19,
  kBits4x2 = 20,
  kBits8 = 21,
  kBits16 = 22,
  kFloat8E5M2 = 23,
  kFloat8E4M3Fn = 24,
  kFloat8E5M2Fnuz = 25,
  kFloat8E4M3Fnuz = 26,
  kUInt16 = 27,
  kUInt32 = 28,
  kUInt64 = 29,
};
inline constexpr int kScalarTypeCount = 30;

// "float32", "int64", "bool", … as PyTorch prints them; Bits16 is "uint16", as the Inspector reads it.
std::string_view dtype_name(ScalarType type);
// The type that PyTorch or numpy calls so ("float32", "uint16", "quint8"); none where neither does.
std::optional<ScalarType> dtype_of(std::string_view name);
// Bits of an element; 0 of a number that is no type.
unsigned element_bits(ScalarType type);
// Bytes that so many elements take, packed types rounded up; none where that is no sensible number.
std::optional<std::uint64_t> dense_bytes(ScalarType type, std::uint64_t element_count);

struct Tensor {
  ScalarType type = ScalarType::kFloat;
  std::vector<std::int64_t> shape;   // none negative; their product is element_count()
  std::span<const std::byte> bytes;  // dense, dense_bytes() of them; empty where the capture has no data (no_data)
  bool no_data = false;              // the shape is known and the bytes are not: no debug buffer, or one cut short
  std::shared_ptr<const std::vector<std::byte>> storage = {};  // holds bytes, where no file does

  std::uint64_t element_count() const;
  // The element at a place in dense order, as a number; complex ones by their real part. The place must exist.
  double element(std::uint64_t place) const;
};

// The product of a shape; none where a size is negative or the product passes 2^48.
std::optional<std::uint64_t> element_count_of(std::span<const std::int64_t> shape);

// A tensor of these bytes, which must outlive it unless storage holds them. Errors: a shape that is none, and fewer
// bytes than it needs.
Result<Tensor> make_tensor(ScalarType type, std::vector<std::int64_t> shape, std::span<const std::byte> bytes,
                           std::shared_ptr<const std::vector<std::byte>> storage = {});

// monostate: None, and what is of no kind that is known.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, Tensor, std::vector<Value>> data;

  const Tensor* tensor() const { return std::get_if<Tensor>(&data); }
  const std::vector<Value>* list() const { return std::get_if<std::vector<Value>>(&data); }
};

// The elements as numbers, from a place on, at most so many.
std::vector<double> elements(const Tensor& tensor, std::uint64_t first = 0, std::uint64_t at_most = UINT64_MAX);

// Whether shape, type and bytes are the same, NaNs of the same bits included.
bool same_value(const Value& a, const Value& b);

}  // namespace vizd::etdump
