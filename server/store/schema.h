// The store's tables, as docs/store.md tells them: those that SQL sees of a capture (query/tables.h), with the job, the
// rank and the block that a row came in before each row; and four of the store's own: push, tile, piece, and argument,
// which args is a view of. Pure data and SQL. Any thread.
//
// Every table but the view is partitioned by job and bucket of ranks, and sorted by rank, then by track, second and
// time where it has those: ClickHouse merges the parts of small ranks, each of which is a file a column, into a few. A
// job is dropped by its partitions, and so is a large rank, which has a bucket of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/tables.h"
#include "store/row_binary.h"

namespace vizd::store {

// The last three are arrays.
enum class StoredType { kByte, kCount32, kCount64, kInteger, kReal, kText, kIntegers, kReals, kTexts };

struct StoredColumn {
  std::string name;
  StoredType type = StoredType::kInteger;
  bool may_be_null = false;
  std::string about;
  int source = -1;           // the column of the query's table that it is
  std::string same_as = {};  // the column whose value it always has: it is asked for, not stored

  bool is_stored() const { return same_as.empty(); }
};

struct StoredTable {
  std::string name;
  std::string about;
  std::vector<StoredColumn> columns;  // beside those of a RowOrigin
  std::string order;                  // the sort key
  std::string view;                   // of one that has no rows of its own: the query, with {} for the table it is of

  bool is_of_query() const { return !columns.empty() && columns.front().source >= 0; }
  bool is_view() const { return !view.empty(); }
  // Whether a rank's rows come to it in blocks.
  bool has_blocks() const { return !is_view() && name != "push"; }
};

// The version of what rows mean: another number is another content (push.h).
inline constexpr std::string_view kSchemaVersion = "6";

// The last moment that a store's DateTime has: what is to be kept for ever outlives whatever lies in one part with it.
inline constexpr std::uint32_t kKeptForEver = ~std::uint32_t{0};

// The columns before each row's own.
struct RowOrigin {
  std::string job;
  std::uint32_t rank = 0;
  std::uint64_t bucket = 0;                   // which ranks' rows it lies among
  std::uint32_t keep_until_s = kKeptForEver;  // in Unix time
};
void write_origin(const RowOrigin& origin, std::uint32_t block, RowBinaryWriter& row);

// Small ranks share a bucket; one whose files are large has its own, which is dropped at once and merged with no other.
inline constexpr std::uint32_t kBucketRanks = 256;
inline constexpr std::uint64_t kLargeRankBytes = std::uint64_t{16} << 20;
std::uint64_t bucket_of(std::uint32_t rank, std::uint64_t file_bytes);
bool is_of_one_rank(std::uint64_t bucket);

// All of them, each after what it is a view of, and push last: where it is, all are. tables: of any catalog.
std::vector<StoredTable> stored_tables(const sql::Tables& tables);
std::vector<StoredTable> stored_tables();

// "Int64", "Nullable(String)", …
std::string type_text(const StoredColumn& column);

// What a server can beside what 18.16 does.
struct ServerSkills {
  bool forgets = false;     // rows by itself, at the time that they are kept until
  bool has_codecs = false;  // of a column's own
};
ServerSkills skills_of_release(int year);

// Statements that make the table or view where it is missing. cluster: "" for one server; else the name that the
// servers' configuration has for all of them: the rows are then in NAME_shard of each, and NAME is the Distributed
// table of all.
std::vector<std::string> creation_of(const StoredTable& table, const std::string& database, const std::string& cluster,
                                     const ServerSkills& skills);

// The name of the table that holds a table's own rows on one server.
std::string shard_name(std::string_view table, bool is_distributed);

// "INSERT INTO `slice` (job, rank, block, bucket, …) FORMAT RowBinary"
std::string insertion_into(const StoredTable& table);

}  // namespace vizd::store
