#include "query/statement_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

namespace vizd::sql {

void FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<PreparedStatement> prepare_select(sqlite3* connection, const std::string& query) {
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v2(connection, query.data(), static_cast<int>(query.size()), &made, nullptr);
  PreparedStatement statement(made);
  if (code != SQLITE_OK) return Error{ErrorKind::kBadInput, sqlite3_errmsg(connection), ""};
  if (!statement || sqlite3_column_count(statement.get()) == 0)
    return Error{ErrorKind::kBadInput, "it is not a SELECT", ""};
  return statement;
}

Error sqlite_error(sqlite3* connection, const Budget& budget) {
  if (budget.is_over()) return budget.error();
  return {ErrorKind::kBadInput, sqlite3_errmsg(connection), ""};
}

class StatementTable::StatementCursor : public Cursor {
 public:
  StatementCursor(const StatementTable& table, const Budget& budget) : table_(table), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int) override {
    if (!statement_) {
      auto made = prepare_select(table_.connection_, table_.function_.query);
      if (!made) return made.error();
      statement_ = std::move(*made);
    }
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
    arguments_.assign(table_.arguments_.size(), {});
    for (const Constraint& constraint : constraints) {
      const auto argument = static_cast<std::size_t>(constraint.column) - table_.columns_.size();
      bind(argument, constraint.value);
    }
    row_ = -1;
    return next();
  }

  bool at_end() const override { return at_end_; }

  Result<void> next() override {
    ++row_;
    const int code = sqlite3_step(statement_.get());
    at_end_ = code != SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE) return sqlite_error(table_.connection_, budget_);
    return {};
  }

  void write(int column, Cell& cell) const override {
    sqlite3_stmt* const statement = statement_.get();
    const auto hidden = column - static_cast<int>(table_.columns_.size());
    if (hidden >= 0) return write_argument(static_cast<std::size_t>(hidden), cell);
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_INTEGER:
        return cell.integer(sqlite3_column_int64(statement, column));
      case SQLITE_FLOAT:
        return cell.real(sqlite3_column_double(statement, column));
      case SQLITE_NULL:
        return cell.null();
      default: {
        const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        return cell.copied_text(text == nullptr ? std::string_view("") : std::string_view(text, size));
      }
    }
  }

  std::int64_t id() const override { return row_; }

 private:
  // An argument as it was given: SQLite holds the row against it once more.
  using Argument = std::variant<std::monostate, std::int64_t, double, std::string>;

  void bind(std::size_t argument, const Operand& value) {
    sqlite3_stmt* const statement = statement_.get();
    const std::string name = "$" + table_.function_.arguments[argument];
    const int place = sqlite3_bind_parameter_index(statement, name.c_str());
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      arguments_[argument] = *number;
      sqlite3_bind_int64(statement, place, *number);
    } else if (const auto* real = std::get_if<double>(&value)) {
      arguments_[argument] = *real;
      sqlite3_bind_double(statement, place, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      arguments_[argument] = std::string(*text);
      sqlite3_bind_text(statement, place, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
    }
  }

  void write_argument(std::size_t argument, Cell& cell) const {
    const Argument& value = arguments_[argument];
    if (const auto* number = std::get_if<std::int64_t>(&value)) return cell.integer(*number);
    if (const auto* real = std::get_if<double>(&value)) return cell.real(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return cell.copied_text(*text);
    cell.null();
  }

  const StatementTable& table_;
  const Budget& budget_;
  PreparedStatement statement_;
  std::vector<Argument> arguments_;
  std::int64_t row_ = 0;
  bool at_end_ = true;
};

StatementTable::StatementTable(sqlite3* connection, Statement function)
    : connection_(connection), function_(std::move(function)) {
  for (const std::string& column : function_.columns) columns_.push_back({column, ColumnType::kAny, ""});
  for (const std::string& argument : function_.arguments) arguments_.push_back({argument, ColumnType::kAny, ""});
}

Plan StatementTable::plan(const PlanRequest& request) {
  return plan_for_arguments(request, static_cast<int>(columns_.size()), static_cast<int>(arguments_.size()),
                            request.order.empty());
}

std::unique_ptr<Cursor> StatementTable::open(const Budget& budget) {
  return std::make_unique<StatementCursor>(*this, budget);
}

}  // namespace vizd::sql
