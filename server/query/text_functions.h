// SQLite's text functions that take time in the square of their texts, or in a number that a query only names, as
// versions of the same names that end: trim, ltrim, rtrim, replace, instr, LIKE, GLOB, printf and format; and REGEXP,
// which SQLite leaves to others. No progress
// handler interrupts a function of SQLite's own. One thread.
#pragma once

#include "base/budget.h"

struct sqlite3;

namespace vizd::sql {

// Returns SQLite's code. The budget outlives the connection.
int add_text_functions(sqlite3* connection, const Budget& budget);

}  // namespace vizd::sql
