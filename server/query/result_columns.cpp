#include "query/result_columns.h"

#include <algorithm>
#include <utility>

#include "query/result_text.h"

namespace vizd::sql {

void ResultColumns::begin(const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) columns_.emplace_back().name = column.name;
}

void ResultColumns::widen(Column& column, ResultType type) {
  if (type <= column.type) return;
  const ResultType was = std::exchange(column.type, type);
  const std::size_t rows = column.is_null.size();
  if (type == ResultType::kInteger) column.integers.assign(rows, 0);
  if (type == ResultType::kReal) column.reals.assign(column.integers.begin(), column.integers.end());
  if (type == ResultType::kReal) column.reals.resize(rows);
  if (type == ResultType::kText) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (!column.is_null[i] && was == ResultType::kInteger) column.text += plain_text(Value(column.integers[i]));
      if (!column.is_null[i] && was == ResultType::kReal) column.text += plain_text(Value(column.reals[i]));
      column.ends.push_back(column.text.size());
    }
    column.reals = {};
  }
  if (type != ResultType::kInteger) column.integers = {};
}

void ResultColumns::add_value(Column& column, const Value& value) {
  const auto* const integer = std::get_if<std::int64_t>(&value);
  const auto* const real = std::get_if<double>(&value);
  const bool is_null = std::holds_alternative<std::monostate>(value);
  if (!is_null)
    widen(column, integer != nullptr ? ResultType::kInteger : real != nullptr ? ResultType::kReal : ResultType::kText);
  column.is_null.push_back(is_null);
  if (column.type == ResultType::kInteger) column.integers.push_back(integer != nullptr ? *integer : 0);
  if (column.type == ResultType::kReal)
    column.reals.push_back(integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0);
  if (column.type == ResultType::kText) {
    if (!is_null) column.text += plain_text(value);
    column.ends.push_back(column.text.size());
  }
}

bool ResultColumns::add(const std::vector<Value>& row) {
  if (rows_ == most_rows_) return false;
  ++rows_;
  for (std::size_t i = 0; i < columns_.size(); ++i) add_value(columns_[i], row[i]);
  return true;
}

std::uint64_t ResultColumns::end_of_group(std::uint64_t begin, std::uint64_t most_rows,
                                          std::uint64_t most_text_bytes) const {
  std::uint64_t end = std::min(rows_, begin + most_rows);
  for (const Column& column : columns_) {
    if (column.type != ResultType::kText) continue;
    while (end > begin + 1 && column.ends[end - 1] - column.text_begin(begin) > most_text_bytes)
      end = begin + (end - begin) / 2;
  }
  return end;
}

}  // namespace vizd::sql
