#include "formats/etdump/tensor_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace vizd::etdump {
namespace {

struct TypeFacts {
  std::string_view name;
  unsigned bits;
};
// By number.
constexpr std::array<TypeFacts, kScalarTypeCount> kTypes{{
    {"uint8", 8},           {"int8", 8},
    {"int16", 16},          {"int32", 32},
    {"int64", 64},          {"float16", 16},
    {"float32", 32},        {"float64", 64},
    {"complex32", 32},      {"complex64", 64},
    {"complex128", 128},    {"bool", 8},
    {"qint8", 8},           {"quint8", 8},
    {"qint32", 32},         {"bfloat16", 16},
    {"quint4x2", 4},        {"quint2x4", 2},
    {"bits1x8", 1},         {"bits2x4", 2},
    {"bits4x2", 4},         {"bits8", 8},
    {"uint16", 16},         {"float8_e5m2", 8},
    {"float8_e4m3fn", 8},   {"float8_e5m2fnuz", 8},
    {"float8_e4m3fnuz", 8}, {"uint16", 16},
    {"uint32", 32},         {"uint64", 64},
}};

const TypeFacts* facts_of(ScalarType type) {
  const auto number = static_cast<std::size_t>(static_cast<std::uint8_t>(type));
  return number < kTypes.size() ? &kTypes[number] : nullptr;
}

// How the bits of a small float are laid out: what is left of the sign is exponent, then mantissa.
struct FloatLayout {
  unsigned exponent_bits, mantissa_bits;
  int bias;
  enum class Special { kIeee, kFiniteOnly, kUnsignedZero } special;
};

// The number of a small float. kIeee: infinities and NaN at the top exponent; kFiniteOnly: no infinity, NaN where all
// bits but the sign are set; kUnsignedZero: NaN where -0 would be, and nothing else special.
double small_float(std::uint32_t bits, const FloatLayout& layout) {
  const std::uint32_t sign = bits >> (layout.exponent_bits + layout.mantissa_bits) & 1;
  const std::uint32_t top = (1u << layout.exponent_bits) - 1, all = (1u << layout.mantissa_bits) - 1;
  const std::uint32_t exponent = bits >> layout.mantissa_bits & top, mantissa = bits & all;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  using enum FloatLayout::Special;
  if (layout.special == kIeee && exponent == top) {
    return mantissa != 0 ? kNan : (sign != 0 ? -1 : 1) * std::numeric_limits<double>::infinity();
  }
  if (layout.special == kFiniteOnly && exponent == top && mantissa == all) return kNan;
  if (layout.special == kUnsignedZero && sign != 0 && exponent == 0 && mantissa == 0) return kNan;
  const int bias = layout.bias + static_cast<int>(layout.mantissa_bits);
  const double size = exponent == 0 ? std::ldexp(mantissa, 1 - bias)
                                    : std::ldexp(mantissa + all + 1.0, static_cast<int>(exponent) - bias);
  return sign != 0 ? -size : size;
}

using enum FloatLayout::Special;
constexpr FloatLayout kHalf{5, 10, 15, kIeee}, kE5M2{5, 2, 15, kIeee}, kE4M3{4, 3, 7, kFiniteOnly},
    kE5M2Fnuz{5, 2, 16, kUnsignedZero}, kE4M3Fnuz{4, 3, 8, kUnsignedZero};

template <typename T>
T load(std::span<const std::byte> bytes, std::uint64_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place * sizeof(T), sizeof(T));
  return value;
}

double packed_element(std::span<const std::byte> bytes, unsigned bits, std::uint64_t place) {
  const auto per_byte = 8 / bits;
  const auto byte = std::to_integer<unsigned>(bytes[place / per_byte]);
  return byte >> (place % per_byte * bits) & ((1u << bits) - 1);
}

}  // namespace

std::string_view dtype_name(ScalarType type) {
  const TypeFacts* facts = facts_of(type);
  return facts == nullptr ? "unknown" : facts->name;
}

std::optional<ScalarType> dtype_of(std::string_view name) {
  if (name == "uint16") return ScalarType::kUInt16;  // Bits16 is read as that too
  const auto found = std::ranges::find(kTypes, name, &TypeFacts::name);
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<ScalarType>(found - kTypes.begin());
}

unsigned element_bits(ScalarType type) {
  const TypeFacts* facts = facts_of(type);
  return facts == nullptr ? 0 : facts->bits;
}

std::optional<std::uint64_t> dense_bytes(ScalarType type, std::uint64_t element_count) {
  const unsigned bits = element_bits(type);
  if (bits == 0 || element_count > std::uint64_t{1} << 48) return std::nullopt;
  return (element_count * bits + 7) / 8;
}

