// Queries that count and add up the rows of a table, asked of that table's rows in groups: SQLite then handles a row a
// group, not one for each of millions. A group is rows that have all the columns that the query tells apart in common;
// its row says how many they are, and their sums. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "query/table.h"

namespace vizd::sql {

// A function of all rows' values, and what it is of groups: SQL, in which {0} stands before each column for the table's
// alias.
struct TotalOfGroups {
  std::string_view function, argument, sql;
};

struct Grouping {
  const Table* of = nullptr;
  Table* groups = nullptr;                      // has the columns by which rows are grouped under the same names
  std::span<const TotalOfGroups> totals = {};   // an argument is words without blanks between
  std::span<const std::string_view> keys = {};  // columns by which rows are grouped
};

// A group whose sum is so large is handed over, and another begun, before it is more than its number holds: SQLite adds
// up what comes of several.
inline bool is_large_sum(std::int64_t sum) {
  constexpr std::int64_t kMostSum = std::int64_t{1} << 61;
  return sum > kMostSum || sum < -kMostSum;
}

// The query, asked of the groups, with the same names of columns; none where it may mean something else of groups:
// where a column is neither a key nor in a total, or the table comes in any other way than once, in the FROM of all the
// query or of one that is a table to it (in WITH or FROM).
std::optional<std::string> grouped_query(std::string_view query, const Grouping& grouping);

}  // namespace vizd::sql
