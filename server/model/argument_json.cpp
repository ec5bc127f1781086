#include "model/argument_json.h"

#include <fmt/format.h>

namespace vizd {

bool is_long_number(std::string_view text) {
  constexpr std::size_t kDigits = 19;  // so many and more may be beyond 64 bits
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() >= kDigits && text.front() != '0' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

void write_value(JsonWriter& json, const ArgumentValue& value, const StringTable& strings) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.number(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json.real(*real);
  } else {
    json.text(strings.get(std::get<StringId>(value)));
  }
}

void write_number(JsonWriter& json, const ArgumentValue& number, const StringTable& strings) {
  const auto* const id = std::get_if<StringId>(&number);
  if (id != nullptr && is_long_number(strings.get(*id))) {
    json.raw(strings.get(*id));
  } else {
    write_value(json, number, strings);
  }
}

std::string value_text(const ArgumentValue& value, const StringTable& strings) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return std::string(strings.get(std::get<StringId>(value)));
}

}  // namespace vizd
