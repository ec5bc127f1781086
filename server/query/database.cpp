#include "query/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/ascii_case.h"
#include "query/args_groups.h"
#include "query/definitions.h"
#include "query/functions.h"
#include "query/memory_groups.h"
#include "query/perfetto_names.h"
#include "query/permission.h"
#include "query/related_table.h"
#include "query/slice_groups.h"
#include "query/sql_script.h"
#include "query/sqlite_table.h"
#include "query/text_functions.h"

namespace vizd::sql {

// The connection's tables and permission beside those of Tables.
struct Database::Connected {
  Connected(const Catalog& catalog, const Tables& tables) : slice_groups(*tables.slices), args_groups(*tables.args) {
    groups = {{&slice_groups, slice_groups.grouping()}, {&args_groups, args_groups.grouping()}};
    for (const MemoryRows* const rows : {&kAllocationRows, &kMemoryEventRows}) {
      const auto of = std::ranges::find_if(tables.all, [&](const auto& table) { return table->name() == rows->table; });
      MemoryGroups& made = memory_groups.emplace_back(catalog, **of, *rows);
      groups.emplace_back(&made, made.grouping());
    }
  }

  SliceGroups slice_groups;
  ArgsGroups args_groups;
  std::deque<MemoryGroups> memory_groups = {};
  std::vector<std::pair<Table*, Grouping>> groups;  // all of these
  Permission permission = {};
  TableList related = {};
  std::optional<Definitions> definitions = {};
};

namespace {

// SQLite's own tables that queries may use.
constexpr std::array<std::string_view, 3> kOwnTables{"json_each", "json_tree", "pragma_table_info"};

int watch_budget(void* budget) { return static_cast<const Budget*>(budget)->is_over() ? 1 : 0; }

// Between two questions whether a query's time is over there may be so many, each a function of a long text.
constexpr int kMostInstructions = 10'000;

struct Limit {
  int what, most;
};
constexpr std::array kLimits{
    Limit{SQLITE_LIMIT_LENGTH, static_cast<int>(Cell::kMostBytes) + 4096},
    Limit{SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(kMostQueryBytes)},
    Limit{SQLITE_LIMIT_COLUMN, 200},
    Limit{SQLITE_LIMIT_EXPR_DEPTH, 200},
    Limit{SQLITE_LIMIT_COMPOUND_SELECT, 50},
    Limit{SQLITE_LIMIT_VDBE_OP, kMostInstructions},
    Limit{SQLITE_LIMIT_FUNCTION_ARG, 100},
    Limit{SQLITE_LIMIT_ATTACHED, 0},
    Limit{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    Limit{SQLITE_LIMIT_VARIABLE_NUMBER, 40},  // a function's arguments
    Limit{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    Limit{SQLITE_LIMIT_WORKER_THREADS, 0},
};

// The query with a blank line for every line that begins with //, so that places in it stay.
std::string without_slashes(std::string_view query) {
  std::string text(query);
  bool is_line_start = true, is_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      is_line_start = true;
      is_comment = false;
      continue;
    }
    if (is_line_start && text.compare(i, 2, "//") == 0) is_comment = true;
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') is_line_start = false;
    if (is_comment) text[i] = ' ';
  }
  return text;
}

Value value_at(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_NULL:
      return std::monostate{};
    default: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return text == nullptr ? std::string_view("") : std::string_view(text, size);
    }
  }
}

std::string or_empty(const char* text) { return text == nullptr ? "" : text; }

std::vector<ResultColumn> columns_of(sqlite3_stmt* statement) {
  std::vector<ResultColumn> columns;
  for (int i = 0; i < sqlite3_column_count(statement); ++i)
    columns.push_back({or_empty(sqlite3_column_name(statement, i)), or_empty(sqlite3_column_table_name(statement, i)),
                       or_empty(sqlite3_column_origin_name(statement, i))});
  return columns;
}

}  // namespace

