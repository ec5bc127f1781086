// Answer: the rows that a store answered a query with, as JSON has them. Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/client.h"

namespace vizd::store {

struct AnswerColumn {
  std::string name, type;  // ClickHouse's
};

struct Answer {
  std::vector<AnswerColumn> columns;
  nlohmann::json rows;  // an array of arrays
};

// Asks a query that has no FORMAT of its own. Errors: also kInternal where what answers is no ClickHouse.
Result<Answer> ask_rows(Client& client, std::string_view sql, const Limits& limits = {});

// The error for an answer that does not come from a ClickHouse, with the reason.
Error not_clickhouse(const StoreAddress& address, std::string_view why);

// Whether the value is one of that type: a text or a whole number that it can hold.
template <typename Value>
bool take_value(const nlohmann::json& from, Value& to) {
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!from.is_string()) return false;
    to = from.get_ref<const std::string&>();
  } else {
    static_assert(std::is_unsigned_v<Value>);
    if (!from.is_number_unsigned() || from.get<std::uint64_t>() > std::numeric_limits<Value>::max()) return false;
    to = static_cast<Value>(from.get<std::uint64_t>());
  }
  return true;
}

// As ask_rows, of a query whose columns have those types.
template <typename... Values>
Result<std::vector<std::tuple<Values...>>> ask_rows_of(Client& client, std::string_view sql,
                                                       const Limits& limits = {}) {
  const auto answer = ask_rows(client, sql, limits);
  if (!answer) return answer.error();
  std::vector<std::tuple<Values...>> rows;
  for (const nlohmann::json& row : answer->rows) {
    std::size_t column = 0;
    const auto take = [&](auto& value) { return take_value(row[column++], value); };
    const bool fits = row.size() == sizeof...(Values) &&
                      std::apply([&](auto&... values) { return (take(values) && ...); }, rows.emplace_back());
    if (!fits) return not_clickhouse(client.address(), "its columns are others than were asked for");
  }
  return rows;
}

}  // namespace vizd::store
