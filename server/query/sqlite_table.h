// Makes a Table known to a database connection under its name, as one of SQLite's virtual tables: there
// without being created, read-only. One thread; the table and the budget outlive the connection.
#pragma once

#include "base/budget.h"
#include "query/table.h"

struct sqlite3;

namespace vizd::sql {

// Returns SQLite's code.
int add_table(sqlite3* connection, Table& table, const Budget& budget);

}  // namespace vizd::sql
