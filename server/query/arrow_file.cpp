#include "query/arrow_file.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "query/flat_buffer.h"
#include "query/result_text.h"

namespace vizd::sql {
namespace {

static_assert(std::endian::native == std::endian::little, "Arrow's numbers are written as they lie");

constexpr std::string_view kArrowMagic = "ARROW1";
constexpr std::uint64_t kBatchRows = 1 << 16, kBatchText_bytes = std::uint64_t{1} << 28;
constexpr std::uint64_t kArrowVersion = 4;  // of the metadata: 5, counted from 0
constexpr std::uint64_t kSchemaHeader = 1, kBatchHeader = 3;
constexpr std::uint64_t kNullType = 1, kIntegerType = 2, kRealType = 3, kTextType = 5;

void pad_to_8(std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8); }

template <typename T>
void append_raw(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

using FlatField = FlatBuffer::Field;
using FlatReference = FlatBuffer::Reference;

struct NamedType {
  std::string_view name;
  std::uint64_t type;
};

void add_schema(FlatBuffer& buffer, FlatReference what, std::span<const NamedType> columns) {
  const FlatField schema[] = {{0, 2, 0}, {1, 0}};  // endianness: little; fields
  const FlatReference fields = buffer.add_table(what, schema)[0];
  const std::vector<FlatReference> each = buffer.add_references(fields, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // name, nullable, type's number, type, children
    const FlatField field[] = {{0, 0}, {1, 1, 1}, {2, 1, columns[i].type}, {3, 0}, {5, 0}};
    const std::vector<FlatReference> of = buffer.add_table(each[i], field);
    buffer.add_text(of[0], columns[i].name);
    const FlatField integer[] = {{0, 4, 64}, {1, 1, 1}};  // bits, signed
    const FlatField real[] = {{0, 2, 2}};                 // precision: double
    if (columns[i].type == kIntegerType) {
      buffer.add_table(of[1], integer);
    } else if (columns[i].type == kRealType) {
      buffer.add_table(of[1], real);
    } else {
      buffer.add_table(of[1], {});
    }
    buffer.add_references(of[2], 0);
  }
}

}  // namespace

void ArrowSink::begin(const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) columns_.emplace_back().name = column.name;
}

void ArrowSink::widen(Column& column, Type type) {
  if (type <= column.type) return;
  const Type was = std::exchange(column.type, type);
  const std::size_t rows = column.is_null.size();
  if (type == Type::kInteger) column.integers.assign(rows, 0);
  if (type == Type::kReal) column.reals.assign(column.integers.begin(), column.integers.end());
  if (type == Type::kReal) column.reals.resize(rows);
  if (type == Type::kText) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (!column.is_null[i] && was == Type::kInteger) column.text += plain_text(Value(column.integers[i]));
      if (!column.is_null[i] && was == Type::kReal) column.text += plain_text(Value(column.reals[i]));
      column.ends.push_back(column.text.size());
    }
    column.reals = {};
  }
  if (type != Type::kInteger) column.integers = {};
}

void ArrowSink::add_value(Column& column, const Value& value) {
  const auto* const integer = std::get_if<std::int64_t>(&value);
  const auto* const real = std::get_if<double>(&value);
  const bool is_null = std::holds_alternative<std::monostate>(value);
  if (!is_null) widen(column, integer != nullptr ? Type::kInteger : real != nullptr ? Type::kReal : Type::kText);
  column.is_null.push_back(is_null);
  if (column.type == Type::kInteger) column.integers.push_back(integer != nullptr ? *integer : 0);
  if (column.type == Type::kReal)
    column.reals.push_back(integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0);
  if (column.type == Type::kText) {
    if (!is_null) column.text += plain_text(value);
    column.ends.push_back(column.text.size());
  }
}

bool ArrowSink::add(const std::vector<Value>& row) {
  if (rows_ == most_rows_) return false;
  ++rows_;
  for (std::size_t i = 0; i < columns_.size(); ++i) add_value(columns_[i], row[i]);
  return true;
}

void ArrowSink::put(std::string_view bytes) {
  (*write_)(bytes);
  written_bytes_ += bytes.size();
}

void ArrowSink::write_message(std::string metadata, std::string_view body) {
  pad_to_8(metadata);
  std::string begin(4, '\xff');
  const auto size = static_cast<std::uint32_t>(metadata.size());
  append_raw(begin, &size, 1);
  put(begin);
  put(metadata);
  put(body);
}

