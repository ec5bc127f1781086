// ProfileDatabase: the ordinary tables of a SQLite file that a stranger made, read row by row. Nothing in the file is
// executed: views, triggers, virtual tables and generated columns are treated as absent, no tables are joined or
// sorted, and the file is read from its unpacked bytes, so that nothing is written beside it. Refers to the bytes.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vizd::sqlite_profiles {

using Number = std::optional<std::int64_t>;

// A row while it is visited. Columns are numbered from 0 in the order in which they were asked for; a column that the
// table does not have is NULL.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}

  bool is_null(int column) const;
  // An integer, or a real number without a fraction; none for everything else.
  Number whole(int column) const;
  std::optional<double> real(int column) const;
  // A BLOB is taken as text, and a number as its decimals; at most kMostText_bytes of it. None where it is NULL.
  std::optional<std::string> text(int column) const;

  static constexpr std::size_t kMostText_bytes = std::size_t{16} << 20;

 private:
  sqlite3_stmt* statement_;
};

class ProfileDatabase {
 public:
  // Errors, with name as their place: SQLite cannot read the file or its schema.
  static Result<std::unique_ptr<ProfileDatabase>> open(std::span<const std::byte> bytes, const std::string& name);
  ~ProfileDatabase();
  ProfileDatabase(const ProfileDatabase&) = delete;
  ProfileDatabase& operator=(const ProfileDatabase&) = delete;

  // Names of tables and columns are in small letters, and found in any case.
  bool has_table(std::string_view table) const { return names_.contains(std::string(table)); }
  bool has_column(std::string_view table, std::string_view column);
  std::vector<std::string> tables_beginning(std::string_view prefix) const;

  // Calls visit(row) for each row in the order of the file. A damaged table gives the rows before the damage.
  void each_row(std::string_view table, std::span<const std::string_view> columns,
                const std::function<void(const Row&)>& visit);
  void each_row(std::string_view table, std::initializer_list<std::string_view> columns,
                const std::function<void(const Row&)>& visit) {
    each_row(table, std::span(columns.begin(), columns.size()), visit);
  }

  // "TABLE: what is wrong; N rows read", for each damaged table.
  const std::vector<std::string>& damage() const { return damage_; }
  // How many tables were not looked at, because there are more than kMostTables.
  std::size_t tables_left_out() const { return tables_left_out_; }

  static constexpr std::size_t kMostTables = 4096, kMostColumns = 2000;

 private:
  struct Storage;  // the bytes, as SQLite reads a file
  explicit ProfileDatabase(std::span<const std::byte> bytes);
  Result<void> connect(const std::string& name);
  Result<void> read_schema(const std::string& name);
  const std::map<std::string, std::string>& columns_of(const std::string& table);

  std::unique_ptr<Storage> storage_;
  sqlite3* connection_ = nullptr;
  std::map<std::string, std::string> names_;                           // of tables: in small letters, and as written
  std::map<std::string, std::map<std::string, std::string>> columns_;  // by table, likewise
  std::vector<std::string> damage_;
  std::size_t tables_left_out_ = 0;
};

}  // namespace vizd::sqlite_profiles
