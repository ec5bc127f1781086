// The common part of the tables of answers about devices: an answer's rows by capture, each made when its table is
// first walked. For one query, on its thread.
#pragma once

#include <memory>
#include <vector>

#include "query/field_columns.h"
#include "query/tables.h"

namespace vizd::sql {

template <typename Row>
struct AnswerRows {
  struct OfCapture {
    std::shared_ptr<const DeviceAnalysis> devices;
    std::vector<Row> rows;
  };
  std::vector<OfCapture> captures;

  const Row& row(const Place& p) const { return captures[p.source].rows[p.at]; }
  const DeviceAnalysis& devices(const Place& p) const { return *captures[p.source].devices; }
};

// A table's name, and texts about it and its ids.
struct TableText {
  std::string_view name, about, id_about;
};

// The table without its columns. make(source, devices): the rows of a capture.
template <typename Row, typename Make>
RowTable::Description answer_table(Catalog& catalog, const TableText& text,
                                   const std::shared_ptr<AnswerRows<Row>>& answer, Make make) {
  answer->captures.resize(catalog.sources().size());
  RowTable::Description table{.name = text.name,
                              .about = text.about,
                              .id_about = text.id_about,
                              .count = {},
                              .is_slow_to_count = true,
                              .columns = {}};
  table.count = [&catalog, answer, make](std::size_t source) -> Result<std::uint64_t> {
    if (!catalog.capture(source).has_profile) return std::uint64_t{0};
    auto devices = catalog.named_devices(source);
    if (!devices) return std::move(devices).error();
    auto& of_capture = answer->captures[source];
    of_capture.devices = *std::move(devices);
    of_capture.rows = make(source, *of_capture.devices);
    return std::uint64_t{of_capture.rows.size()};
  };
  return table;
}

inline std::unique_ptr<Table> finished_table(Catalog& catalog, RowTable::Description table) {
  table.columns.push_back(capture_id_column());
  return std::make_unique<RowTable>(std::move(table), catalog.sources().size());
}

// slice.id of an event; event_of(place): that event.
template <typename EventOf>
RowColumn longest_slice_column(Catalog& catalog, std::string_view about, EventOf event_of) {
  return {{"longest_slice_id", ColumnType::kInteger, about, false}, [&catalog, event_of](const Place& p, Cell& cell) {
            const ProfileEvent& event = event_of(p);
            cell.integer(static_cast<std::int64_t>(catalog.slice_number(p.source, event.track, event.event)));
          }};
}

}  // namespace vizd::sql
