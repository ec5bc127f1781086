#include "query/row_table.h"

#include <algorithm>
#include <utility>

#include "base/huge_pages.h"

namespace vizd::sql {

class RowTable::RowCursor : public Cursor {
 public:
  explicit RowCursor(RowTable& table) : table_(table) {}

  Result<void> start(std::span<const Constraint> constraints, int order) override {
    const auto rows = table_.rows();
    if (!rows) return rows.error();
    row_ = 0;
    end_ = (*rows)->size();
    for (const Constraint& constraint : constraints) {
      Interval interval;
      interval.narrow(constraint.compare, constraint.value);
      if (interval.is_empty()) end_ = 0;
      if (interval.is_empty() || interval.is_all()) continue;
      row_ = std::max(row_, table_.first_at_least(constraint.column, interval.first));
      if (interval.last != std::numeric_limits<std::int64_t>::max())
        end_ = std::min(end_, table_.first_at_least(constraint.column, interval.last + 1));
    }
    ranked_.clear();
    if (order != 0) rank_by(order);
    find_place();
    return {};
  }

  bool at_end() const override { return row_ >= end_; }

  Result<void> next() override {
    ++row_;
    if (++place_.at >= source_end_ || !ranked_.empty()) find_place();
    return {};
  }

  void write(int column, Cell& cell) const override {
    if (column == 0) return cell.integer(id());
    table_.description_.columns[static_cast<std::size_t>(column) - 1].write(place_, cell);
  }

  std::int64_t id() const override {
    return static_cast<std::int64_t>(ranked_.empty() ? row_ : ranked_[row_ - first_]);
  }

 private:
  // The rows of a capture that are left, by rank, and those of one rank in their order.
  void rank_by(int column) {
    if (at_end()) return;
    const auto& rank_of = table_.description_.columns[static_cast<std::size_t>(column) - 1].rank;
    LargeVector<std::uint32_t> ranks;
    ranks.reserve(end_ - row_);
    for (std::uint64_t row = row_; row < end_; ++row) ranks.push_back(rank_of(table_.rows_->place(row)));
    std::vector<std::size_t> begin(std::size_t{std::ranges::max(ranks)} + 2);
    for (const std::uint32_t rank : ranks) ++begin[rank + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    ranked_.resize(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranked_[begin[ranks[i]]++] = static_cast<std::uint32_t>(row_ + i);
    first_ = row_;
  }

  void find_place() {
    if (at_end()) return;
    place_ = table_.rows_->place(static_cast<std::uint64_t>(id()));
    source_end_ = table_.rows_->first(place_.source + 1) - table_.rows_->first(place_.source);
  }

  RowTable& table_;
  std::uint64_t row_ = 0, end_ = 0;
  LargeVector<std::uint32_t> ranked_;  // the rows from first_ on, where they come by rank
  std::uint64_t first_ = 0;
  Place place_;
  std::uint64_t source_end_ = 0;
};

RowTable::RowTable(Description description, std::size_t sources)
    : description_(std::move(description)), sources_(sources) {
  infos_.push_back({"id", ColumnType::kInteger, description_.id_about});
  for (const RowColumn& column : description_.columns) infos_.push_back(column.info);
}

Result<const Numbering*> RowTable::rows() {
  if (rows_) return &*rows_;
  Numbering rows;
  for (std::size_t source = 0; source < sources_; ++source) {
    const auto count = description_.count(source);
    if (!count) return count.error();
    rows.add(*count);
  }
  rows_ = std::move(rows);
  return &*rows_;
}

bool RowTable::is_ascending(int column) const {
  return column == 0 || description_.columns[static_cast<std::size_t>(column) - 1].ascending;
}

// Captures number their texts each by itself.
bool RowTable::has_ranks(int column) const {
  return column > 0 && sources_ == 1 && description_.columns[static_cast<std::size_t>(column) - 1].rank && rows_ &&
         rows_->size() < kNoId;
}

std::int64_t RowTable::ascending(int column, std::uint64_t row) const {
  if (column == 0) return static_cast<std::int64_t>(row);
  return description_.columns[static_cast<std::size_t>(column) - 1].ascending(rows_->place(row));
}

std::uint64_t RowTable::first_at_least(int column, std::int64_t value) const {
  std::uint64_t from = 0, to = rows_->size();
  while (from < to) {
    const std::uint64_t middle = from + (to - from) / 2;
    ascending(column, middle) < value ? from = middle + 1 : to = middle;
  }
  return from;
}

Plan RowTable::plan(const PlanRequest& request) {
  constexpr double kUsual = 1000;
  double rows = kUsual;
  if (!description_.is_slow_to_count || rows_) {
    if (const auto counted = this->rows()) rows = static_cast<double>((*counted)->size()) + 1;
  }
  Plan plan;
  for (const Constraint& constraint : request.constraints) {
    const bool takes = is_ascending(constraint.column);
    plan.takes.push_back(takes);
    if (!takes) continue;
    const bool is_equal = constraint.compare == Compare::kEqual;
    plan.is_one_row = plan.is_one_row || (is_equal && constraint.column == 0);
    // How many an equal value leaves is not known; that it narrows a good deal is.
    rows = std::min(rows, is_equal ? std::max(1.0, rows / 50) : std::max(1.0, rows / 4));
  }
  if (plan.is_one_row) rows = 1;
  plan.is_ordered = true;
  for (const OrderTerm& term : request.order) {
    plan.is_ordered = plan.is_ordered && is_ascending(term.column) && !term.is_descending;
    if (term.column == 0) break;
  }
  if (!plan.is_ordered && request.wants_groups && request.order.size() == 1 && !request.order[0].is_descending &&
      has_ranks(request.order[0].column)) {
    plan.order = request.order[0].column;
    plan.is_ordered = true;
  }
  plan.rows = static_cast<std::int64_t>(rows);
  plan.cost = rows + 10;
  return plan;
}

std::unique_ptr<Cursor> RowTable::open(const Budget&) { return std::make_unique<RowCursor>(*this); }

}  // namespace vizd::sql
