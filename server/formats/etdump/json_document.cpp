#include "formats/etdump/json_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace vizd::etdump {
namespace {

// Puts a text of the same length in place of each NaN and Infinity that stands outside of texts.
void replace_odd_numbers(char* text, std::size_t size) {
  constexpr std::pair<std::string_view, std::string_view> kOdd[] = {
      {"NaN", "\"N\""}, {"-Infinity", "\"-inf\"   "}, {"Infinity", "\"inf\"   "}};
  bool is_inside = false;
  for (std::size_t i = 0; i < size; ++i) {
    const char c = text[i];
    if (is_inside && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_inside = !is_inside;
    } else if (!is_inside && (c == 'N' || c == 'I' || c == '-')) {
      for (const auto& [odd, instead] : kOdd) {
        if (!std::string_view(text + i, size - i).starts_with(odd)) continue;
        std::memcpy(text + i, instead.data(), instead.size());
        i += instead.size() - 1;
        break;
      }
    }
  }
}

}  // namespace

Result<JsonDocument> JsonDocument::parse(std::span<const std::byte> text, const std::string& name) {
  if (text.size() > simdjson::SIMDJSON_MAXSIZE_BYTES) {
    return Error{ErrorKind::kTooLarge, "a JSON text of more than 4 GB; vizd does not read texts that large", name};
  }
  simdjson::padded_string copy(reinterpret_cast<const char*>(text.data()), text.size());
  if (copy.data() == nullptr) throw std::bad_alloc();  // simdjson throws nothing itself
  replace_odd_numbers(copy.data(), copy.size());
  JsonDocument document;
  document.parser_ = std::make_unique<simdjson::dom::parser>();
  constexpr std::size_t kDepth = 512;
  if (document.parser_->allocate(std::max<std::size_t>(copy.size(), 32), kDepth) == simdjson::MEMALLOC) {
    throw std::bad_alloc();
  }
  if (const auto error = document.parser_->parse(copy).get(document.root_)) {
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    return Error{ErrorKind::kBadInput, fmt::format("is not valid JSON ({})", simdjson::error_message(error)), name};
  }
  return document;
}

std::optional<simdjson::dom::element> child(simdjson::dom::element object, std::string_view key) {
  simdjson::dom::element value;
  if (object.get_object().at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::optional<std::string_view> text_of(simdjson::dom::element value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

std::optional<std::int64_t> integer_of(simdjson::dom::element value) {
  std::int64_t number = 0;
  if (value.get_int64().get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<simdjson::dom::array> array_at(simdjson::dom::element object, std::string_view key) {
  const auto value = child(object, key);
  simdjson::dom::array array;
  if (!value || value->get_array().get(array) != simdjson::SUCCESS) return std::nullopt;
  return array;
}

std::vector<simdjson::dom::element> items_at(simdjson::dom::element object, std::string_view key) {
  std::vector<simdjson::dom::element> items;
  if (const auto array = array_at(object, key))
    for (const simdjson::dom::element item : *array) items.push_back(item);
  return items;
}

std::optional<simdjson::dom::object> object_of(simdjson::dom::element value) {
  simdjson::dom::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

std::string text_at(simdjson::dom::element object, std::string_view key) {
  const auto value = child(object, key);
  return std::string(value ? text_of(*value).value_or("") : std::string_view());
}

}  // namespace vizd::etdump
