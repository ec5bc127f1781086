// Asks a query of captures and keeps the whole result, as text, row by row.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "query/database.h"
#include "query/result_text.h"

namespace vizd::sql {

struct Asked : ResultSink {
  // Queries one capture, or several.
  Asked(std::vector<Source> sources, std::string_view query, Budget budget = {}, std::size_t most_rows = 1'000'000)
      : most(most_rows) {
    Catalog catalog(std::move(sources), std::move(budget));
    Database database(catalog);
    const auto ran = database.run(query, *this);
    if (ran) {
      is_whole = *ran;
    } else {
      error = ran.error();
    }
  }

  void begin(const std::vector<ResultColumn>& begun) override { columns = begun; }
  bool add(const std::vector<Value>& row) override {
    if (rows.size() == most) return false;
    auto& texts = rows.emplace_back();
    for (const Value& value : row)
      texts.push_back(std::holds_alternative<std::monostate>(value) ? "null" : plain_text(value));
    return true;
  }

  // The rows' values with blanks between, a line each.
  std::string text() const {
    std::string all;
    for (const auto& row : rows) {
      for (const std::string& value : row) all += (&value == &row.front() ? "" : " ") + value;
      all += '\n';
    }
    return all;
  }

  std::size_t most;
  std::vector<ResultColumn> columns;
  std::vector<std::vector<std::string>> rows;
  bool is_whole = false;
  std::optional<Error> error;
};

}  // namespace vizd::sql
