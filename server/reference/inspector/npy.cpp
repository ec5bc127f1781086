#include "reference/inspector/npy.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace vizd::inspector {
namespace {

constexpr std::pair<std::string_view, ScalarType> kTypes[] = {
    {"b1", ScalarType::kBool},  {"u1", ScalarType::kByte},   {"i1", ScalarType::kChar},  {"u2", ScalarType::kUInt16},
    {"i2", ScalarType::kShort}, {"u4", ScalarType::kUInt32}, {"i4", ScalarType::kInt},   {"u8", ScalarType::kUInt64},
    {"i8", ScalarType::kLong},  {"f2", ScalarType::kHalf},   {"f4", ScalarType::kFloat}, {"f8", ScalarType::kDouble}};

struct NpyHead {
  ScalarType type{};
  bool is_big_endian = false;
  bool is_fortran = false;
  std::vector<std::int64_t> shape;
};

// The value of a key in a Python dict's text: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
std::string_view value_of(std::string_view dict, std::string_view key) {
  const std::size_t at = dict.find(fmt::format("'{}'", key));
  if (at == dict.npos) return {};
  std::string_view rest = dict.substr(at + key.size() + 2);
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  const char close = rest.starts_with('(') ? ')' : rest.starts_with('\'') ? '\'' : ',';
  const std::size_t from = close == ',' ? 0 : 1;
  return rest.substr(from, std::min(rest.find(close, from), rest.size()) - from);
}

// "<f4" and the like.
bool read_descr(std::string_view text, NpyHead& head) {
  if (text.size() < 3) return false;
  head.is_big_endian = text[0] == '>';
  const auto found = std::ranges::find(kTypes, text.substr(1), &std::pair<std::string_view, ScalarType>::first);
  if (found == std::end(kTypes)) return false;
  head.type = found->second;
  return true;
}

bool read_shape(std::string_view text, NpyHead& head) {
  while (!text.empty()) {
    const std::size_t digit = text.find_first_not_of(", ");
    if (digit == text.npos) return true;
    text.remove_prefix(digit);
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || head.shape.size() == 64) return false;
    head.shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return true;
}

// The elements in little-endian C order.
std::vector<std::byte> in_order(std::span<const std::byte> bytes, const NpyHead& head, std::size_t size) {
  std::vector<std::byte> out(bytes.size());
  const std::size_t count = bytes.size() / size;
  std::vector<std::int64_t> at(head.shape.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t from = i;
    if (head.is_fortran) {
      from = 0;
      for (std::size_t d = head.shape.size(); d-- > 0;)
        from = from * static_cast<std::size_t>(head.shape[d]) + static_cast<std::size_t>(at[d]);
      for (std::size_t d = head.shape.size(); d-- > 0 && ++at[d] == head.shape[d];) at[d] = 0;
    }
    std::memcpy(out.data() + i * size, bytes.data() + from * size, size);
    if (head.is_big_endian) std::reverse(out.data() + i * size, out.data() + (i + 1) * size);
  }
  return out;
}

}  // namespace

Result<Tensor> read_npy(std::span<const std::byte> bytes, const std::string& name) {
  const auto wrong = [&](std::string_view what) { return Error{ErrorKind::kBadInput, std::string(what), name}; };
  constexpr std::string_view kMagic = "\x93NUMPY";
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic) || text.size() < 12) return wrong("is no .npy; save it with numpy.save");
  const bool is_first = text[6] == 1;
  std::uint32_t head_bytes = 0;
  std::memcpy(&head_bytes, bytes.data() + 8, is_first ? 2 : 4);
  const std::size_t begin = is_first ? 10 : 12;
  if (head_bytes > text.size() - begin) return wrong("its head is cut; is the file whole?");
  const std::string_view dict = text.substr(begin, head_bytes);
  NpyHead head;
  if (!read_descr(value_of(dict, "descr"), head)) {
    return wrong(fmt::format("holds '{}', which no tensor does; save numbers or booleans", value_of(dict, "descr")));
  }
  head.is_fortran = value_of(dict, "fortran_order").starts_with("True");
  if (!read_shape(value_of(dict, "shape"), head)) return wrong("its shape does not read");
  auto tensor = make_tensor(head.type, head.shape, bytes.subspan(begin + head_bytes));
  if (!tensor) return wrong(tensor.error().message);
  if (head.is_big_endian || (head.is_fortran && head.shape.size() > 1)) {
    tensor->storage =
        std::make_shared<const std::vector<std::byte>>(in_order(tensor->bytes, head, element_bits(head.type) / 8));
    tensor->bytes = *tensor->storage;
  }
  return tensor;
}

std::string write_npy(const Tensor& tensor) {
  constexpr std::size_t kAlignment = 64, kBeforeHead = 10;
  const auto* const known = std::ranges::find(kTypes, tensor.type, &std::pair<std::string_view, ScalarType>::second);
  std::string data;
  std::string_view type = "f8";
  if (known != std::end(kTypes)) {
    type = known->first;
    data.assign(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  } else {
    const std::vector<double> numbers = elements(tensor);
    data.assign(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  }
  std::string shape;
  for (const std::int64_t size : tensor.shape) shape += fmt::format("{}, ", size);
  const char order = element_bits(tensor.type) == 8 && known != std::end(kTypes) ? '|' : '<';
  std::string head = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", order, type, shape);
  head.append(kAlignment - (kBeforeHead + head.size() + 1) % kAlignment, ' ');
  head += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(head.size() & 0xFF);
  file += static_cast<char>(head.size() >> 8);
  return file + head + data;
}

}  // namespace vizd::inspector
