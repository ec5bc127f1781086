#include "query/definitions.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "base/ascii_case.h"
#include "query/perfetto_names.h"
#include "query/span_join.h"
#include "query/sqlite_table.h"

namespace vizd::sql {
namespace {

// A function of the query's own that gives one value.
struct ScalarFunction {
  Statement statement;
  const Budget& budget;
  int depth = 0;  // of calls that are not back
};
constexpr int kMostCalls = 32;

void tell(sqlite3_context* context, const std::string& message) {
  sqlite3_result_error(context, message.data(), static_cast<int>(message.size()));
}

void call_prepared(sqlite3_context* context, ScalarFunction& function, int count, sqlite3_value** values) {
  sqlite3* const connection = sqlite3_context_db_handle(context);
  // Prepared once a call: a function may be in its own arguments, or call itself.
  const auto prepared = prepare_select(connection, function.statement.query);
  if (!prepared) return tell(context, prepared.error().message);
  sqlite3_stmt* const statement = prepared->get();
  for (int i = 0; i < count; ++i) {
    const std::string name = "$" + function.statement.arguments[static_cast<std::size_t>(i)];
    const int place = sqlite3_bind_parameter_index(statement, name.c_str());
    if (place != 0) sqlite3_bind_value(statement, place, values[i]);
  }
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) return sqlite3_result_value(context, sqlite3_column_value(statement, 0));
  if (code == SQLITE_DONE) return sqlite3_result_null(context);
  tell(context, sqlite_error(connection, function.budget).message);
}

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  auto& function = *static_cast<ScalarFunction*>(sqlite3_user_data(context));
  if (function.depth == kMostCalls)
    return tell(context, fmt::format("{} calls itself more than {} times", function.statement.name, kMostCalls));
  ++function.depth;
  try {
    call_prepared(context, function, count, values);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
  --function.depth;
}

}  // namespace

Error Definitions::error() const { return sqlite_error(connection_, budget_); }

Result<void> Definitions::run(const std::string& sql) {
  permission_.is_defining = true;
  const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  permission_.is_defining = false;
  if (code == SQLITE_NOMEM) return Error{ErrorKind::kTooLarge, "takes more memory than a query may", ""};
  if (code == SQLITE_OK) return {};
  return error();
}

Result<void> Definitions::drop(const std::string& name) {
  // A view is no table to SQLite, and the other way round.
  const std::string view = fmt::format("DROP VIEW temp.{}", quoted_name(name));
  if (run(view)) return {};
  return run(fmt::format("DROP TABLE temp.{}", quoted_name(name)));
}

Result<void> Definitions::define(const Statement& statement) {
  auto made = make(statement);
  if (made || statement.kind == Statement::Kind::kInclude) return made;
  if (!permission_.denied.empty())
    return Error{ErrorKind::kForbidden, fmt::format("{}: {} is not allowed", statement.name, permission_.denied), ""};
  Error error = std::move(made).error();
  if (error.kind == ErrorKind::kBadInput) error.message = fmt::format("{}: {}", statement.name, error.message);
  return error;
}

Result<void> Definitions::make(const Statement& statement) {
  using Kind = Statement::Kind;
  if (statement.kind == Kind::kNothing) return {};
  if (statement.kind == Kind::kInclude) {
    if (has_module(statement.name)) return {};
    return Error{ErrorKind::kBadInput,
                 fmt::format("the module {} of Perfetto's library is not available; docs/sql.md lists those that are",
                             statement.name),
                 ""};
  }
  const std::string name = ascii_lower(std::string_view(statement.name));
  const bool is_there = made_.contains(name);
  if (statement.kind == Kind::kDrop) {
    if (!is_there && statement.replaces) return {};
    if (!is_there)
      return Error{ErrorKind::kForbidden, "a query can drop only the tables and views that it created itself", ""};
    made_.erase(name);
    return drop(statement.name);
  }
  VIZD_TRY(make_perfetto_names(words_of(statement.query)));
  const bool is_function = statement.kind == Kind::kFunction || statement.kind == Kind::kTableFunction;
  if (is_there && !is_function) {
    if (!statement.replaces) return Error{ErrorKind::kBadInput, "the name is already used", ""};
    VIZD_TRY(drop(statement.name));
  }
  made_.insert(name);
  if (statement.kind == Kind::kFunction) return add_function(statement);
  if (statement.kind == Kind::kTableFunction) {
    // It is looked at as the query will ask it.
    VIZD_TRY(prepare_select(connection_, statement.query));
    return add_table(std::make_unique<StatementTable>(connection_, statement));
  }
  if (statement.kind == Kind::kSpanJoin) {
    permission_.is_defining = true;
    auto joined = make_span_join(connection_, statement, budget_);
    permission_.is_defining = false;
    return joined;
  }
  std::string columns;
  if (statement.kind == Kind::kView) {
    for (const std::string& column : statement.columns) columns += (columns.empty() ? "(" : ", ") + quoted_name(column);
    if (!columns.empty()) columns += ')';
  }
  return run(fmt::format("CREATE TEMP {} {}{} AS {}", statement.kind == Kind::kView ? "VIEW" : "TABLE",
                         quoted_name(statement.name), columns, statement.query));
}

Result<void> Definitions::add_table(std::unique_ptr<Table> table) {
  tables_.push_back(std::move(table));
  permission_.is_defining = true;
  int code = vizd::sql::add_table(connection_, *tables_.back(), budget_);
  if (code == SQLITE_OK)
    code = meet_table(connection_, tables_.back()->name(), tables_.back()->hidden_columns().size());
  permission_.is_defining = false;
  return code == SQLITE_OK ? Result<void>() : error();
}

Result<void> Definitions::add_function(const Statement& statement) {
  VIZD_TRY(prepare_select(connection_, statement.query));
  permission_.functions.insert(ascii_lower(std::string_view(statement.name)));
  constexpr int kPure = SQLITE_UTF8 | SQLITE_INNOCUOUS;
  const int code =
      sqlite3_create_function_v2(connection_, statement.name.c_str(), static_cast<int>(statement.arguments.size()),
                                 kPure, new ScalarFunction{statement, budget_}, call, nullptr, nullptr,
                                 [](void* data) { delete static_cast<ScalarFunction*>(data); });
  return code == SQLITE_OK ? Result<void>() : error();
}

Result<void> Definitions::make_perfetto_names(Words words) {
  for (const Word& word : words) {
    if (word.kind != Word::Kind::kName) continue;
    const auto found =
        std::ranges::find_if(perfetto_names(), [&](const PerfettoName& name) { return word.is(name.name); });
    if (found == perfetto_names().end() || made_.contains(std::string(found->name))) continue;
    const auto script = read_script(found->definition);
    if (!script) return script.error();
    VIZD_TRY(define(script->front()));
  }
  return {};
}

}  // namespace vizd::sql
