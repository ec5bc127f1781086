// StatementTable: a function of a query's own that gives a table: a SELECT whose parameters are the function's
// arguments. Runs on the connection that it is added to. One thread.
#pragma once

#include <string>
#include <vector>

#include "query/sql_script.h"
#include "query/table.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vizd::sql {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};
using PreparedStatement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// A SELECT and nothing after it. Errors say what SQLite says.
Result<PreparedStatement> prepare_select(sqlite3* connection, const std::string& query);
// What SQLite says of the last error.
Error sqlite_error(sqlite3* connection, const Budget& budget);

class StatementTable : public Table {
 public:
  // One that gives a table.
  StatementTable(sqlite3* connection, Statement function);

  std::string_view name() const override { return function_.name; }
  std::string_view about() const override { return "A function that the query defines."; }
  std::span<const ColumnInfo> columns() const override { return columns_; }
  std::span<const ColumnInfo> hidden_columns() const override { return arguments_; }
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

 private:
  class StatementCursor;

  sqlite3* connection_;
  Statement function_;
  std::vector<ColumnInfo> columns_, arguments_;
};

}  // namespace vizd::sql
