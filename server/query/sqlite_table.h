// Makes a Table known to a database connection under its name, as one of SQLite's virtual tables: there
// without being created, read-only. One thread; the table and the budget outlive the connection.
#pragma once

#include <string_view>

#include "base/budget.h"
#include "query/table.h"

struct sqlite3;

namespace vizd::sql {

// Returns SQLite's code.
int add_table(sqlite3* connection, Table& table, const Budget& budget);

// Has a table declare its columns, which it does when it is first named: a change, for who watches the connection.
// arguments: so many the table takes as a function.
int meet_table(sqlite3* connection, std::string_view name, std::size_t arguments = 0);

}  // namespace vizd::sql
