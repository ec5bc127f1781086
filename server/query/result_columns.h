// ResultColumns: a query's result, whole, column by column, as files of columns have it (Arrow's, Parquet). SQLite's
// columns have no type: one is of the widest of its values, so that the result is kept until it is whole. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "query/database.h"

namespace vizd::sql {

// Narrow to wide: a whole number beside a real one is written as a real one, and both beside a text as a text. A column
// without a value is of none.
enum class ResultType : std::uint8_t { kNull, kInteger, kReal, kText };

// Takes the parts of a file, in their order.
using WriteBytes = std::function<void(std::string_view bytes)>;

class ResultColumns : public ResultSink {
 public:
  struct Column {
    std::string name;
    ResultType type = ResultType::kNull;
    std::vector<bool> is_null;
    std::vector<std::int64_t> integers;  // of whole numbers; 0 where it is null
    std::vector<double> reals;
    std::string text;                 // of texts, one behind the other
    std::vector<std::uint64_t> ends;  // of each in it

    std::uint64_t text_begin(std::uint64_t row) const { return row == 0 ? 0 : ends[row - 1]; }
    std::string_view text_of(std::uint64_t row) const {
      return std::string_view(text).substr(text_begin(row), ends[row] - text_begin(row));
    }
  };

  explicit ResultColumns(std::uint64_t most_rows) : most_rows_(most_rows) {}

  void begin(const std::vector<ResultColumn>& columns) override;
  bool add(const std::vector<Value>& row) override;

  const std::vector<Column>& columns() const { return columns_; }
  std::uint64_t rows() const { return rows_; }
  // The end of a group of rows from that one on, at least one: so many rows, fewer where their texts are longer than
  // that in any column.
  std::uint64_t end_of_group(std::uint64_t begin, std::uint64_t most_rows, std::uint64_t most_text_bytes) const;

 private:
  static void widen(Column& column, ResultType type);
  static void add_value(Column& column, const Value& value);

  std::uint64_t most_rows_, rows_ = 0;
  std::vector<Column> columns_;
};

}  // namespace vizd::sql
