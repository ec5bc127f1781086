#include "formats/etdump/program_types.h"

#include <string>

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

// A size of a tensor: {"as_int": 3}, or {"as_expr": {"expr_str": "s0"}}.
std::string size_text(dom::element size) {
  if (const auto number = child(size, "as_int"))
    if (const auto value = integer_of(*number)) return std::to_string(*value);
  const auto expression = child(size, "as_expr");
  return expression ? text_at(*expression, "expr_str") : "?";
}

}  // namespace

std::optional<ScalarType> type_of_schema(std::int64_t number) {
  if (number >= 1 && number <= 12) return static_cast<ScalarType>(number <= 11 ? number - 1 : 11);
  switch (number) {
    case 13:
      return ScalarType::kBFloat16;
    case 28:
      return ScalarType::kUInt16;
    case 29:
      return ScalarType::kFloat8E4M3Fn;
    case 30:
      return ScalarType::kFloat8E5M2;
    case 31:
      return ScalarType::kFloat8E4M3Fnuz;
    case 32:
      return ScalarType::kFloat8E5M2Fnuz;
    default:
      return std::nullopt;
  }
}

void read_type(dom::element facts, ProgramValue& value) {
  if (const auto type = child(facts, "dtype"))
    if (const auto number = integer_of(*type)) value.type = type_of_schema(*number);
  for (const dom::element size : items_at(facts, "sizes")) value.shape.push_back(size_text(size));
}

}  // namespace vizd::etdump
