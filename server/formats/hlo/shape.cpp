#include "formats/hlo/shape.h"

#include <array>
#include <cstddef>
#include <utility>

#include "formats/hlo/message.h"

namespace vizd::hlo {
namespace {

constexpr std::int64_t kTuple = 13, kOpaque = 14, kToken = 17;

// Names of element types by their numbers; "" where XLA gives a number to none.
constexpr std::array<std::string_view, 35> kElementTypes = {
    "",     "pred",   "s8",       "s16", "s32",   "s64",           "u8",         "u16",        "u32",
    "u64",  "f16",    "f32",      "f64", "tuple", "opaque",        "c64",        "bf16",       "token",
    "c128", "f8e5m2", "f8e4m3fn", "s4",  "u4",    "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz", "s2",
    "u2",   "f8e4m3", "f8e3m4",   "s1",  "u1",    "f4e2m1fn",      "f8e8m0fnu",  "buffer"};

std::string element_type_name(std::int64_t number) {
  const bool is_known = number > 0 && number < static_cast<std::int64_t>(kElementTypes.size());
  return is_known ? std::string(kElementTypes[static_cast<std::size_t>(number)]) : std::to_string(number);
}

struct Shape {
  explicit Shape(std::string_view bytes) {
    constexpr std::uint64_t kElementType = 2, kDimensions = 3, kTupleShapes = 4, kIsDynamic = 6;
    for (Message message(bytes); message.next();) {
      message.take(kElementType, element_type);
      message.take(kDimensions, dimensions);
      message.take(kTupleShapes, elements);
      message.take(kIsDynamic, is_dynamic);
    }
  }

  std::int64_t element_type = 0;
  std::vector<std::int64_t> dimensions, is_dynamic;
  std::vector<std::string_view> elements;  // of a tuple
};

void append_array(std::string& text, const Shape& shape) {
  text += element_type_name(shape.element_type) + '[';
  const bool has_dimensions = shape.element_type != kOpaque && shape.element_type != kToken;
  for (std::size_t i = 0; has_dimensions && i < shape.dimensions.size(); ++i) {
    if (i != 0) text += ',';
    if (i < shape.is_dynamic.size() && shape.is_dynamic[i] != 0) text += "<=";
    text += std::to_string(shape.dimensions[i]);
  }
  text += ']';
}

}  // namespace

std::string shape_text(std::string_view bytes) {
  struct Tuple {
    std::vector<std::string_view> elements;
    std::size_t next = 0;
  };
  std::string text;
  std::vector<Tuple> open;  // the tuples around, since a hostile shape nests deeper than a stack is
  const auto append = [&](std::string_view shape_bytes) {
    Shape shape(shape_bytes);
    if (shape.element_type != kTuple) return append_array(text, shape);
    text += '(';
    open.push_back({std::move(shape.elements)});
  };
  append(bytes);
  while (!open.empty()) {
    Tuple& tuple = open.back();
    if (tuple.next == tuple.elements.size()) {
      text += ')';
      open.pop_back();
      continue;
    }
    if (tuple.next != 0) text += ", ";
    append(tuple.elements[tuple.next++]);  // may move the tuple: it is not used after
  }
  return text;
}

std::vector<std::int64_t> shape_dimensions(std::string_view bytes) { return Shape(bytes).dimensions; }

}  // namespace vizd::hlo
