// A query's result as an Arrow file (Arrow's IPC format, also known as Feather 2), which polars, pandas, pyarrow and
// duckdb read as it lies. One thread.
#pragma once

#include "query/result_columns.h"

namespace vizd::sql {

// Writes the file, some thousand rows at a time.
void write_arrow(const ResultColumns& result, const WriteBytes& write);

}  // namespace vizd::sql
