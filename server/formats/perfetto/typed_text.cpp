#include "formats/perfetto/typed_text.h"

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <new>
#include <optional>

#include "base/ascii_case.h"
#include "base/json_writer.h"
#include "model/argument_json.h"

namespace vizd::perfetto {
namespace {

// A number of JSON: no sign before it but '-', no zeros before others, digits around its point.
std::optional<ArgumentValue> number_of(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !is_digit(digits.front()) || !is_digit(digits.back())) return std::nullopt;
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return std::nullopt;
  const char* const end = text.data() + text.size();
  if (digits.find_first_not_of("0123456789") == std::string_view::npos) {
    std::int64_t integer = 0;
    const auto [at, failed] = std::from_chars(text.data(), end, integer);
    return failed == std::errc() && at == end ? std::optional<ArgumentValue>(integer) : std::nullopt;
  }
  double real = 0;
  const auto [at, failed] = std::from_chars(text.data(), end, real);
  if (failed != std::errc() || at != end || !std::isfinite(real)) return std::nullopt;
  return real;
}

// Whether it is a list, an object or a text of JSON; parsed holds it then.
bool parse(std::string_view text, simdjson::dom::parser& parser, simdjson::dom::element& parsed) {
  const auto error = parser.parse(text.data(), text.size()).get(parsed);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return !error;
}

}  // namespace

TypedText typed_text(std::string_view text, StringTable& strings) {
  const char first = text.empty() ? '\0' : text.front();
  if (first == '-' || is_digit(first)) {
    if (const auto number = number_of(text)) return {*number};
  }
  if (text == "null" || text == "true" || text == "false") return {strings.add(text), strings.add(argument::kJson)};
  if (first == '[' || first == '{' || first == '"') {
    simdjson::dom::parser parser;
    simdjson::dom::element parsed;
    std::string_view plain;
    if (parse(text, parser, parsed)) {
      if (first != '"') return {strings.add(text), strings.add(argument::kJson)};
      if (!parsed.get(plain)) return {strings.add(plain)};
    }
  }
  return {strings.add(text)};
}

std::string text_of_value(const ArgumentValue& value, StringId unit, const StringTable& strings) {
  std::string text;
  JsonWriter json(text);
  const auto* const id = std::get_if<StringId>(&value);
  if (id == nullptr) {
    write_value(json, value, strings);
    // A whole number stays a real one.
    if (std::holds_alternative<double>(value) && text.find_first_not_of("-0123456789") == std::string::npos)
      text += ".0";
    return text;
  }
  if (unit != StringId{}) return std::string(strings.get(*id));
  StringTable scratch;
  const TypedText typed = typed_text(strings.get(*id), scratch);
  const auto* const same = std::get_if<StringId>(&typed.value);
  if (same != nullptr && typed.unit == StringId{} && scratch.get(*same) == strings.get(*id))
    return std::string(strings.get(*id));
  json.text(strings.get(*id));
  return text;
}

}  // namespace vizd::perfetto
