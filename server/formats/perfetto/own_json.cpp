#include "formats/perfetto/own_json.h"

#include <new>
#include <string>

namespace vizd::perfetto {

OwnJson::OwnJson(std::string_view text) {
  simdjson::dom::object object;
  const auto error = parser_.parse(text.data(), text.size()).get(object);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (!error) object_ = object;
}

std::optional<simdjson::dom::element> OwnJson::member(std::string_view key) const {
  simdjson::dom::element found;
  if (!object_ || object_->at_key(key).get(found)) return std::nullopt;
  return found;
}

std::optional<std::string_view> OwnJson::text(std::string_view key) const {
  const auto found = member(key);
  std::string_view text;
  if (!found || found->get(text)) return std::nullopt;
  return text;
}

std::optional<std::int64_t> OwnJson::integer(std::string_view key) const {
  const auto found = member(key);
  std::int64_t integer = 0;
  if (!found || found->get(integer)) return std::nullopt;
  return integer;
}

std::optional<ArgumentValue> OwnJson::value(std::string_view key, StringTable& strings) const {
  const auto found = member(key);
  if (!found) return std::nullopt;
  if (const auto whole = integer(key)) return *whole;
  double number = 0;
  if (!found->get(number)) return number;
  if (const auto words = text(key)) return strings.add(*words);
  return strings.add(simdjson::minify(*found));
}

}  // namespace vizd::perfetto