Database::Database(Catalog& catalog)
    : catalog_(catalog), tables_(catalog), connected_(std::make_unique<Connected>(catalog, tables_)) {}

const std::set<std::string>& Database::tables_read() const { return connected_->permission.tables; }

Database::~Database() { sqlite3_close(connection_); }

Result<void> Database::open() {
  // The limit covers the whole program: connections are few, and the others run queries too.
  sqlite3_hard_heap_limit64(kMostMemoryBytes);
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const auto check = [&](int code) -> Result<void> {
    if (code == SQLITE_OK) return {};
    return Error{ErrorKind::kInternal, fmt::format("SQLite cannot be opened: {}", sqlite3_errstr(code)), ""};
  };
  VIZD_TRY(check(sqlite3_open_v2(":memory:", &connection_, kFlags, nullptr)));
  // Sorting stays in memory: no query makes a file.
  VIZD_TRY(check(sqlite3_exec(connection_, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr)));
  for (const Limit& limit : kLimits) sqlite3_limit(connection_, limit.what, limit.most);
  VIZD_TRY(check(sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr)));
  VIZD_TRY(check(sqlite3_db_config(connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr)));
  VIZD_TRY(check(sqlite3_db_config(connection_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr)));
  VIZD_TRY(check(add_functions(connection_, *tables_.args)));
  VIZD_TRY(check(add_text_functions(connection_, catalog_.budget())));
  for (const auto& table : tables_.all) {
    VIZD_TRY(check(add_table(connection_, *table, catalog_.budget())));
    VIZD_TRY(check(meet_table(connection_, table->name())));
  }
  connected_->related = related_tables(catalog_, tables_);
  for (const auto& table : connected_->related) {
    VIZD_TRY(check(add_table(connection_, *table, catalog_.budget())));
    VIZD_TRY(check(meet_table(connection_, table->name(), 1)));
  }
  for (const auto& [table, grouping] : connected_->groups) {
    VIZD_TRY(check(add_table(connection_, *table, catalog_.budget())));
    VIZD_TRY(check(meet_table(connection_, table->name())));
  }
  for (const std::string_view table : kOwnTables) VIZD_TRY(check(meet_table(connection_, table)));
  VIZD_TRY(check(watch(connection_, connected_->permission)));
  connected_->definitions.emplace(connection_, catalog_.budget(), connected_->permission);
  // Each may be a function of a text of a megabyte, which takes milliseconds.
  constexpr int kStepsBetween = 100;
  sqlite3_progress_handler(connection_, kStepsBetween, watch_budget, const_cast<Budget*>(&catalog_.budget()));
  return {};
}

Error Database::error_of(int code, std::string_view query) const {
  const std::string message = sqlite3_errmsg(connection_);
  if (code == SQLITE_INTERRUPT || catalog_.budget().is_over()) return catalog_.budget().error();
  if (code == SQLITE_NOMEM)
    return {ErrorKind::kTooLarge,
            fmt::format("takes more than {} MiB of memory; sort or group less at once, or use LIMIT",
                        kMostMemoryBytes >> 20),
            ""};
  if (!connected_->permission.denied.empty())
    return {ErrorKind::kForbidden, connected_->permission.denied + " is not allowed; use SELECT or WITH", ""};
  const auto names = [](const auto& items, auto name) {
    std::string list;
    for (const auto& item : items) list += (list.empty() ? "" : ", ") + std::string(name(item));
    return list;
  };
  std::string hint;
  if (message.starts_with("no such table")) {
    hint = "; there are " + names(tables_.all, [](const auto& table) { return table->name(); });
    hint += ", " + names(connected_->related, [](const auto& table) { return table->name(); });
    for (const PerfettoName& name : perfetto_names()) {
      if (name.is_view()) hint += fmt::format(", {}", name.name);
    }
  }
  if (message.starts_with("no such column")) {
    for (const auto& table : tables_.all) {
      if (query.find(table->name()) != std::string_view::npos)
        hint += fmt::format("; {} has {}", table->name(),
                            names(table->columns(), [](const ColumnInfo& column) { return column.name; }));
    }
  }
  std::string where;
  if (const int offset = sqlite3_error_offset(connection_); offset >= 0) {
    const std::string_view before = query.substr(0, static_cast<std::size_t>(offset));
    const auto line = 1 + std::ranges::count(before, '\n');
    where = fmt::format("line {}, column {}", line, before.size() - (before.rfind('\n') + 1) + 1);
  }
  return {ErrorKind::kBadInput, message + hint, where};
}

