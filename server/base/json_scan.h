// Reads JSON where it lies, value by value, and makes no document of it: of a text of very many small values that would
// take many times the memory of the text. A value is its part of the text. Pure; refers to the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

// Whether the text is one value of JSON, in UTF-8, that nests no deeper than that, with numbers that a double holds.
// What stands below is for texts that are.
bool is_json(std::string_view text, std::size_t most_nesting);

// The items of a list, one after another; none of what is no list.
class JsonItems {
 public:
  explicit JsonItems(std::string_view list);
  // The next one; none at the end.
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;  // what stands behind the last one; "" where there are none
};

// The members of an object, likewise.
class JsonMembers {
 public:
  struct Member {
    std::string_view key;  // between its quotes, escaped as it stands there
    std::string_view value;
  };
  explicit JsonMembers(std::string_view object);
  std::optional<Member> next();

 private:
  std::string_view rest_;
};

// Whether it is a list.
bool is_json_list(std::string_view value);
// How many items a list has.
std::size_t count_json_items(std::string_view list);

// A text, unescaped; "" of what is none. A number; none of what is none, or has a fraction or another range.
std::string json_text(std::string_view value);
std::optional<double> json_double(std::string_view value);
std::optional<std::int64_t> json_int64(std::string_view value);
std::optional<std::uint64_t> json_uint64(std::string_view value);

}  // namespace vizd
