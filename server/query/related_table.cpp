#include "query/related_table.h"

#include <algorithm>

namespace vizd::sql {

class RelatedTable::RelatedCursor : public Cursor {
 public:
  RelatedCursor(const RelatedTable& table, const Budget& budget) : table_(table), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int) override {
    ids_.clear();
    at_ = 0;
    is_there_ = false;
    const Operand& value = constraints.front().value;
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return {};  // no id is anything else
    start_ = *number;
    auto found = table_.find_(start_, budget_);
    if (!found) return found.error();
    ids_ = *std::move(found);
    return {};
  }

  bool at_end() const override { return at_ >= ids_.size(); }

  Result<void> next() override {
    ++at_;
    is_there_ = false;
    return {};
  }

  void write(int column, Cell& cell) const override {
    if (column == table_.start_column()) return cell.integer(start_);
    if (column == 0) return cell.integer(id());
    if (!is_there_) {
      if (!row_) row_ = table_.of_.open(budget_);
      const Constraint is_it{0, Compare::kEqual, ids_[at_]};
      if (const auto started = row_->start(std::span(&is_it, 1), 0); !started) return cell.error(started.error());
      is_there_ = true;
    }
    row_->write(column < table_.start_column() ? column : column - 1, cell);
  }

  std::int64_t id() const override { return ids_[at_]; }

 private:
  const RelatedTable& table_;
  const Budget& budget_;
  std::int64_t start_ = 0;
  Ids ids_;
  std::size_t at_ = 0;
  // The row of the other table at ids_[at_], once a column of it was asked for.
  mutable std::unique_ptr<Cursor> row_;
  mutable bool is_there_ = false;
};

RelatedTable::RelatedTable(std::string_view name, std::string_view about, Table& of, Find find)
    : name_(name), about_(about), of_(of), find_(std::move(find)) {
  hidden_.push_back({"start_id", ColumnType::kInteger, "slice.id of the slice to start from"});
  for (const ColumnInfo& column : of.hidden_columns()) hidden_.push_back(column);
}

Plan RelatedTable::plan(const PlanRequest& request) {
  const auto order = request.order;
  const bool is_by_id = order.size() == 1 && order[0].column == 0 && !order[0].is_descending;
  return plan_for_arguments(request, start_column(), 1, order.empty() || is_by_id);
}

std::unique_ptr<Cursor> RelatedTable::open(const Budget& budget) {
  return std::make_unique<RelatedCursor>(*this, budget);
}

TableList related_tables(const Catalog& catalog, const Tables& tables) {
  TableList list;
  const auto flow = std::ranges::find_if(tables.all, [](const auto& table) { return table->name() == "flow"; });
  const auto add = [&](std::string_view name, std::string_view about, Table& of, RelatedTable::Find find) {
    list.push_back(std::make_unique<RelatedTable>(name, about, of, std::move(find)));
  };
  const auto along = [&catalog](FlowWay way) {
    return [&catalog, way](std::int64_t id, const Budget& budget) { return flows_of_slice(catalog, id, way, budget); };
  };
  add("ancestor_slice", "The slices that contain a slice, the outermost first.", *tables.slices,
      [&catalog](std::int64_t id, const Budget&) { return ancestor_slices(catalog, id); });
  add("descendant_slice", "The slices inside a slice, at any depth.", *tables.slices,
      [&catalog](std::int64_t id, const Budget& budget) { return descendant_slices(catalog, id, budget); });
  add("following_flow", "The flows that lead on from a slice and those inside it, at any distance.", **flow,
      along(FlowWay::kFollowing));
  add("preceding_flow", "The flows that led to a slice and those that contain it, at any distance.", **flow,
      along(FlowWay::kPreceding));
  add("directly_connected_flow", "The flows that led to a slice and lead on from it, without those around it.", **flow,
      along(FlowWay::kDirect));
  return list;
}

}  // namespace vizd::sql
