#include "query/args_groups.h"

#include <array>

namespace vizd::sql {
namespace {

enum ArgsGroupColumn { kOfKey, kOfFlatKey, kOfName, kOfUnit, kOfType, kArgsCount, kArgsGroupColumns };

constexpr std::array<ColumnInfo, kArgsGroupColumns> kColumnsOfArgsGroups{{
    {"key", ColumnType::kText, "args.key of all of them"},
    {"flat_key", ColumnType::kText, "As key"},
    {"name", ColumnType::kText, "args.name of all of them"},
    {"unit", ColumnType::kText, "args.unit of all of them"},
    {"value_type", ColumnType::kText, "args.value_type of all of them"},
    {"#count", ColumnType::kInteger, "Number of rows"},
}};

constexpr std::array<std::string_view, 5> kKeysOfArgs{"key", "flat_key", "name", "unit", "value_type"};

constexpr std::string_view kCountOfArgs = R"(coalesce(sum({of}."#count"), 0))";
constexpr std::array kTotalsOfArgs{
    TotalOfGroups{"count", "*", kCountOfArgs},   TotalOfGroups{"count", "", kCountOfArgs},
    TotalOfGroups{"count", "1", kCountOfArgs},   TotalOfGroups{"count", "id", kCountOfArgs},
    TotalOfGroups{"count", "key", kCountOfArgs}, TotalOfGroups{"count", "arg_set_id", kCountOfArgs},
};

class ArgsGroupsCursor : public Cursor {
 public:
  explicit ArgsGroupsCursor(const ArgsTable& args) : args_(args) {}

  Result<void> start(std::span<const Constraint>, int) override {
    at_ = 0;
    return {};
  }
  bool at_end() const override { return at_ == args_.runs().size(); }
  Result<void> next() override {
    ++at_;
    return {};
  }

  void write(int column, Cell& cell) const override {
    const ArgumentRun& run = args_.runs()[at_];
    const StringTable& strings = args_.catalog().capture(run.source).strings;
    switch (column) {
      case kOfKey:
      case kOfFlatKey:
        return cell.text(run.key);
      case kOfName:
        return cell.text(run.name);
      case kOfUnit:
        return cell.text_or_null(strings.get(run.column->unit));
      case kOfType:
        return cell.text(value_type(run, strings));
      default:
        return cell.integer(static_cast<std::int64_t>(run.column->size()));
    }
  }

  std::int64_t id() const override { return static_cast<std::int64_t>(at_); }

 private:
  const ArgsTable& args_;
  std::size_t at_ = 0;
};

}  // namespace

std::span<const ColumnInfo> ArgsGroups::columns() const { return kColumnsOfArgsGroups; }

Plan ArgsGroups::plan(const PlanRequest& request) {
  const auto rows = static_cast<double>(args_.runs().size()) + 1;
  Plan plan;
  plan.takes.assign(request.constraints.size(), false);
  plan.is_ordered = request.order.empty();
  plan.rows = static_cast<std::int64_t>(rows);
  plan.cost = rows + 20;
  return plan;
}

std::unique_ptr<Cursor> ArgsGroups::open(const Budget&) { return std::make_unique<ArgsGroupsCursor>(args_); }

Grouping ArgsGroups::grouping() { return {.of = &args_, .groups = this, .totals = kTotalsOfArgs, .keys = kKeysOfArgs}; }

}  // namespace vizd::sql
