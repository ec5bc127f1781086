#include "formats/native/columns.h"

#include <algorithm>

namespace vizd::native {

Columns::Columns(std::span<const std::byte> bytes, std::uint32_t count) : bytes_(bytes), count_(count) {
  error_ = parse();
  if (!error_.empty()) columns_.clear();
}

std::string_view Columns::parse() {
  std::span<const std::byte> rest = bytes_;
  while (!rest.empty()) {
    if (rest.size() < capture::kColumnHeaderBytes) return "a column's header is cut off";
    Column column;
    std::memcpy(&column.number, rest.data(), sizeof column.number);
    column.type = static_cast<capture::ColumnType>(rest[2]);
    column.coding = static_cast<capture::Coding>(rest[3]);
    std::memcpy(&column.count, rest.data() + 4, sizeof column.count);
    rest = rest.subspan(capture::kColumnHeaderBytes);
    if (column.type < capture::ColumnType::kU8 || column.type > capture::ColumnType::kF64 ||
        column.coding > capture::Coding::kDifferences) {
      return "a column's type is unknown";
    }
    const std::size_t size = column.count * capture::width_bytes(column.type);
    if (size > rest.size()) return "a column is cut off";
    column.data = rest.data();
    rest = rest.subspan(std::min(rest.size(), (size + 7) / 8 * 8));
    columns_.push_back(column);
  }
  std::ranges::stable_sort(columns_, {}, &Column::number);
  // Records take room, so that a short file cannot claim many.
  const auto is_whole = [&](const Column& column) { return column.count == count_; };
  const bool is_enough = count_ == 0 || std::ranges::any_of(columns_, is_whole);
  return is_enough ? "" : "there are fewer records than it says";
}

const Columns::Column* Columns::find(std::uint16_t number) const {
  const auto found = std::ranges::lower_bound(columns_, number, {}, &Column::number);
  return found == columns_.end() || found->number != number ? nullptr : &*found;
}

std::string_view Columns::text(std::uint16_t number) const {
  const Column* column = find(number);
  if (column == nullptr || column->type != capture::ColumnType::kU8) return {};
  return {reinterpret_cast<const char*>(column->data), column->count};
}

}  // namespace vizd::native
