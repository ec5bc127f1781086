// Definitions: what a query makes for itself on its connection, in memory: views, tables, functions and span joins.
// Perfetto's own names are made when a query uses them. One thread; refers to what it is given.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "query/catalog.h"
#include "query/permission.h"
#include "query/sql_script.h"
#include "query/statement_table.h"

namespace vizd::sql {

class Definitions {
 public:
  Definitions(sqlite3* connection, const Budget& budget, Permission& permission)
      : connection_(connection), budget_(budget), permission_(permission) {}

  // Errors say of which definition they are.
  Result<void> define(const Statement& statement);
  // Makes those of Perfetto's names that the words have among them and nothing made yet.
  Result<void> make_perfetto_names(Words words);

 private:
  Result<void> make(const Statement& statement);
  // Runs a statement of vizd's own, which may make something.
  Result<void> run(const std::string& sql);
  Result<void> drop(const std::string& name);
  Result<void> add_table(std::unique_ptr<Table> table);
  Result<void> add_function(const Statement& statement);
  Result<void> add_span_join(const Statement& statement);
  Error error() const;

  sqlite3* connection_;
  const Budget& budget_;
  Permission& permission_;
  std::set<std::string> made_;                  // names, in small letters
  std::vector<std::unique_ptr<Table>> tables_;  // of functions
};

}  // namespace vizd::sql
