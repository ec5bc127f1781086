// The store's tables, as docs/store.md tells them: those that SQL sees of a capture (query/tables.h), with the job, the
// rank and the block that a row came in before each row; and four of the store's own: push, tile, piece, and argument,
// which args is a view of. Pure data and SQL. Any thread.
//
// Every table but the view is partitioned by job and rank, so that a rank is dropped at once, and sorted by track,
// second and time where it has those.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/tables.h"

namespace vizd::store {

// The last three are arrays.
enum class StoredType { kByte, kCount32, kCount64, kInteger, kReal, kText, kIntegers, kReals, kTexts };

struct StoredColumn {
  std::string name;
  StoredType type = StoredType::kInteger;
  bool may_be_null = false;
  std::string about;
  int source = -1;  // the column of the query's table that it is
};

struct StoredTable {
  std::string name;
  std::string about;
  std::vector<StoredColumn> columns;  // beside job, rank and block
  std::string order;                  // the sort key
  std::string view;                   // of one that has no rows of its own: the query, with {} for the table it is of

  bool is_of_query() const { return !columns.empty() && columns.front().source >= 0; }
  bool is_view() const { return !view.empty(); }
  // Whether a rank's rows come to it in blocks.
  bool has_blocks() const { return !is_view() && name != "push"; }
};

// The version of what rows mean: another number is another content (push.h).
inline constexpr std::string_view kSchemaVersion = "4";

// All of them, each after what it is a view of, and push last: where it is, all are. tables: of any catalog.
std::vector<StoredTable> stored_tables(const sql::Tables& tables);
std::vector<StoredTable> stored_tables();

// "Int64", "Nullable(String)", …
std::string type_text(const StoredColumn& column);

// Statements that make the table or view where it is missing. cluster: "" for one server; else the name that the
// servers' configuration has for all of them: the rows are then in NAME_shard of each, and NAME is the Distributed
// table of all.
std::vector<std::string> creation_of(const StoredTable& table, const std::string& database, const std::string& cluster);

// The name of the table that holds a table's own rows on one server.
std::string shard_name(std::string_view table, bool is_distributed);

// "INSERT INTO `slice` (job, rank, block, …) FORMAT RowBinary"
std::string insertion_into(const StoredTable& table);

}  // namespace vizd::store
