// slice: the events of all tracks, straight from their columns. Narrows by id, track, time, duration, depth, name and
// category;
// comes by id (track by track, row by row of the lane, in each by time), by time, by track and time, or name by name.
// One thread.
#pragma once

#include <memory>
#include <vector>

#include "query/catalog.h"
#include "query/slice_names.h"
#include "query/slice_naming.h"
#include "query/slice_order.h"
#include "query/table.h"

namespace vizd::sql {

class SliceTable : public Table {
 public:
  explicit SliceTable(Catalog& catalog);

  std::string_view name() const override { return "slice"; }
  std::string_view about() const override { return "Events: what a track did, and when."; }
  std::span<const ColumnInfo> columns() const override;
  std::span<const ColumnInfo> hidden_columns() const override;
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

  const Catalog& catalog() const { return catalog_; }
  const AllSliceNames& all_names() const { return names_; }
  SliceNames& names(std::size_t source) { return *names_[source]; }
  SliceNaming& naming() { return naming_; }

 private:
  const Catalog& catalog_;
  AllSliceNames names_;
  SliceNaming naming_;
};

}  // namespace vizd::sql
