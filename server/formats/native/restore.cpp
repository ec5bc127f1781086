#include "formats/native/restore.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>

namespace vizd::native {
namespace {

namespace column = capture::column;

bool fits_int64(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

std::uint64_t sum(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

Restore::Restore(Capture& capture, const Tables& tables, const Counts& counts, std::uint64_t most_reserved)
    : capture_(capture), tables_(tables), counts_(counts) {
  const auto room = [&](std::uint64_t count) { return static_cast<std::size_t>(std::min(count, most_reserved)); };
  capture_.values.begin_restore(room(counts.values), room(counts.values * 4));
  capture_.ops.begin_restore(room(counts.ops), room(counts.ops * 2));
}

void Restore::undo() {
  capture_.values.drop_restored();
  capture_.ops.drop_restored();
}

bool Restore::add_values(const Columns& columns, std::uint64_t first) {
  using Column = column::Values;
  ValueTable& values = capture_.values;
  if (first != values.size()) return false;
  columns.read_into(kinds_, Column::kKind);
  columns.read_into(numbers_, Column::kNumber);
  columns.read_into(item_counts_, Column::kItemCount);
  columns.read_all_into(items_, Column::kItem);
  columns.read_all_into(reals_, Column::kReal);
  if (sum(item_counts_) != items_.size()) return false;
  std::size_t next_item = 0, next_real = 0;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const auto id = static_cast<std::uint32_t>(first + i);
    value_items_.clear();
    std::uint8_t depth = 0;
    std::uint32_t op_end = 0;
    for (std::uint32_t k = 0; k < item_counts_[i]; ++k) {
      const std::uint32_t distance = items_[next_item++];
      if (distance == 0 || distance > id) return false;
      const std::uint32_t item = id - distance;
      depth = std::max<std::uint8_t>(depth, depths_[item] + 1);
      op_end = std::max(op_end, op_ends_[item]);
      value_items_.push_back(to_id<ValueId>(item));
    }
    const auto kind = static_cast<ValueKind>(kinds_[i]);
    std::int64_t number = numbers_[i];
    if (kind == ValueKind::kFloat) {
      if (next_real == reals_.size()) return false;
      number = std::bit_cast<std::int64_t>(reals_[next_real++]);
    }
    if (kind == ValueKind::kOp) {
      if (number < 0 || static_cast<std::uint64_t>(number) >= counts_.ops) return false;
      op_end = static_cast<std::uint32_t>(number) + 1;
    }
    if (depth > Tables::kMostNested || !add_value(kind, number, value_items_)) return false;
    depths_.push_back(depth);
    op_ends_.push_back(op_end);
  }
  return true;
}

bool Restore::has_fitting_items(ValueKind kind, std::span<const ValueId> items) const {
  const ValueTable& values = capture_.values;
  switch (kind) {
    case ValueKind::kTuple:
    case ValueKind::kList:
    case ValueKind::kSet:
    case ValueKind::kDict:
    case ValueKind::kObject:
      return true;
    case ValueKind::kEnum:
      return items.size() == 2 && values.kind(items[0]) == ValueKind::kString &&
             values.kind(items[1]) == ValueKind::kInt;
    default:
      return items.empty();
  }
}

bool Restore::add_value(ValueKind kind, std::int64_t number, std::span<const ValueId> items) {
  if (!has_fitting_items(kind, items)) return false;
  std::uint64_t payload = 0;
  StringId type_name{};
  switch (kind) {
    case ValueKind::kBool:
      if (number != 0 && number != 1) return false;
      [[fallthrough]];
    case ValueKind::kInt:
    case ValueKind::kFloat:
    case ValueKind::kOp:
      payload = static_cast<std::uint64_t>(number);
      break;
    case ValueKind::kBigInt:
    case ValueKind::kString:
    case ValueKind::kBytes: {
      const StringId text = tables_.string(static_cast<std::uint64_t>(number));
      if (kind == ValueKind::kBigInt && fits_int64(capture_.strings.get(text))) return false;
      payload = index(text);
      break;
    }
    case ValueKind::kEnum:
    case ValueKind::kObject:
      type_name = tables_.string(static_cast<std::uint64_t>(number));
      break;
    case ValueKind::kTuple:
    case ValueKind::kList:
    case ValueKind::kSet:
    case ValueKind::kDict:
      break;
    default:
      return false;
  }
  capture_.values.restore(kind, payload, type_name, items);
  return true;
}

bool Restore::add_ops(const Columns& columns, std::uint64_t first) {
  using Column = column::Ops;
  if (first != capture_.ops.size() || columns.has(Column::kNumber)) return false;
  // The texts in which a compiler of its own tells of an op are not values yet.
  for (std::uint16_t number = Column::kDtype; number <= Column::kFlags; ++number) {
    if (columns.has(number)) return false;
  }
  columns.read_into(op_kinds_, Column::kKind);
  columns.read_into(dtypes_, Column::kDtypeValue);
  columns.read_into(arguments_, Column::kArgumentValue);
  columns.read_into(tags_, Column::kTagValue);
  columns.read_into(item_counts_, Column::kSourceCount);
  columns.read_all_into(items_, Column::kSource);
  if (sum(item_counts_) != items_.size()) return false;
  std::size_t next_source = 0;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const auto id = static_cast<std::uint32_t>(first + i);
    sources_.clear();
    for (std::uint32_t k = 0; k < item_counts_[i]; ++k) {
      const std::uint32_t distance = items_[next_source++];
      if (distance == 0 || distance > id) return false;
      sources_.push_back(to_id<OpId>(id - distance));
    }
    for (const std::uint32_t value : {dtypes_[i], arguments_[i], tags_[i]}) {
      if (value >= op_ends_.size() || op_ends_[value] > id) return false;
    }
    const auto kind = tables_.kind(op_kinds_[i]);
    if (!kind) return false;
    capture_.ops.restore(
        {*kind, to_id<ValueId>(dtypes_[i]), to_id<ValueId>(arguments_[i]), to_id<ValueId>(tags_[i]), sources_});
  }
  return true;
}

bool Restore::finish() {
  if (capture_.values.size() != counts_.values + 1 || capture_.ops.size() != counts_.ops) return false;
  capture_.values.finish_restore();
  return capture_.ops.finish_restore();
}

}  // namespace vizd::native
