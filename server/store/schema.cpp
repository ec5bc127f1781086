#include "store/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "store/quote.h"

namespace vizd::store {
namespace {

// What is in the page alone: a node takes a replay of its pass, and some captures have hundreds of millions.
constexpr std::string_view kLeftOut = "node";

// The columns of the query's tables in which no null is written; all others may be null. id is one in every table.
struct NeverNull {
  std::string_view table;
  std::array<std::string_view, 9> columns;
};
constexpr NeverNull kNeverNull[] = {
    {"slice", {"ts", "dur", "track_id", "name", "depth", "arg_set_id", "kind", "is_error"}},
    {"args", {"arg_set_id", "key", "value_type", "name"}},
    {"counter", {"ts", "track_id", "value", "name"}},
    {"flow", {"slice_out", "slice_in"}},
    {"allocation", {"track_id", "ts", "dur", "is_freed", "size"}},
    {"run", {"ts", "dur"}},
    {"match", {"context_id", "pass_id", "state"}},
    {"pass", {"context_id", "place", "depth", "match_count"}},
    {"kernel", {"name", "launches", "total_ns", "mean_ns", "median_ns", "p90_ns", "p99_ns", "min_ns", "max_ns"}},
};

constexpr std::string_view kByTrackAndTime = "track_id, intDiv(ts, 1000000000), ts, id";  // in a second, then in it

constexpr std::pair<std::string_view, std::string_view> kOrders[] = {
    {"slice", kByTrackAndTime},
    {"counter", kByTrackAndTime},
    {"allocation", kByTrackAndTime},
    {"run", "intDiv(ts, 1000000000), ts, id"},
    {"args", "arg_set_id, id"},
    {"tile", "level, track_id, place"},
    {"piece", "number"},
    {"push", "job, rank, state"},
};

bool is_never_null(std::string_view table, std::string_view column) {
  const auto of_table = std::ranges::find(kNeverNull, table, &NeverNull::table);
  return column == "id" ||
         (of_table != std::end(kNeverNull) && std::ranges::find(of_table->columns, column) != of_table->columns.end());
}

std::string sort_key_of(std::string_view table) {
  const auto order = std::ranges::find(kOrders, table, [](const auto& pair) { return pair.first; });
  return std::string(order != std::end(kOrders) ? order->second : "id");
}

StoredType type_of(sql::ColumnType type) {
  switch (type) {
    case sql::ColumnType::kInteger:
      return StoredType::kInteger;
    case sql::ColumnType::kReal:
      return StoredType::kReal;
    default:
      return StoredType::kText;  // a value of any type as its text
  }
}

// flat_key and display_value say what other columns say: the store makes them of those when they are asked for.
bool is_alias(std::string_view table, std::string_view column) {
  return table == "args" && (column == "flat_key" || column == "display_value");
}

StoredTable table_of(const sql::Table& table) {
  StoredTable stored;
  stored.name = table.name();
  stored.about = table.about();
  const auto columns = table.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const sql::ColumnInfo& column = columns[i];
    if (is_alias(table.name(), column.name)) continue;
    stored.columns.push_back({.name = std::string(column.name),
                              .type = type_of(column.type),
                              .may_be_null = !is_never_null(table.name(), column.name),
                              .about = std::string(column.about),
                              .source = static_cast<int>(i)});
  }
  if (table.name() == "args")
    stored.aliases = {"`flat_key` String ALIAS `key`",
                      "`display_value` Nullable(String) ALIAS coalesce(`string_value`, toString(`int_value`), "
                      "toString(`real_value`))"};
  stored.order = sort_key_of(table.name());
  return stored;
}

StoredTable own_table(std::string_view name, std::string about, std::vector<StoredColumn> columns) {
  return {.name = std::string(name),
          .about = std::move(about),
          .columns = std::move(columns),
          .aliases = {},
          .order = sort_key_of(name)};
}

StoredTable push_table() {
  using enum StoredType;
  return own_table("push", "Which captures were pushed. A rank is whole once its row with the state 'done' is there.",
                   {{"state", kText, false, "begun, then a row more: done"},
                    {"content", kText, false, "Hash of the capture's files: the same content is pushed once"},
                    {"capture", kText, false, "Its name"},
                    {"format", kText, false, "What its files are"},
                    {"start_ns", kInteger, false, "When its earliest event began, on its own clock"},
                    {"end_ns", kInteger, false, "When its last event ended"},
                    {"slices", kCount64, false, "Rows in slice"},
                    {"stored_rows", kCount64, false, "Rows in all tables but this"},
                    {"at_s", kInteger, false, "When that was, in Unix time"}});
}

StoredTable tile_table() {
  using enum StoredType;
  return own_table("tile",
                   "How busy each track was, in pieces of time: of the whole capture up to 512 at level 0, 64 at level "
                   "1, 8 at level 2.",
                   {{"track_id", kInteger, false, "track.id; -1: all of its devices together"},
                    {"level", kByte, false, "0 for the finest"},
                    {"place", kCount32, false, "Which piece of time, from the capture's start"},
                    {"ts", kInteger, false, "When the piece begins, on the capture's clock"},
                    {"dur", kInteger, false, "How long the piece is: a power of two"},
                    {"slices", kCount64, false, "Slices that begin in it"},
                    {"busy_ns", kInteger, false, "Time of it in which at least one slice runs"}});
}

StoredTable piece_table() {
  using enum StoredType;
  return own_table("piece", "The capture itself, as a file of vizd's own in pieces: `vizd pull` puts them together.",
                   {{"number", kCount32, false, "From 0"}, {"bytes", kText, false, "They are no text"}});
}

std::string columns_text(const StoredTable& table) {
  std::string text = "`job` String, `rank` UInt32, `block` UInt32";
  for (const StoredColumn& column : table.columns) text += fmt::format(", `{}` {}", column.name, type_text(column));
  for (const std::string& alias : table.aliases) text += ", " + alias;
  return text;
}

}  // namespace

