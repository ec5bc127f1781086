// Functions that queries have beside SQLite's own: Perfetto's EXTRACT_ARG, TRACE_START, TRACE_END and TRACE_DUR, and
// percentiles. One thread.
#pragma once

#include "query/args_table.h"

struct sqlite3;

namespace vizd::sql {

struct FunctionInfo {
  std::string_view call;
  std::string_view about;
};
std::span<const FunctionInfo> functions();

// Returns SQLite's code. The table outlives the connection.
int add_functions(sqlite3* connection, const ArgsTable& args);

}  // namespace vizd::sql
