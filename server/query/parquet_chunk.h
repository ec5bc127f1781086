// A column's part in a group of rows of a Parquet file: a page of its dictionary, where texts recur, and one of its
// values, packed by zstd. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "query/result_columns.h"

namespace vizd::sql {

// As the format numbers encodings.
enum class ParquetEncoding : std::int32_t { kPlain = 0, kRuns = 3, kDictionaryRuns = 8 };

// What the end of the file tells of a part that was written.
struct ParquetChunk {
  std::uint64_t at = 0, data_at = 0;  // where its first page begins, and the one of its values
  std::uint64_t plain_bytes = 0, stored_bytes = 0, nulls = 0;
  std::optional<std::int64_t> least, greatest;  // of whole numbers

  bool has_dictionary() const { return data_at != at; }
};

// Rows of one column.
struct ColumnPart {
  const ResultColumns::Column& column;
  std::uint64_t begin, end;
};

// Appends the pages to what goes to that place of the file.
ParquetChunk append_parquet_chunk(std::string& out, std::uint64_t at, const ColumnPart& part);

template <typename T>
void append_parquet_value(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace vizd::sql
