// Reads JSON value by value from its text, without building a document: a document of very many small values takes many
// times the memory of its text. A value is a part of the text, which must outlive it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

// Whether the text is one value of JSON, in UTF-8, that nests no deeper than that, with numbers that a double holds.
// The rest of this header expects such a text.
bool is_json(std::string_view text, std::size_t most_nesting);

// Iterates over the items of a list; a value that is no list has none.
class JsonItems {
 public:
  explicit JsonItems(std::string_view list);
  // The next one; none at the end.
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;  // the items that are left
};

// Iterates over the members of an object; a value that is no object has none.
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

// The unescaped text of a string; "" for any other value. The number; none for any other value, and for one that does
// not fit the type.
std::string json_text(std::string_view value);
std::optional<double> json_double(std::string_view value);
std::optional<std::int64_t> json_int64(std::string_view value);
std::optional<std::uint64_t> json_uint64(std::string_view value);

}  // namespace vizd
