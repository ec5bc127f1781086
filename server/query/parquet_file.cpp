#include "query/parquet_file.h"

#include <string>
#include <vector>

#include "base/version.h"
#include "query/compact_record.h"
#include "query/parquet_chunk.h"

namespace vizd::sql {
namespace {

constexpr std::string_view kParquetMagic = "PAR1";
// A page's size is of 31 bits; a group is what a reader takes at once.
constexpr std::uint64_t kGroupRows = 1 << 17, kGroupText_bytes = std::uint64_t{1} << 26;

// As the format numbers types: of a column of no values, whole numbers, real ones and texts.
constexpr std::int32_t kPhysicalTypes[] = {1, 2, 5, 6};
constexpr std::int32_t kOptional = 1, kUtf8 = 0, kZstdCodec = 6;
constexpr int kTextLogically = 1, kNullLogically = 11;

struct RowGroup {
  std::uint64_t rows = 0;
  std::vector<ParquetChunk> chunks;  // by column
};

std::int32_t physical_type(const ResultColumns::Column& column) {
  return kPhysicalTypes[static_cast<std::size_t>(column.type)];
}

void tell_column(CompactRecord& footer, const ResultColumns::Column& column) {
  const bool is_text = column.type == ResultType::kText;
  footer.begin_item();
  footer.add_int32(1, physical_type(column));
  footer.add_int32(3, kOptional);
  footer.add_text(4, column.name);
  if (is_text) footer.add_int32(6, kUtf8);
  if (is_text || column.type == ResultType::kNull) {
    footer.begin_record(10);
    footer.begin_record(is_text ? kTextLogically : kNullLogically);
    footer.end();
    footer.end();
  }
  footer.end();
}

// Nulls are counted, and whole numbers bounded, for readers that leave out groups.
void tell_bounds(CompactRecord& footer, const ParquetChunk& chunk) {
  footer.begin_record(12);
  footer.add_int64(3, static_cast<std::int64_t>(chunk.nulls));
  const auto add_bound = [&](int field, std::optional<std::int64_t> bound) {
    std::string bytes;
    if (bound) append_parquet_value(bytes, *bound);
    if (bound) footer.add_text(field, bytes);
  };
  add_bound(5, chunk.greatest);
  add_bound(6, chunk.least);
  footer.end();
}

void tell_chunk(CompactRecord& footer, const ResultColumns::Column& column, const ParquetChunk& chunk,
                std::uint64_t rows) {
  footer.begin_item();
  footer.add_int64(2, static_cast<std::int64_t>(chunk.at));
  footer.begin_record(3);
  footer.add_int32(1, physical_type(column));
  footer.begin_numbers(2, chunk.has_dictionary() ? 3 : 2);
  footer.put_item(static_cast<std::int32_t>(ParquetEncoding::kPlain));
  footer.put_item(static_cast<std::int32_t>(ParquetEncoding::kRuns));
  if (chunk.has_dictionary()) footer.put_item(static_cast<std::int32_t>(ParquetEncoding::kDictionaryRuns));
  footer.begin_texts(3, 1);
  footer.put_item(column.name);
  footer.add_int32(4, kZstdCodec);
  footer.add_int64(5, static_cast<std::int64_t>(rows));
  footer.add_int64(6, static_cast<std::int64_t>(chunk.plain_bytes));
  footer.add_int64(7, static_cast<std::int64_t>(chunk.stored_bytes));
  footer.add_int64(9, static_cast<std::int64_t>(chunk.data_at));
  if (chunk.has_dictionary()) footer.add_int64(11, static_cast<std::int64_t>(chunk.at));
  tell_bounds(footer, chunk);
  footer.end();
  footer.end();
}

void tell_group(CompactRecord& footer, const std::vector<ResultColumns::Column>& columns, const RowGroup& group) {
  footer.begin_item();
  footer.begin_records(1, columns.size());
  std::uint64_t plain_bytes = 0, stored_bytes = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    tell_chunk(footer, columns[i], group.chunks[i], group.rows);
    plain_bytes += group.chunks[i].plain_bytes;
    stored_bytes += group.chunks[i].stored_bytes;
  }
  footer.add_int64(2, static_cast<std::int64_t>(plain_bytes));
  footer.add_int64(3, static_cast<std::int64_t>(group.rows));
  footer.add_int64(5, static_cast<std::int64_t>(group.chunks.front().at));
  footer.add_int64(6, static_cast<std::int64_t>(stored_bytes));
  footer.end();
}

std::string footer_of(const ResultColumns& result, const std::vector<RowGroup>& groups) {
  const std::vector<ResultColumns::Column>& columns = result.columns();
  CompactRecord footer;
  footer.add_int32(1, 1);
  footer.begin_records(2, columns.size() + 1);
  footer.begin_item();  // of all columns together
  footer.add_text(4, "result");
  footer.add_int32(5, static_cast<std::int32_t>(columns.size()));
  footer.end();
  for (const auto& column : columns) tell_column(footer, column);
  footer.add_int64(3, static_cast<std::int64_t>(result.rows()));
  footer.begin_records(4, groups.size());
  for (const RowGroup& group : groups) tell_group(footer, columns, group);
  footer.add_text(6, "vizd version " + std::string(kVersion));
  footer.begin_records(7, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    footer.begin_item();
    footer.begin_record(1);  // bounds are ordered as values of their type are
    footer.end();
    footer.end();
  }
  footer.end();
  return footer.bytes();
}

}  // namespace

void write_parquet(const ResultColumns& result, const WriteBytes& write) {
  write(kParquetMagic);
  std::uint64_t written_bytes = kParquetMagic.size();
  std::vector<RowGroup> groups;
  for (std::uint64_t begin = 0; begin < result.rows();) {
    const std::uint64_t end = result.end_of_group(begin, kGroupRows, kGroupText_bytes);
    RowGroup& group = groups.emplace_back();
    group.rows = end - begin;
    for (const auto& column : result.columns()) {
      std::string pages;
      group.chunks.push_back(append_parquet_chunk(pages, written_bytes, {column, begin, end}));
      write(pages);
      written_bytes += pages.size();
    }
    begin = end;
  }
  std::string end = footer_of(result, groups);
  append_parquet_value(end, static_cast<std::uint32_t>(end.size()));
  write(end.append(kParquetMagic));
}

}  // namespace vizd::sql
