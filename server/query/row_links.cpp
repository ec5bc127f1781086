#include "query/row_links.h"

#include <algorithm>
#include <array>

#include "base/ascii_case.h"

namespace vizd::sql {
namespace {

// The column that holds ids of a kind, and the names of columns that do, wherever they come from.
struct IdColumn {
  LinkKind kind;
  std::string_view table, column, name;
};
// The most particular first.
constexpr std::array kIdColumns{
    IdColumn{LinkKind::kSlice, "slice", "id", "slice_id"},
    IdColumn{LinkKind::kSlice, "slice", "arg_set_id", "arg_set_id"},
    IdColumn{LinkKind::kSlice, "args", "arg_set_id", "arg_set_id"},
    IdColumn{LinkKind::kSlice, "flow", "slice_in", "slice_in"},
    IdColumn{LinkKind::kSlice, "flow", "slice_out", "slice_out"},
    IdColumn{LinkKind::kSlice, "kernel", "longest_slice_id", "longest_slice_id"},
    IdColumn{LinkKind::kMatch, "match", "id", "match_id"},
    IdColumn{LinkKind::kNode, "node", "id", "node_id"},
    IdColumn{LinkKind::kPass, "pass", "id", "pass_id"},
    IdColumn{LinkKind::kRule, "rule", "id", "rule_id"},
    IdColumn{LinkKind::kProgram, "program", "id", "program_id"},
    IdColumn{LinkKind::kContext, "context", "id", "context_id"},
};

std::optional<std::size_t> find_named(const std::vector<ResultColumn>& columns, std::string_view name) {
  const auto found = std::ranges::find_if(columns, [&](const auto& c) { return equal_in_any_case(c.name, name); });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

RowLinks::RowLinks(const std::vector<ResultColumn>& columns) {
  for (const IdColumn& id : kIdColumns) {
    const auto origin = std::ranges::find_if(
        columns, [&](const ResultColumn& c) { return c.table == id.table && c.column == id.column; });
    if (origin != columns.end()) {
      ways_.push_back({id.kind, static_cast<std::size_t>(origin - columns.begin())});
    } else if (const auto named = find_named(columns, id.name); named) {
      ways_.push_back({id.kind, *named});
    }
  }
  ts_ = find_named(columns, "ts");
  dur_ = find_named(columns, "dur");
  capture_ = find_named(columns, "capture_id");
  track_ = find_named(columns, "track_id");
}

std::optional<RowLink> RowLinks::of(const std::vector<Value>& row) const {
  const auto number = [&](std::size_t column) { return std::get_if<std::int64_t>(&row[column]); };
  const auto id_link = [&](bool is_slice) -> std::optional<RowLink> {
    for (const Way& way : ways_) {
      if ((way.kind == LinkKind::kSlice) != is_slice) continue;
      if (const auto* id = number(way.column); id != nullptr && *id >= 0) return RowLink{way.kind, *id};
    }
    return std::nullopt;
  };
  if (auto slice = id_link(true)) return slice;
  // A time is more particular than the context or pass that goes with it, but not than a match or a node.
  for (const Way& way : ways_) {
    if (way.kind != LinkKind::kMatch && way.kind != LinkKind::kNode) continue;
    if (const auto* id = number(way.column); id != nullptr && *id >= 0) return RowLink{way.kind, *id};
  }
  const auto number_in = [&](const std::optional<std::size_t>& column) -> std::optional<std::int64_t> {
    const auto* found = column ? number(*column) : nullptr;
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  if (const auto ts = number_in(ts_)) {
    return RowLink{.kind = LinkKind::kTime,
                   .ts = *ts,
                   .dur = std::max<std::int64_t>(number_in(dur_).value_or(0), 0),
                   .capture = number_in(capture_),
                   .track = number_in(track_)};
  }
  return id_link(false);
}

}  // namespace vizd::sql
