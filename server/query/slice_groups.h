// "slice groups": the slices of slice in groups, for queries that count and add them up (grouped_query.h). A row is a
// number of slices that have all the key columns which the query reads in common, with how many they are, and sums,
// least and greatest of their times; several rows may have the same keys. It is made column by column, a batch at a
// time: at most kMostGroups are held at once. One thread.
#pragma once

#include <memory>

#include "query/grouped_query.h"
#include "query/slice_table.h"

namespace vizd::sql {

class SliceGroups : public Table {
 public:
  static constexpr std::size_t kMostGroups = std::size_t{1} << 16;

  explicit SliceGroups(SliceTable& slices) : slices_(slices) {}

  std::string_view name() const override { return "slice groups"; }
  std::string_view about() const override { return "Slices in groups, for totals of them."; }
  std::span<const ColumnInfo> columns() const override;
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

  // How totals of slices become totals of this. Refers to this.
  Grouping grouping();

 private:
  SliceTable& slices_;
};

}  // namespace vizd::sql