std::optional<std::uint64_t> element_count_of(std::span<const std::int64_t> shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48;
  std::uint64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    is_empty = is_empty || size == 0;
    if (size != 0 && static_cast<std::uint64_t>(size) > kMost / count) return std::nullopt;
    if (size != 0) count *= static_cast<std::uint64_t>(size);
  }
  return is_empty ? 0 : count;
}

std::uint64_t Tensor::element_count() const { return element_count_of(shape).value_or(0); }

double Tensor::element(std::uint64_t place) const {
  switch (type) {
    case ScalarType::kByte:
    case ScalarType::kQUInt8:
    case ScalarType::kBits8:
      return load<std::uint8_t>(bytes, place);
    case ScalarType::kBool:
      return load<std::uint8_t>(bytes, place) != 0 ? 1 : 0;
    case ScalarType::kChar:
    case ScalarType::kQInt8:
      return load<std::int8_t>(bytes, place);
    case ScalarType::kShort:
      return load<std::int16_t>(bytes, place);
    case ScalarType::kBits16:
    case ScalarType::kUInt16:
      return load<std::uint16_t>(bytes, place);
    case ScalarType::kInt:
    case ScalarType::kQInt32:
      return load<std::int32_t>(bytes, place);
    case ScalarType::kUInt32:
      return load<std::uint32_t>(bytes, place);
    case ScalarType::kLong:
      return static_cast<double>(load<std::int64_t>(bytes, place));
    case ScalarType::kUInt64:
      return static_cast<double>(load<std::uint64_t>(bytes, place));
    case ScalarType::kHalf:
      return small_float(load<std::uint16_t>(bytes, place), kHalf);
    case ScalarType::kComplexHalf:
      return small_float(load<std::uint16_t>(bytes, place * 2), kHalf);
    case ScalarType::kBFloat16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(bytes, place)) << 16);
    case ScalarType::kFloat:
      return load<float>(bytes, place);
    case ScalarType::kComplexFloat:
      return load<float>(bytes, place * 2);
    case ScalarType::kDouble:
      return load<double>(bytes, place);
    case ScalarType::kComplexDouble:
      return load<double>(bytes, place * 2);
    case ScalarType::kFloat8E5M2:
      return small_float(load<std::uint8_t>(bytes, place), kE5M2);
    case ScalarType::kFloat8E4M3Fn:
      return small_float(load<std::uint8_t>(bytes, place), kE4M3);
    case ScalarType::kFloat8E5M2Fnuz:
      return small_float(load<std::uint8_t>(bytes, place), kE5M2Fnuz);
    case ScalarType::kFloat8E4M3Fnuz:
      return small_float(load<std::uint8_t>(bytes, place), kE4M3Fnuz);
    case ScalarType::kQUInt4x2:
    case ScalarType::kQUInt2x4:
    case ScalarType::kBits1x8:
    case ScalarType::kBits2x4:
    case ScalarType::kBits4x2:
      return packed_element(bytes, element_bits(type), place);
  }
  return 0;
}

Result<Tensor> make_tensor(ScalarType type, std::vector<std::int64_t> shape, std::span<const std::byte> bytes,
                           std::shared_ptr<const std::vector<std::byte>> storage) {
  const auto count = element_count_of(shape);
  const auto size = count ? dense_bytes(type, *count) : std::nullopt;
  if (!size) return Error{ErrorKind::kBadInput, "a tensor's type or shape is invalid", ""};
  if (*size > bytes.size()) {
    return Error{ErrorKind::kBadInput, fmt::format("a tensor needs {} bytes, and has {}", *size, bytes.size()), ""};
  }
  return Tensor{type, std::move(shape), bytes.first(*size), false, std::move(storage)};
}

std::vector<double> elements(const Tensor& tensor, std::uint64_t first, std::uint64_t at_most) {
  std::vector<double> out;
  const std::uint64_t count = tensor.no_data ? 0 : tensor.element_count();
  if (first >= count) return out;
  const std::uint64_t size = std::min(at_most, count - first);
  out.reserve(size);
  for (std::uint64_t i = first; i < first + size; ++i) out.push_back(tensor.element(i));
  return out;
}

bool same_value(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const Tensor* left = a.tensor()) {
    const Tensor& right = *b.tensor();
    return left->type == right.type && left->shape == right.shape && left->no_data == right.no_data &&
           std::ranges::equal(left->bytes, right.bytes);
  }
  if (const auto* left = a.list()) return std::ranges::equal(*left, *b.list(), same_value);
  if (const auto* left = std::get_if<bool>(&a.data)) return *left == std::get<bool>(b.data);
  if (const auto* left = std::get_if<std::int64_t>(&a.data)) return *left == std::get<std::int64_t>(b.data);
  if (const auto* left = std::get_if<double>(&a.data)) {
    return std::bit_cast<std::uint64_t>(*left) == std::bit_cast<std::uint64_t>(std::get<double>(b.data));
  }
  return true;
}

}  // namespace vizd::etdump
