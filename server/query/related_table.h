// RelatedTable: the rows of another table that have to do with a given one, as functions of its id:
// ancestor_slice(id), following_flow(id). Made for one query. One thread.
#pragma once

#include <functional>
#include <vector>

#include "query/slice_family.h"
#include "query/table.h"
#include "query/tables.h"

namespace vizd::sql {

class RelatedTable : public Table {
 public:
  using Find = std::function<Result<Ids>(std::int64_t id, const Budget& budget)>;

  // of: the table of the rows that it finds.
  RelatedTable(std::string_view name, std::string_view about, Table& of, Find find);

  std::string_view name() const override { return name_; }
  std::string_view about() const override { return about_; }
  std::span<const ColumnInfo> columns() const override { return of_.columns(); }
  std::span<const ColumnInfo> hidden_columns() const override { return hidden_; }
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

 private:
  class RelatedCursor;
  int start_column() const { return static_cast<int>(of_.columns().size()); }

  std::string_view name_, about_;
  Table& of_;
  Find find_;
  std::vector<ColumnInfo> hidden_;  // the id that it starts from, then those of the other
};

// ancestor_slice, descendant_slice, following_flow, preceding_flow and directly_connected_flow. Refer to the tables.
TableList related_tables(const Catalog& catalog, const Tables& tables);

}  // namespace vizd::sql
