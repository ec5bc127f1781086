#include "query/sqlite_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <exception>
#include <new>

namespace vizd::sql {
namespace {

// SQLite's structures for a table and a cursor: its own part comes first.
struct BoundTable {
  sqlite3_vtab base = {};
  Table* table = nullptr;
  const Budget* budget = nullptr;
};

struct BoundCursor {
  sqlite3_vtab_cursor base = {};
  std::unique_ptr<Cursor> cursor;
  std::vector<Constraint> constraints;
};

struct Module {
  Table* table;
  const Budget* budget;
};

const char* type_name(ColumnType type) {
  if (type == ColumnType::kAny) return "";
  return type == ColumnType::kInteger ? "INTEGER" : type == ColumnType::kReal ? "REAL" : "TEXT";
}

int fail(sqlite3_vtab* table, const std::string& message) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", message.c_str());
  return SQLITE_ERROR;
}

// No exception goes through SQLite, which is C.
template <typename Work>
int guarded(sqlite3_vtab* table, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& e) {
    return fail(table, e.what());
  }
}

int connect(sqlite3* connection, void* data, int, const char* const*, sqlite3_vtab** result, char**) {
  const auto& module = *static_cast<const Module*>(data);
  try {
    std::string sql = "CREATE TABLE x(";
    for (const ColumnInfo& column : module.table->columns())
      sql += fmt::format("{}\"{}\" {}", sql.back() == '(' ? "" : ", ", column.name, type_name(column.type));
    for (const ColumnInfo& column : module.table->hidden_columns())
      sql += fmt::format("{}\"{}\" {} HIDDEN", sql.back() == '(' ? "" : ", ", column.name, type_name(column.type));
    const int code = sqlite3_declare_vtab(connection, (sql + ")").c_str());
    if (code != SQLITE_OK) return code;
    // It reads and does nothing else, so that views may ask it.
    sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
    auto bound = std::make_unique<BoundTable>();
    bound->table = module.table;
    bound->budget = module.budget;
    *result = &bound.release()->base;
    return SQLITE_OK;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

int disconnect(sqlite3_vtab* table) {
  delete reinterpret_cast<BoundTable*>(table);
  return SQLITE_OK;
}

std::optional<Compare> compare_of(int op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return Compare::kEqual;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return Compare::kLess;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return Compare::kLessOrEqual;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return Compare::kGreater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return Compare::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// The plan's constraints as text, which SQLite hands to the cursor: two letters each, the column and the comparison.
char letter(int number) { return static_cast<char>('0' + number); }
int number(char letter) { return static_cast<unsigned char>(letter) - '0'; }

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return guarded(vtab, [&] {
    std::vector<Constraint> constraints;
    std::vector<int> places;
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& constraint = info->aConstraint[i];
      const auto compare = compare_of(constraint.op);
      if (!constraint.usable || !compare) continue;
      // -1 is the row's id, which is the first column.
      const bool is_binary =
          *compare != Compare::kEqual || sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
      if (!is_binary) continue;
      constraints.push_back({std::max(constraint.iColumn, 0), *compare});
      places.push_back(i);
    }
    std::vector<OrderTerm> order;
    for (int i = 0; i < info->nOrderBy; ++i)
      order.push_back({std::max(info->aOrderBy[i].iColumn, 0), info->aOrderBy[i].desc != 0});
    const int distinct = sqlite3_vtab_distinct(info);
    const Plan plan = reinterpret_cast<BoundTable*>(vtab)->table->plan({.constraints = constraints,
                                                                        .order = order,
                                                                        .wants_groups = distinct == 1 || distinct == 2,
                                                                        .wants_distinct = distinct == 2,
                                                                        .columns = info->colUsed});
    if (plan.is_impossible) return SQLITE_CONSTRAINT;
    std::string taken;
    int arguments = 0;
    for (std::size_t i = 0; i < plan.takes.size(); ++i) {
      if (!plan.takes[i]) continue;
      info->aConstraintUsage[places[i]].argvIndex = ++arguments;
      taken += letter(constraints[i].column);
      taken += letter(static_cast<int>(constraints[i].compare));
    }
    info->idxStr = sqlite3_mprintf("%s", taken.c_str());
    if (info->idxStr == nullptr) return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    info->idxNum = plan.order;
    info->orderByConsumed = plan.is_ordered && !order.empty() ? 1 : 0;
    info->estimatedCost = plan.cost;
    info->estimatedRows = plan.rows;
    if (plan.is_one_row) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
  });
}

int open_cursor(sqlite3_vtab* vtab, sqlite3_vtab_cursor** result) {
  return guarded(vtab, [&] {
    const auto& bound = *reinterpret_cast<BoundTable*>(vtab);
    auto cursor = std::make_unique<BoundCursor>();
    cursor->cursor = bound.table->open(*bound.budget);
    *result = &cursor.release()->base;
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete reinterpret_cast<BoundCursor*>(cursor);
  return SQLITE_OK;
}

Operand operand_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_value_int64(value)};
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      return std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
    }
    case SQLITE_NULL:
      return std::monostate{};
    default:
      return Blob{};
  }
}

int told(sqlite3_vtab* table, const Result<void>& result) {
  return result ? SQLITE_OK : fail(table, result.error().text());
}

int filter(sqlite3_vtab_cursor* base, int order, const char* taken, int arguments, sqlite3_value** values) {
  return guarded(base->pVtab, [&] {
    auto& bound = *reinterpret_cast<BoundCursor*>(base);
    bound.constraints.clear();
    for (int i = 0; i < arguments; ++i)
      bound.constraints.push_back(
          {number(taken[2 * i]), static_cast<Compare>(number(taken[2 * i + 1])), operand_of(values[i])});
    return told(base->pVtab, bound.cursor->start(bound.constraints, order));
  });
}

int next_row(sqlite3_vtab_cursor* base) {
  return guarded(base->pVtab, [&] { return told(base->pVtab, reinterpret_cast<BoundCursor*>(base)->cursor->next()); });
}

int is_at_end(sqlite3_vtab_cursor* base) { return reinterpret_cast<BoundCursor*>(base)->cursor->at_end() ? 1 : 0; }

int write_column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  return guarded(base->pVtab, [&] {
    Cell cell(context);
    reinterpret_cast<BoundCursor*>(base)->cursor->write(column, cell);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  *id = reinterpret_cast<BoundCursor*>(base)->cursor->id();
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module module = {};
  module.iVersion = 1;
  module.xConnect = connect;  // and no xCreate: the table is there by itself
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next_row;
  module.xEof = is_at_end;
  module.xColumn = write_column;
  module.xRowid = row_id;
  return module;
}
constexpr sqlite3_module kModule = make_module();

}  // namespace

int add_table(sqlite3* connection, Table& table, const Budget& budget) {
  return sqlite3_create_module_v2(connection, std::string(table.name()).c_str(), &kModule, new Module{&table, &budget},
                                  [](void* data) { delete static_cast<Module*>(data); });
}

int meet_table(sqlite3* connection, std::string_view name, std::size_t arguments) {
  std::string query = fmt::format("SELECT 1 FROM \"{}\"", name);
  for (std::size_t i = 0; i < arguments; ++i) query += i == 0 ? "(NULL" : ", NULL";
  if (arguments > 0) query += ')';
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection, query.c_str(), -1, &statement, nullptr);
  sqlite3_finalize(statement);
  return code;
}

}  // namespace vizd::sql
