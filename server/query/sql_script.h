// A script of Perfetto's SQL: statements that define what the last one, which asks, goes by. Read here without SQLite:
// what each defines, and macros put in their places. Pure functions. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/sql_words.h"

namespace vizd::sql {

// One side of a span join: a table or view, and the column that divides it where there is one.
struct SpanSide {
  std::string table;
  std::optional<std::string> partition;
};

struct Statement {
  enum class Kind { kAsk, kTable, kView, kFunction, kTableFunction, kSpanJoin, kDrop, kInclude, kNothing };

  Kind kind = Kind::kAsk;
  std::string name;                         // that it defines or drops; of a module its own
  std::string query = {};                   // by which; of the one that asks itself
  std::vector<std::string> columns = {};    // where they are told
  std::vector<std::string> arguments = {};  // of a function
  bool replaces = false;                    // what has the name already, or where there is none
  std::vector<SpanSide> sides = {};         // of a span join: two
  std::string span_join = {};               // span_join, span_left_join or span_outer_join
};

// The statements of a query, in their order; macros are gone into those after them, and span joins that stand in a
// query among its tables have become statements of their own. As far as it changed nothing the query's text stays where
// it stood: lines before it are blank.
Result<std::vector<Statement>> read_script(std::string_view query);

}  // namespace vizd::sql
