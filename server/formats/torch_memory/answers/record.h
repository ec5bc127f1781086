// Record: a row of an answer about a snapshot, value by value; written as JSON, one object a line, or gathered as the
// rows of a table for people. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vizd::torch_memory {

// Text that is JSON already: a list.
struct Json {
  std::string text;
};

// Nothing where a thing does not exist, or was not recorded.
using Value = std::variant<std::monostate, std::int64_t, std::uint64_t, bool, std::string, Json>;

struct Field {
  std::string_view name;
  Value value;
};

using Record = std::vector<Field>;
using TakeRecord = std::function<void(const Record& record)>;

inline Value text_or_nothing(std::optional<std::string> text) { return text ? Value(std::move(*text)) : Value(); }

// As one line of JSON, with its end.
std::string json_line(const Record& record);
// As one value of JSON.
std::string json_of(const Value& value);

}  // namespace vizd::torch_memory
