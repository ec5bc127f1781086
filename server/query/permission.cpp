#include "query/permission.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/ascii_case.h"

namespace vizd::sql {
namespace {

constexpr std::array<std::string_view, 5> kPragmas{"table_info", "table_xinfo", "table_list", "function_list",
                                                   "compile_options"};
// SQLite's functions that only read their arguments, in time that grows only with these. json_patch is not among them:
// it takes the product of the sizes of its two objects.
constexpr std::string_view kAllowedFunctions[]{
    // Functions of numbers
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees",
    "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "random", "round", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    // Functions of texts and bytes
    "char", "concat", "concat_ws", "format", "glob", "hex", "instr", "length", "like", "lower", "ltrim", "octet_length",
    "printf", "quote", "randomblob", "replace", "rtrim", "soundex", "substr", "substring", "trim", "unhex", "unicode",
    "upper", "zeroblob",
    // Functions of any value
    "coalesce", "if", "ifnull", "iif", "likelihood", "likely", "nullif", "sqlite_version", "typeof", "unlikely",
    // Functions of times
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday", "strftime", "time",
    "timediff", "unixepoch",
    // Functions of JSON
    "->", "->>", "json", "json_array", "json_array_length", "json_extract", "json_group_array", "json_group_object",
    "json_insert", "json_object", "json_quote", "json_remove", "json_replace", "json_set", "json_type", "json_valid",
    // Functions of many rows
    "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag", "last_value", "lead", "max", "min",
    "nth_value", "ntile", "percent_rank", "rank", "row_number", "string_agg", "sum", "total",
    // vizd's own, and Perfetto's
    "extract_arg", "percentile", "regexp", "trace_dur", "trace_end", "trace_start"};

bool is_among(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::any_of(words, [&](std::string_view w) { return equal_in_any_case(w, word); });
}

std::string denial_of(const Permission& permission, int action, const char* first, const char* second) {
  const std::string_view word = first != nullptr ? first : "";
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_READ:
      return "";
    case SQLITE_FUNCTION: {
      const bool is_known = second == nullptr || is_among(kAllowedFunctions, second) ||
                            permission.functions.contains(ascii_lower(std::string_view(second)));
      return is_known ? "" : fmt::format("the function {}", second);
    }
    case SQLITE_PRAGMA:
      return is_among(kPragmas, word) ? "" : fmt::format("PRAGMA {}", word);
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return "ATTACH";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return "a transaction";
    default:
      return permission.is_defining ? "" : "a statement that changes data";
  }
}

int authorize(void* given, int action, const char* first, const char* second, const char*, const char*) {
  try {
    auto& permission = *static_cast<Permission*>(given);
    std::string denied = denial_of(permission, action, first, second);
    if (denied.empty() && action == SQLITE_READ && first != nullptr) permission.tables.insert(first);
    if (denied.empty()) return SQLITE_OK;
    permission.denied = std::move(denied);
  } catch (...) {
    return SQLITE_DENY;
  }
  return SQLITE_DENY;
}

}  // namespace

int watch(sqlite3* connection, Permission& permission) {
  return sqlite3_set_authorizer(connection, authorize, &permission);
}

}  // namespace vizd::sql
