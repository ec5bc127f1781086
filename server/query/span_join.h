// Span joins: of the spans of two tables, the times that both have, or one alone, with the columns of both. One thread.
#pragma once

#include "base/budget.h"
#include "query/sql_script.h"

struct sqlite3;

namespace vizd::sql {

// Makes the join a view of the connection, over tables in memory that are its sides and the times.
Result<void> make_span_join(sqlite3* connection, const Statement& join, const Budget& budget);

}  // namespace vizd::sql
