// RowTable: a table whose rows are counted, capture by capture, and whose columns are each a function from a row's
// place: what most tables are. The first column, id, is the row's number. A column that never falls from row to row
// narrows the rows by binary search, and orders them. Where a query groups the rows by a column of few values, the
// table gives them in its order: SQLite would compare the texts of all rows to sort them. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/catalog.h"
#include "query/table.h"

namespace vizd::sql {

struct RowColumn {
  ColumnInfo info;
  std::function<void(const Place&, Cell&)> write;
  // Its value, where it never falls from row to row, and is never null.
  std::function<std::int64_t(const Place&)> ascending = {};
  // The order of a row's value among the rows of a capture: less than or equal to another row's if its value is. For
  // few values.
  std::function<std::uint32_t(const Place&)> rank = {};
};

class RowTable : public Table {
 public:
  // How many rows a capture has; called once for each, when the rows are first walked.
  using CountRows = std::function<Result<std::uint64_t>(std::size_t source)>;

  struct Description {
    std::string_view name, about;
    std::string_view id_about;
    CountRows count;
    bool is_slow_to_count = false;
    std::vector<RowColumn> columns;  // without id
  };

  RowTable(Description description, std::size_t sources);

  std::string_view name() const override { return description_.name; }
  std::string_view about() const override { return description_.about; }
  std::span<const ColumnInfo> columns() const override { return infos_; }
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

 private:
  class RowCursor;

  Result<const Numbering*> rows();
  bool is_ascending(int column) const;
  bool has_ranks(int column) const;
  std::int64_t ascending(int column, std::uint64_t row) const;
  // The first row whose value is at least that.
  std::uint64_t first_at_least(int column, std::int64_t value) const;

  Description description_;
  std::size_t sources_;
  std::vector<ColumnInfo> infos_;
  std::optional<Numbering> rows_;
};

}  // namespace vizd::sql