namespace {

std::vector<NamedType> types_of(const auto& columns) {
  constexpr std::uint64_t kTypes[] = {kNullType, kIntegerType, kRealType, kTextType};
  std::vector<NamedType> types;
  for (const auto& column : columns) types.push_back({column.name, kTypes[static_cast<std::size_t>(column.type)]});
  return types;
}

// A message: its header's table is to be added to the reference that is returned.
FlatReference begin_message(FlatBuffer& buffer, std::uint64_t header, std::size_t body_bytes) {
  const FlatField message[] = {{0, 2, kArrowVersion}, {1, 1, header}, {2, 0}, {3, 8, body_bytes}};
  return buffer.add_table(0, message)[0];
}

}  // namespace

std::string ArrowSink::schema_message() const {
  FlatBuffer buffer;
  add_schema(buffer, begin_message(buffer, kSchemaHeader, 0), types_of(columns_));
  return buffer.bytes();
}

std::uint64_t ArrowSink::end_of_batch(std::uint64_t begin) const {
  std::uint64_t end = std::min(rows_, begin + kBatchRows);
  // Places in a batch's texts are of 32 bits; one text alone is shorter.
  for (const Column& column : columns_) {
    if (column.type != Type::kText) continue;
    const std::uint64_t from = begin == 0 ? 0 : column.ends[begin - 1];
    while (end > begin + 1 && column.ends[end - 1] - from > kBatchText_bytes) end = begin + (end - begin) / 2;
  }
  return end;
}

void ArrowSink::write_batch(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t rows = end - begin;
  std::string body;
  std::vector<std::uint64_t> nodes, buffers;
  const auto add_buffer = [&](const auto& fill) {
    const std::size_t at = body.size();
    fill();
    buffers.insert(buffers.end(), {at, body.size() - at});
    pad_to_8(body);
  };
  for (const Column& column : columns_) {
    std::uint64_t nulls = 0;
    std::string is_there((rows + 7) / 8, '\0');
    for (std::uint64_t i = 0; i < rows; ++i) {
      const bool is_null = column.is_null[begin + i];
      nulls += is_null ? 1 : 0;
      if (!is_null) is_there[i / 8] = static_cast<char>(is_there[i / 8] | 1 << i % 8);
    }
    nodes.insert(nodes.end(), {rows, nulls});
    if (column.type == Type::kNull) continue;
    add_buffer([&] { body += is_there; });
    if (column.type == Type::kInteger) add_buffer([&] { append_raw(body, &column.integers[begin], rows); });
    if (column.type == Type::kReal) add_buffer([&] { append_raw(body, &column.reals[begin], rows); });
    if (column.type != Type::kText) continue;
    const std::uint64_t from = begin == 0 ? 0 : column.ends[begin - 1];
    std::vector<std::int32_t> places{0};
    for (std::uint64_t i = begin; i < end; ++i) places.push_back(static_cast<std::int32_t>(column.ends[i] - from));
    add_buffer([&] { append_raw(body, places.data(), places.size()); });
    add_buffer([&] { body.append(column.text, from, column.ends[end - 1] - from); });
  }
  FlatBuffer buffer;
  const FlatReference header = begin_message(buffer, kBatchHeader, body.size());
  const FlatField batch[] = {{0, 8, rows}, {1, 0}, {2, 0}};  // length, nodes, buffers
  const std::vector<FlatReference> of = buffer.add_table(header, batch);
  buffer.add_structures(of[0], nodes, 2);
  buffer.add_structures(of[1], buffers, 2);
  const std::uint64_t at = written_bytes_;
  write_message(buffer.bytes(), body);
  batches_.push_back({at, written_bytes_ - at - body.size(), body.size()});
}

void ArrowSink::write_footer() {
  put(std::string("\xff\xff\xff\xff\0\0\0\0", 8));
  FlatBuffer buffer;
  const FlatField footer[] = {{0, 2, kArrowVersion}, {1, 0}, {2, 0}, {3, 0}};  // schema, dictionaries, batches
  const std::vector<FlatReference> of = buffer.add_table(0, footer);
  add_schema(buffer, of[0], types_of(columns_));
  buffer.add_structures(of[1], {}, 3);
  std::vector<std::uint64_t> blocks;
  for (const Block& block : batches_) blocks.insert(blocks.end(), {block.at, block.metadata_bytes, block.body_bytes});
  buffer.add_structures(of[2], blocks, 3);
  std::string end = buffer.bytes();
  const auto size = static_cast<std::uint32_t>(end.size());
  append_raw(end, &size, 1);
  put(end.append(kArrowMagic));
}

void ArrowSink::finish(const Write& write) {
  write_ = &write;
  put(std::string(kArrowMagic).append(2, '\0'));
  write_message(schema_message(), "");
  for (std::uint64_t begin = 0; begin < rows_;) {
    const std::uint64_t end = end_of_batch(begin);
    write_batch(begin, end);
    begin = end;
  }
  write_footer();
}

}  // namespace vizd::sql
