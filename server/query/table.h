// Table: what a query can select from, without SQLite: columns, the constraints that it takes on itself, and cursors
// that walk its rows. A table is made for one query and belongs to its thread; it reads captures and changes nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "query/cell.h"

namespace vizd::sql {

enum class ColumnType : std::uint8_t { kInteger, kReal, kText, kAny };

struct ColumnInfo {
  std::string_view name;
  ColumnType type = ColumnType::kInteger;
  std::string_view about;  // one line for people
  bool may_be_null = true;
};

enum class Compare : std::uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// Null, or a value of the kinds that SQLite has; blobs come as null_blob, with which nothing is narrowed.
struct Blob {};
using Operand = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;

struct Constraint {
  int column = 0;
  Compare compare = Compare::kEqual;
  Operand value = {};
};

struct OrderTerm {
  int column = 0;
  bool is_descending = false;
};

// SQLite's wishes for a walk.
struct PlanRequest {
  std::span<const Constraint> constraints;  // their values are not known yet
  std::span<const OrderTerm> order;
  bool wants_groups = false;    // equal rows together are enough, in any order
  bool wants_distinct = false;  // and of equal ones one will do
  std::uint64_t columns = 0;    // that it reads, as bits; the last stands for all from 63 on
};

// A table's offer for that. SQLite holds every row against all constraints once more.
struct Plan {
  std::vector<bool> takes;  // by constraint: narrows by it
  int order = 0;            // the table's own number of the order in which rows come
  bool is_ordered = false;  // as was asked
  double cost = 1e6;
  std::int64_t rows = 1'000'000;  // about
  bool is_one_row = false;        // at most
  bool is_impossible = false;     // it wants constraints that are not there
};

// The plan of a function that gives a table: it has rows only for given values of the columns from first on, as many as
// count.
Plan plan_for_arguments(const PlanRequest& request, int first, int count, bool is_ordered);

class Cursor {
 public:
  virtual ~Cursor() = default;
  // Goes to the first row. constraints: those that the plan takes, in their order.
  virtual Result<void> start(std::span<const Constraint> constraints, int order) = 0;
  virtual bool at_end() const = 0;
  virtual Result<void> next() = 0;
  virtual void write(int column, Cell& cell) const = 0;
  virtual std::int64_t id() const = 0;
};

class Table {
 public:
  virtual ~Table() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view about() const = 0;
  virtual std::span<const ColumnInfo> columns() const = 0;
  // Columns after columns() that * does not stand for: arguments of a table function, and other names.
  virtual std::span<const ColumnInfo> hidden_columns() const { return {}; }
  virtual Plan plan(const PlanRequest& request) = 0;
  virtual std::unique_ptr<Cursor> open(const Budget& budget) = 0;
};

// Whole numbers from first to last, both among them.
struct Interval {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::max();

  bool is_empty() const { return first > last; }
  bool is_all() const { return *this == Interval(); }
  bool has(std::int64_t value) const { return first <= value && value <= last; }
  bool operator==(const Interval&) const = default;

  // Leaves at least those that the comparison holds for.
  void narrow(Compare compare, const Operand& operand) {
    if (std::holds_alternative<std::monostate>(operand)) *this = {1, 0};
    if (const auto* number = std::get_if<std::int64_t>(&operand)) narrow_to(compare, *number, *number);
    if (const auto* real = std::get_if<double>(&operand); real != nullptr && std::abs(*real) < 9e18)
      narrow_to(compare, static_cast<std::int64_t>(std::floor(*real)), static_cast<std::int64_t>(std::ceil(*real)));
  }

 private:
  void narrow_to(Compare compare, std::int64_t below, std::int64_t above) {
    const bool from = compare != Compare::kLess && compare != Compare::kLessOrEqual;
    const bool to = compare != Compare::kGreater && compare != Compare::kGreaterOrEqual;
    if (from) first = std::max(first, below);
    if (to) last = std::min(last, above);
  }
};

}  // namespace vizd::sql
