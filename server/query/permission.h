// Permission: what a query may do on its connection: read, by functions that end in time. One thread.
#pragma once

#include <set>
#include <string>

struct sqlite3;

namespace vizd::sql {

struct Permission {
  std::string denied = {};               // what was refused last; "" where nothing was
  std::set<std::string> functions = {};  // that the query made itself, in small letters
  std::set<std::string> tables = {};     // that it reads
  // While vizd itself makes a view or a table, in memory, for the query at hand: nothing else changes anything.
  bool is_defining = false;
};

// Has SQLite ask the permission, which outlives the connection, for all that it prepares. Returns SQLite's code.
int watch(sqlite3* connection, Permission& permission);

}  // namespace vizd::sql
