// Answer: the rows that a store answered a query with, as JSON has them. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
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

// Asks a query that has no FORMAT of its own.
Result<Answer> ask_rows(Client& client, std::string_view sql, const Limits& limits = {});

}  // namespace vizd::store