Result<std::string> Database::define(const std::vector<Statement>& script) {
  const auto asks = [](const Statement& statement) { return statement.kind == Statement::Kind::kAsk; };
  const auto first = std::ranges::find_if(script, asks);
  if (script.empty()) return Error{ErrorKind::kBadInput, "the query is empty; try SELECT * FROM slice LIMIT 10", ""};
  for (auto statement = script.begin(); statement != first; ++statement)
    VIZD_TRY(connected_->definitions->define(*statement));
  if (first == script.end())
    return Error{ErrorKind::kForbidden,
                 "the query selects nothing: what it creates exists only during the query; add a SELECT", ""};
  if (first + 1 != script.end())
    return Error{ErrorKind::kBadInput, "there is more than one statement; send them one after another", ""};
  VIZD_TRY(connected_->definitions->make_perfetto_names(words_of(first->query)));
  return first->query;
}

Result<bool> Database::run(std::string_view raw_query, ResultSink& sink) {
  if (raw_query.size() > kMostQueryBytes)
    return Error{ErrorKind::kTooLarge, fmt::format("the query is longer than {} KiB", kMostQueryBytes >> 10), ""};
  if (raw_query.find('\0') != std::string_view::npos)
    return Error{ErrorKind::kBadInput, "the query has a null character in it", ""};
  if (connection_ == nullptr) VIZD_TRY(open());
  const std::string text = without_slashes(raw_query);
  auto script = read_script(text);
  if (!script) return script.error();
  auto asked = define(*script);
  if (!asked) return asked.error();
  const std::string& query = *asked;
  sqlite3_stmt* prepared = nullptr;
  for (const auto& [table, grouping] : connected_->groups) {
    const auto grouped = prepared == nullptr ? grouped_query(query, grouping) : std::nullopt;
    // One that SQLite does not take is told of as it was asked.
    if (grouped) sqlite3_prepare_v2(connection_, grouped->c_str(), -1, &prepared, nullptr);
  }
  connected_->permission.denied.clear();
  const int code = prepared != nullptr ? SQLITE_OK
                                       : sqlite3_prepare_v2(connection_, query.data(), static_cast<int>(query.size()),
                                                            &prepared, nullptr);
  const PreparedStatement statement(prepared);
  if (code == SQLITE_NOMEM)
    return Error{ErrorKind::kTooLarge,
                 fmt::format("the query grows to more than {} SQLite instructions; split it", kMostInstructions), ""};
  if (code != SQLITE_OK) return error_of(code, query);
  if (!statement) return Error{ErrorKind::kBadInput, "the query is empty; try SELECT * FROM slice LIMIT 10", ""};
  if (sqlite3_column_count(statement.get()) == 0)
    return Error{ErrorKind::kForbidden, "the query selects nothing; use SELECT or WITH", ""};
  sink.begin(columns_of(statement.get()));
  const int columns = sqlite3_column_count(statement.get());
  std::vector<Value> row(static_cast<std::size_t>(columns));
  while (true) {
    const int stepped = sqlite3_step(statement.get());
    if (stepped == SQLITE_DONE) return true;
    if (stepped != SQLITE_ROW) return error_of(stepped, query);
    for (int i = 0; i < columns; ++i) row[static_cast<std::size_t>(i)] = value_at(statement.get(), i);
    if (!sink.add(row)) return false;
  }
}

}  // namespace vizd::sql
