// ArrowSink: a query's result as an Arrow file (Arrow's IPC format, also known as Feather 2), which polars, pandas,
// pyarrow and duckdb read as it lies. SQLite's columns have no type: one is of the widest of its values, so that the
// result is kept until it is whole. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/database.h"

namespace vizd::sql {

class ArrowSink : public ResultSink {
 public:
  using Write = std::function<void(std::string_view bytes)>;

  explicit ArrowSink(std::uint64_t most_rows) : most_rows_(most_rows) {}

  void begin(const std::vector<ResultColumn>& columns) override;
  bool add(const std::vector<Value>& row) override;
  // Writes the file, after the last row.
  void finish(const Write& write);

 private:
  // Narrow to wide: a whole number beside a real one is written as a real one, and both beside a text as a text.
  enum class Type : std::uint8_t { kNull, kInteger, kReal, kText };

  struct Column {
    std::string name;
    Type type = Type::kNull;
    std::vector<bool> is_null;
    std::vector<std::int64_t> integers;  // of whole numbers; 0 where it is null
    std::vector<double> reals;
    std::string text;                 // of texts, one behind the other
    std::vector<std::uint64_t> ends;  // of each in it
  };
  // A message's place in the file, for its end.
  struct Block {
    std::uint64_t at, metadata_bytes, body_bytes;
  };

  static void widen(Column& column, Type type);
  static void add_value(Column& column, const Value& value);
  std::string schema_message() const;
  std::uint64_t end_of_batch(std::uint64_t begin) const;
  void write_batch(std::uint64_t begin, std::uint64_t end);
  void write_message(std::string metadata, std::string_view body);
  void write_footer();
  void put(std::string_view bytes);

  std::uint64_t most_rows_, rows_ = 0;
  std::vector<Column> columns_;
  std::vector<Block> batches_;
  const Write* write_ = nullptr;
  std::uint64_t written_bytes_ = 0;
};

}  // namespace vizd::sql