std::string type_text(const StoredColumn& column) {
  const auto plain = [&]() -> std::string_view {
    switch (column.type) {
      case StoredType::kByte:
        return "UInt8";
      case StoredType::kCount32:
        return "UInt32";
      case StoredType::kCount64:
        return "UInt64";
      case StoredType::kInteger:
        return "Int64";
      case StoredType::kReal:
        return "Float64";
      case StoredType::kText:
        break;
    }
    return "String";
  }();
  return column.may_be_null ? fmt::format("Nullable({})", plain) : std::string(plain);
}

std::vector<StoredTable> stored_tables(const sql::Tables& tables) {
  std::vector<StoredTable> stored;
  for (const auto& table : tables.all) {
    if (table->name() != kLeftOut) stored.push_back(table_of(*table));
  }
  stored.push_back(tile_table());
  stored.push_back(piece_table());
  stored.push_back(push_table());
  return stored;
}

std::vector<StoredTable> stored_tables() {
  sql::Catalog nothing({}, {});
  return stored_tables(sql::Tables(nothing));
}

std::string shard_name(const StoredTable& table, bool is_distributed) {
  return is_distributed ? table.name + "_shard" : table.name;
}

std::vector<std::string> creation_of(const StoredTable& table, const std::string& database,
                                     const std::string& cluster) {
  const std::string columns = columns_text(table);
  std::vector<std::string> statements;
  statements.push_back(
      fmt::format("CREATE TABLE IF NOT EXISTS {}.{} ({}) ENGINE = MergeTree PARTITION BY (job, rank) ORDER BY ({}) "
                  "SETTINGS index_granularity = {}",
                  sql_name(database), sql_name(shard_name(table, !cluster.empty())), columns, table.order,
                  table.name == "piece" ? 1 : 8192));
  if (!cluster.empty()) {
    statements.push_back(fmt::format("CREATE TABLE IF NOT EXISTS {}.{} ({}) ENGINE = Distributed({}, {}, {}, rank)",
                                     sql_name(database), sql_name(table.name), columns, sql_name(cluster),
                                     sql_name(database), sql_name(shard_name(table, true))));
  }
  return statements;
}

std::string insertion_into(const StoredTable& table) {
  std::string text = fmt::format("INSERT INTO {} (`job`, `rank`, `block`", sql_name(table.name));
  for (const StoredColumn& column : table.columns) text += fmt::format(", {}", sql_name(column.name));
  return text + ") FORMAT RowBinary";
}

}  // namespace vizd::store
