// A query's result as a Parquet file, which duckdb, polars, pandas and pyarrow read, and engines for many of them.
// Pages are packed by zstd, texts that recur are told once a group of rows, and each group says what its whole numbers
// lie between, so that a reader leaves out groups that a condition excludes. One thread.
#pragma once

#include "query/result_columns.h"

namespace vizd::sql {

// Writes the file, a group of rows after the other.
void write_parquet(const ResultColumns& result, const WriteBytes& write);

}  // namespace vizd::sql
