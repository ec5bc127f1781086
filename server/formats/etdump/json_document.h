// A JSON member of an ETRecord as a document: Python's writer puts NaN and Infinity into it, which JSON does not have.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd::etdump {

// Owns the text's copy and what was parsed of it. One thread while it is parsed.
class JsonDocument {
 public:
  // Errors, with name as their place: what is no JSON, or nests deeper than 512.
  static Result<JsonDocument> parse(std::span<const std::byte> text, const std::string& name);

  simdjson::dom::element root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
  simdjson::dom::element root_;
};

// None where it is not there, or of another kind.
std::optional<simdjson::dom::element> child(simdjson::dom::element object, std::string_view key);
std::optional<std::string_view> text_of(simdjson::dom::element value);
std::optional<std::int64_t> integer_of(simdjson::dom::element value);
std::optional<simdjson::dom::array> array_at(simdjson::dom::element object, std::string_view key);
// The items of an array; none where there is none.
std::vector<simdjson::dom::element> items_at(simdjson::dom::element object, std::string_view key);
std::optional<simdjson::dom::object> object_of(simdjson::dom::element value);
std::string text_at(simdjson::dom::element object, std::string_view key);

}  // namespace vizd::etdump
