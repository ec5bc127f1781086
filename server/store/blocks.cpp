#include "store/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace vizd::store {
namespace {

// Writes one value as its column has it.
class ColumnSink : public sql::CellSink {
 public:
  void begin(const StoredColumn& column, RowBinaryWriter& row) {
    column_ = &column;
    row_ = &row;
  }
  const std::optional<Error>& failure() const { return failure_; }

  void null() override {
    if (column_->may_be_null) return row_->null();
    failure_ =
        Error{ErrorKind::kInternal, fmt::format("{} is null, which it never is (a bug in vizd)", column_->name), ""};
  }
  void integer(std::int64_t value) override {
    begin_value();
    if (column_->type == StoredType::kInteger) return row_->integer(value);
    if (column_->type == StoredType::kReal) return row_->real(static_cast<double>(value));
    row_->text(std::to_string(value));
  }
  void real(double value) override {
    begin_value();
    if (column_->type == StoredType::kReal) return row_->real(value);
    if (column_->type == StoredType::kInteger) return row_->integer(std::llround(value));
    row_->text(fmt::format("{}", value));
  }
  void text(std::string_view value) override {
    if (column_->type != StoredType::kText) return null();
    begin_value();
    row_->text(value);
  }
  void error(const Error& error) override { failure_ = error; }

 private:
  void begin_value() {
    if (column_->may_be_null) row_->present();
  }

  const StoredColumn* column_ = nullptr;
  RowBinaryWriter* row_ = nullptr;
  std::optional<Error> failure_;
};

// Holds what a walk over a table needs.
struct Walk {
  Budget budget;
  ColumnSink sink;
  std::unique_ptr<sql::Cursor> cursor;
  bool began = false;
};

int column_named(const sql::Table& table, std::string_view name) {
  const auto columns = table.columns();
  const auto found = std::ranges::find(columns, name, &sql::ColumnInfo::name);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

// The way of walking by track and time, where the table has one; else as the rows lie. Sorted rows are taken quicker.
int order_of(sql::Table& table) {
  const std::array<sql::OrderTerm, 2> by_time{{{column_named(table, "track_id")}, {column_named(table, "ts")}}};
  if (by_time[0].column < 0 || by_time[1].column < 0) return table.plan({}).order;
  sql::PlanRequest request;
  request.order = by_time;
  const sql::Plan plan = table.plan(request);
  return plan.is_ordered ? plan.order : table.plan({}).order;
}

}  // namespace

Result<WriteRow> rows_of(sql::Table& table, const StoredTable& stored) {
  const auto walk = std::make_shared<Walk>();
  walk->cursor = table.open(walk->budget);
  VIZD_TRY(walk->cursor->start({}, order_of(table)));
  return WriteRow([walk, &stored](RowBinaryWriter& row) -> Result<bool> {
    if (walk->began) VIZD_TRY(walk->cursor->next());
    walk->began = true;
    if (walk->cursor->at_end()) return false;
    for (const StoredColumn& column : stored.columns) {
      if (!column.is_stored()) continue;
      walk->sink.begin(column, row);
      sql::Cell cell(walk->sink);
      walk->cursor->write(column.source, cell);
      if (walk->sink.failure()) return *walk->sink.failure();
    }
    return true;
  });
}

Result<std::optional<Block>> BlockMaker::next() {
  if (at_end_) return std::optional<Block>();
  Block block{.number = number_, .rows = 0, .bytes = {}};
  std::string before;
  RowBinaryWriter head(before);
  write_origin(origin_, number_, head);
  RowBinaryWriter row(block.bytes);
  while (block.rows < kMostBlockRows && block.bytes.size() < kMostBlockBytes) {
    block.bytes += before;
    const auto written = write_row_(row);
    if (!written) return written.error();
    if (!*written) {
      block.bytes.resize(block.bytes.size() - before.size());
      at_end_ = true;
      break;
    }
    ++block.rows;
  }
  ++number_;
  if (block.rows == 0) return std::optional<Block>();
  return std::optional<Block>(std::move(block));
}

}  // namespace vizd::store
