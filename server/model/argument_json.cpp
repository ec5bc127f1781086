#include "model/argument_json.h"

#include <fmt/format.h>

namespace vizd {

void write_value(JsonWriter& json, const ArgumentValue& value, const StringTable& strings) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.number(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json.real(*real);
  } else {
    json.text(strings.get(std::get<StringId>(value)));
  }
}

std::string value_text(const ArgumentValue& value, const StringTable& strings) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return std::string(strings.get(std::get<StringId>(value)));
}

}  // namespace vizd
