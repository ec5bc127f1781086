#include "store/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "store/quote.h"

namespace vizd::store {
namespace {

// These stay out of the store: a node takes a replay of its pass, and some captures have hundreds of millions; a
// comparison needs several captures. Steps and replays are named by files beside the capture, which a push does not
// read; what GPUs' own recorders left is decoded when it is asked for, which a push does not either. Who lives at the
// peak is a question about allocation.
constexpr std::string_view kLeftOut[] = {"node",        "comparison",       "straggler",  "collective_instance",
                                         "step",        "replay",           "graph_node", "wave",
                                         "instruction", "hardware_counter", "pc_sample",  "live_at_peak"};

// The columns of the query's tables in which no null is written; all others may be null. id is one in every table.
struct NeverNull {
  std::string_view table;
  std::array<std::string_view, 9> columns;
};
constexpr NeverNull kNeverNull[] = {
    {"slice", {"ts", "dur", "track_id", "name", "depth", "arg_set_id", "kind", "is_error"}},
    {"args", {"arg_set_id", "flat_key", "key", "value_type", "display_value", "name"}},
    {"counter", {"ts", "track_id", "value", "name"}},
    {"flow", {"slice_out", "slice_in"}},
    {"allocation", {"track_id", "ts", "dur", "is_freed", "size"}},
    {"run", {"ts", "dur"}},
    {"match", {"context_id", "pass_id", "state"}},
    {"pass", {"context_id", "place", "depth", "match_count"}},
};

constexpr std::string_view kByTrackAndTime = "track_id, intDiv(ts, 1000000000), ts, id";  // in a second, then in it

constexpr std::pair<std::string_view, std::string_view> kOrders[] = {
    {"slice", kByTrackAndTime},
    {"counter", kByTrackAndTime},
    {"allocation", kByTrackAndTime},
    {"run", "intDiv(ts, 1000000000), ts, id"},
    {"argument", "key, track_id, first_id"},
    {"tile", "level, track_id, place"},
    {"piece", "number"},
    {"push", "state"},
};

constexpr std::uint64_t kFirstOwnBucket = std::uint64_t{1} << 32;  // after those that ranks share

// Rows that are read together, at least: fewer of those that are large.
int granularity_of(std::string_view table) {
  if (table == "piece") return 1;
  return table == "argument" ? 16 : 8192;
}

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

// args out of argument. The arrays are filled up to one length and joined under names of their own: a server as old as
// 18.16 would take along, for each row, all arrays that are not joined.
constexpr std::string_view kArgsView =
    "SELECT job, rank, block, first_id + nth AS id, set_ids AS arg_set_id, key AS flat_key, key, "
    "if(value_type = 'int', integers, NULL) AS int_value, "
    "if(value_type IN ('string', 'json'), texts, NULL) AS string_value, "
    "if(value_type = 'real', reals, NULL) AS real_value, value_type, "
    "multiIf(value_type = 'int', toString(integers), value_type = 'real', toString(reals), texts) AS display_value, "
    "name, unit FROM (SELECT job, rank, block, first_id, key, name, unit, value_type, arg_set_ids AS set_ids, "
    "range(length(arg_set_ids)) AS nth, arrayResize(int_values, length(arg_set_ids)) AS integers, "
    "arrayResize(string_values, length(arg_set_ids)) AS texts, arrayResize(real_values, length(arg_set_ids)) AS reals "
    "FROM {}) ARRAY JOIN set_ids, nth, integers, texts, reals";

StoredTable table_of(const sql::Table& table) {
  StoredTable stored;
  stored.name = table.name();
  stored.about = table.about();
  const auto columns = table.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const sql::ColumnInfo& column = columns[i];
    stored.columns.push_back({.name = std::string(column.name),
                              .type = type_of(column.type),
                              .may_be_null = column.may_be_null && !is_never_null(table.name(), column.name),
                              .about = std::string(column.about),
                              .source = static_cast<int>(i)});
  }
  if (table.name() == "slice") std::ranges::find(stored.columns, "arg_set_id", &StoredColumn::name)->same_as = "id";
  stored.order = sort_key_of(table.name());
  if (table.name() == "args") stored.view = kArgsView;
  return stored;
}

StoredTable own_table(std::string_view name, std::string about, std::vector<StoredColumn> columns) {
  return {.name = std::string(name),
          .about = std::move(about),
          .columns = std::move(columns),
          .order = sort_key_of(name),
          .view = {}};
}

StoredTable push_table() {
  using enum StoredType;
  return own_table("push", "Which captures were pushed. A rank is whole once its row with the state 'done' is there.",
                   {{"state", kText, false, "begun, then a row more: done; removing, once it is being removed"},
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

StoredTable argument_table() {
  using enum StoredType;
  return own_table("argument",
                   "What args is made of: up to 1,024 values that the slices of a track have of one argument, a row.",
                   {{"track_id", kInteger, false, "track.id of the slices"},
                    {"key", kText, false, "args.key of all the row's values"},
                    {"name", kText, false, "args.name of them"},
                    {"unit", kText, true, "args.unit of them"},
                    {"value_type", kText, false, "args.value_type of them"},
                    {"first_id", kInteger, false, "args.id of the first; the others' follow"},
                    {"arg_set_ids", kIntegers, false, "args.arg_set_id of each"},
                    {"int_values", kIntegers, false, "The values, where they are whole numbers; else empty"},
                    {"string_values", kTexts, false, "The values, where they are texts; else empty"},
                    {"real_values", kReals, false, "The values, where they are real numbers; else empty"}});
}

StoredTable piece_table() {
  using enum StoredType;
  return own_table("piece", "The capture itself, as a file of vizd's own in pieces: `vizd pull` puts them together.",
                   {{"number", kCount32, false, "From 0"}, {"bytes", kText, false, "They are no text"}});
}

std::string alias_text(const StoredColumn& column) {
  return fmt::format(", `{}` {} ALIAS `{}`", column.name, type_text(column), column.same_as);
}

std::string columns_text(const StoredTable& table) {
  std::string text = "`job` String, `rank` UInt32, `block` UInt32";
  if (!table.is_view()) text += ", `bucket` UInt64, `keep_until` DateTime";
  for (const StoredColumn& column : table.columns)
    text += column.is_stored() ? fmt::format(", `{}` {}", column.name, type_text(column)) : alias_text(column);
  return text;
}

// The same for rows that lie there. Whole numbers are mostly times and places that grow from row to row.
std::string packed_columns_text(const StoredTable& table) {
  std::string text =
      "`job` String CODEC(ZSTD(1)), `rank` UInt32 CODEC(ZSTD(1)), `block` UInt32 CODEC(ZSTD(1)), `bucket` UInt64 "
      "CODEC(ZSTD(1)), `keep_until` DateTime CODEC(ZSTD(1))";
  for (const StoredColumn& column : table.columns)
    text += column.is_stored() ? fmt::format(", `{}` {} CODEC({}ZSTD(1))", column.name, type_text(column),
                                             column.type == StoredType::kInteger ? "Delta(8), " : "")
                               : alias_text(column);
  return text;
}

}  // namespace

void write_origin(const RowOrigin& origin, std::uint32_t block, RowBinaryWriter& row) {
  row.text(origin.job);
  row.unsigned32(origin.rank);
  row.unsigned32(block);
  row.unsigned64(origin.bucket);
  row.unsigned32(origin.keep_until_s);
}

std::uint64_t bucket_of(std::uint32_t rank, std::uint64_t file_bytes) {
  return file_bytes < kLargeRankBytes ? rank / kBucketRanks : kFirstOwnBucket + rank;
}

bool is_of_one_rank(std::uint64_t bucket) { return bucket >= kFirstOwnBucket; }

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
      case StoredType::kIntegers:
        return "Array(Int64)";
      case StoredType::kReals:
        return "Array(Float64)";
      case StoredType::kTexts:
        return "Array(String)";
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
    if (std::ranges::find(kLeftOut, table->name()) != std::end(kLeftOut)) continue;
    StoredTable made = table_of(*table);
    if (made.is_view()) stored.push_back(argument_table());
    stored.push_back(std::move(made));
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

// 19.1 has codecs, 19.6 a TTL, 20.12 one of whole parts.
ServerSkills skills_of_release(int year) { return {.forgets = year >= 21, .has_codecs = year >= 20}; }

std::string shard_name(std::string_view table, bool is_distributed) {
  return is_distributed ? fmt::format("{}_shard", table) : std::string(table);
}

std::vector<std::string> creation_of(const StoredTable& table, const std::string& database, const std::string& cluster,
                                     const ServerSkills& skills) {
  const std::string columns = columns_text(table);
  const auto place = [&](std::string_view name) {
    return fmt::format("{}.{}", sql_name(database), sql_name(shard_name(name, !cluster.empty())));
  };
  std::vector<std::string> statements;
  if (table.is_view()) {
    statements.push_back(fmt::format("CREATE VIEW IF NOT EXISTS {} AS {}", place(table.name),
                                     fmt::format(fmt::runtime(table.view), place("argument"))));
  } else {
    statements.push_back(
        fmt::format("CREATE TABLE IF NOT EXISTS {} ({}) ENGINE = MergeTree PARTITION BY (job, bucket) ORDER BY (rank, "
                    "{}) {}SETTINGS index_granularity = {}{}",
                    place(table.name), skills.has_codecs ? packed_columns_text(table) : columns, table.order,
                    skills.forgets ? "TTL keep_until " : "", granularity_of(table.name),
                    skills.forgets ? ", ttl_only_drop_parts = 1" : ""));
  }
  if (!cluster.empty()) {
    statements.push_back(fmt::format("CREATE TABLE IF NOT EXISTS {}.{} ({}) ENGINE = Distributed({}, {}, {}, rank)",
                                     sql_name(database), sql_name(table.name), columns, sql_name(cluster),
                                     sql_name(database), sql_name(shard_name(table.name, true))));
  }
  return statements;
}

std::string insertion_into(const StoredTable& table) {
  std::string text =
      fmt::format("INSERT INTO {} (`job`, `rank`, `block`, `bucket`, `keep_until`", sql_name(table.name));
  for (const StoredColumn& column : table.columns) {
    if (column.is_stored()) text += fmt::format(", {}", sql_name(column.name));
  }
  return text + ") FORMAT RowBinary";
}

}  // namespace vizd::store
