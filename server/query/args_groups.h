// "args groups": the arguments of args in groups, for queries that count them (grouped_query.h): a row for all values
// that a track's events have of one argument, with how many they are. One thread.
#pragma once

#include <memory>

#include "query/args_table.h"
#include "query/grouped_query.h"

namespace vizd::sql {

class ArgsGroups : public Table {
 public:
  explicit ArgsGroups(const ArgsTable& args) : args_(args) {}

  std::string_view name() const override { return "args groups"; }
  std::string_view about() const override { return "Arguments in groups, to count them."; }
  std::span<const ColumnInfo> columns() const override;
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

  // How counts of arguments become sums of this. Refers to this.
  Grouping grouping();

 private:
  const ArgsTable& args_;
};

}  // namespace vizd::sql
