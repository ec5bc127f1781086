// Database: a connection to SQLite that has the tables of a query's captures, and nothing else: no file, no write, no
// extension. Made for one query, on one thread.
//
// The limits of a query: the budget's time (asked every hundred steps, and within functions that take long),
// kMostMemoryBytes of SQLite's memory in the whole program, texts of Cell::kMostBytes, and as many rows as its caller
// wants.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "query/sql_script.h"
#include "query/tables.h"

struct sqlite3;

namespace vizd::sql {

inline constexpr std::int64_t kMostMemoryBytes = std::int64_t{512} << 20;
inline constexpr std::size_t kMostQueryBytes = 64 << 10;

// A value of a result. Texts are valid until the next row.
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view>;

struct ResultColumn {
  std::string name;
  // Which table's column it is, where it is one as it stands; else "".
  std::string table, column;
};

// Takes a result as it comes. One thread.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void begin(const std::vector<ResultColumn>& columns) = 0;
  // Whether it wants more rows.
  virtual bool add(const std::vector<Value>& row) = 0;
};

class Database {
 public:
  // Refers to the catalog.
  explicit Database(Catalog& catalog);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Runs one SELECT, after statements that make something for it, and hands its rows over until the sink wants no more:
  // false then, when there was a further row.
  // Lines that begin with // are comments too. Errors say what is wrong with the query and what there is instead.
  Result<bool> run(std::string_view query, ResultSink& sink);

  const Tables& tables() const { return tables_; }
  const Catalog& catalog() const { return catalog_; }
  // Returns the names of the tables that the query read, by itself or through views and functions.
  const std::set<std::string>& tables_read() const;

 private:
  struct Connected;
  Result<void> open();
  // Makes what the script defines; returns what it asks.
  Result<std::string> define(const std::vector<Statement>& script);
  Error error_of(int code, std::string_view query) const;

  Catalog& catalog_;
  Tables tables_;
  std::unique_ptr<Connected> connected_;
  sqlite3* connection_ = nullptr;
};

}  // namespace vizd::sql
