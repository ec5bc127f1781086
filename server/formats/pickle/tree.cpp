#include "formats/pickle/tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace vizd::pickle {
namespace {

// Divides the number in words (little-endian) by divisor in place; the remainder.
std::uint32_t divide(std::vector<std::uint32_t>& words, std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    const std::uint64_t part = remainder << 32 | words[i];
    words[i] = static_cast<std::uint32_t>(part / divisor);
    remainder = part % divisor;
  }
  while (!words.empty() && words.back() == 0) words.pop_back();
  return static_cast<std::uint32_t>(remainder);
}

}  // namespace

std::size_t Tree::long_size(Node node) const {
  const auto number = [&](std::size_t bytes_before) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes_before; i-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes[node.at - bytes_before + i]);
    return value;
  };
  // BINBYTES has four bytes of length, the others of this size eight, of which the upper four are zeros.
  constexpr std::byte kBinBytes{'B'};
  const bool is_short = bytes[node.at - 5] == kBinBytes && number(4) >= Node::kMaxCount;
  return static_cast<std::size_t>(number(is_short ? 4 : 8));
}

std::optional<std::int64_t> Tree::integer(Node node) const {
  if (node.is(Kind::kBool) || node.is(Kind::kInt)) return static_cast<std::int32_t>(node.at);
  if (!node.is(Kind::kLong) || node.count() > 8) return std::nullopt;
  std::int64_t value = 0;
  for (std::uint32_t i = node.count(); i-- > 0;) {
    const auto byte = std::to_integer<std::uint8_t>(bytes[node.at + i]);
    const bool is_top = i + 1 == node.count();
    value = is_top ? static_cast<std::int8_t>(byte) : value * 256 + byte;
  }
  return value;
}

std::optional<double> Tree::real(Node node) const {
  if (!node.is(Kind::kFloat)) {
    const auto value = integer(node);
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  }
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < 8; ++i) bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[node.at + i]);
  return std::bit_cast<double>(bits);
}

std::string Tree::long_digits(Node node) const {
  std::vector<std::uint8_t> magnitude;
  for (std::uint32_t i = 0; i < node.count(); ++i)
    magnitude.push_back(std::to_integer<std::uint8_t>(bytes[node.at + i]));
  const bool negative = !magnitude.empty() && magnitude.back() >= 0x80;
  if (negative) {
    unsigned carry = 1;
    for (std::uint8_t& byte : magnitude) {
      carry += static_cast<std::uint8_t>(~byte);
      byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) magnitude.push_back(1);
  }
  std::vector<std::uint32_t> words((magnitude.size() + 3) / 4);
  for (std::size_t i = 0; i < magnitude.size(); ++i) words[i / 4] |= std::uint32_t{magnitude[i]} << (i % 4 * 8);
  while (!words.empty() && words.back() == 0) words.pop_back();
  std::string digits;
  while (!words.empty()) {
    std::uint32_t group = divide(words, 1'000'000'000);
    for (int i = 0; i < 9 && (group != 0 || !words.empty()); ++i, group /= 10)
      digits += static_cast<char>('0' + group % 10);
  }
  if (digits.empty()) digits += '0';
  if (negative) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

bool Tree::is_object_of(Node node, std::string_view module, std::string_view name) const {
  if (!node.is(Kind::kObject)) return false;
  const Node callable = object(node).callable;
  return callable.is(Kind::kClass) && class_name(callable).module == module && class_name(callable).name == name;
}

std::optional<Node> Tree::value(Node dict, std::string_view key) const {
  std::optional<Node> found;
  if (!dict.is(Kind::kDict)) return found;
  for_each_pair(container(dict), [&](Node candidate, Node value) {
    if (candidate.is(Kind::kString) && text(candidate) == key) found = value;  // a later one overwrites
  });
  return found;
}

std::optional<Node> Tree::attribute(const Object& object, std::string_view name) const {
  if (!object.state.is(Kind::kTuple)) return value(object.state, name);
  for (const Node part : tuple(object.state)) {  // of a class with slots: (fields or None, slots)
    if (const auto found = value(part, name)) return found;
  }
  return std::nullopt;
}

}  // namespace vizd::pickle
