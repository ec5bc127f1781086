#include "query/tables.h"

namespace vizd::sql {

std::int64_t global_id(const Numbering& numbering, std::size_t source, std::uint64_t place) {
  return static_cast<std::int64_t>(numbering.first(source) + place);
}

void write_id(const Numbering& numbering, std::size_t source, std::uint32_t place, Cell& cell) {
  place == kNoId ? cell.null() : cell.integer(global_id(numbering, source, place));
}

RowColumn capture_id_column() {
  const auto capture_id = [](const Place& p) { return static_cast<std::int64_t>(p.source); };
  return {{"capture_id", ColumnType::kInteger, "capture.id"},
          [capture_id](const Place& p, Cell& cell) { cell.integer(capture_id(p)); },
          capture_id};
}

Tables::Tables(Catalog& catalog) {
  auto slice_table = std::make_unique<SliceTable>(catalog);
  auto args_table = std::make_unique<ArgsTable>(catalog);
  slices = slice_table.get();
  args = args_table.get();
  all.push_back(std::move(slice_table));
  add_track_tables(all, catalog);
  add_profile_tables(all, catalog);
  add_allocation_tables(all, catalog);
  add_allocator_tables(all, catalog);
  all.push_back(std::move(args_table));
  add_kernel_table(all, catalog);
  add_answer_tables(all, catalog);
  add_replay_tables(all, catalog);
  add_recorded_tables(all, catalog);
  add_rewrite_tables(all, catalog);
  add_node_table(all, catalog);
}

}  // namespace vizd::sql
