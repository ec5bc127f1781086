#include "query/arrow_file.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "query/flat_buffer.h"

namespace vizd::sql {
namespace {

static_assert(std::endian::native == std::endian::little, "Arrow's numbers are written as they are in memory");

constexpr std::string_view kArrowMagic = "ARROW1";
// Places in a batch's texts are of 32 bits; one text alone is shorter.
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

std::vector<NamedType> types_of(const ResultColumns& result) {
  constexpr std::uint64_t kTypes[] = {kNullType, kIntegerType, kRealType, kTextType};
  std::vector<NamedType> types;
  for (const auto& column : result.columns())
    types.push_back({column.name, kTypes[static_cast<std::size_t>(column.type)]});
  return types;
}

// A message: its header's table is to be added to the reference that is returned.
FlatReference begin_message(FlatBuffer& buffer, std::uint64_t header, std::size_t body_bytes) {
  const FlatField message[] = {{0, 2, kArrowVersion}, {1, 1, header}, {2, 0}, {3, 8, body_bytes}};
  return buffer.add_table(0, message)[0];
}

class ArrowWriter {
 public:
  ArrowWriter(const ResultColumns& result, const WriteBytes& write) : result_(result), write_(write) {}

  void run() {
    put(std::string(kArrowMagic).append(2, '\0'));
    FlatBuffer schema;
    add_schema(schema, begin_message(schema, kSchemaHeader, 0), types_of(result_));
    write_message(schema.bytes(), "");
    for (std::uint64_t begin = 0; begin < result_.rows();) {
      const std::uint64_t end = result_.end_of_group(begin, kBatchRows, kBatchText_bytes);
      write_batch(begin, end);
      begin = end;
    }
    write_footer();
  }

 private:
  // A message's place in the file, for its end.
  struct Block {
    std::uint64_t at, metadata_bytes, body_bytes;
  };

  void put(std::string_view bytes);
  void write_message(std::string metadata, std::string_view body);
  void write_batch(std::uint64_t begin, std::uint64_t end);
  void write_footer();

  const ResultColumns& result_;
  const WriteBytes& write_;
  std::vector<Block> batches_;
  std::uint64_t written_bytes_ = 0;
};

void ArrowWriter::put(std::string_view bytes) {
  write_(bytes);
  written_bytes_ += bytes.size();
}

void ArrowWriter::write_message(std::string metadata, std::string_view body) {
  pad_to_8(metadata);
  std::string begin(4, '\xff');
  const auto size = static_cast<std::uint32_t>(metadata.size());
  append_raw(begin, &size, 1);
  put(begin);
  put(metadata);
  put(body);
}

void ArrowWriter::write_batch(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t rows = end - begin;
  std::string body;
  std::vector<std::uint64_t> nodes, buffers;
  const auto add_buffer = [&](const auto& fill) {
    const std::size_t at = body.size();
    fill();
    buffers.insert(buffers.end(), {at, body.size() - at});
    pad_to_8(body);
  };
  for (const ResultColumns::Column& column : result_.columns()) {
    std::uint64_t nulls = 0;
    std::string is_there((rows + 7) / 8, '\0');
    for (std::uint64_t i = 0; i < rows; ++i) {
      const bool is_null = column.is_null[begin + i];
      nulls += is_null ? 1 : 0;
      if (!is_null) is_there[i / 8] = static_cast<char>(is_there[i / 8] | 1 << i % 8);
    }
    nodes.insert(nodes.end(), {rows, nulls});
    if (column.type == ResultType::kNull) continue;
    add_buffer([&] { body += is_there; });
    if (column.type == ResultType::kInteger) add_buffer([&] { append_raw(body, &column.integers[begin], rows); });
    if (column.type == ResultType::kReal) add_buffer([&] { append_raw(body, &column.reals[begin], rows); });
    if (column.type != ResultType::kText) continue;
    const std::uint64_t from = column.text_begin(begin);
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

void ArrowWriter::write_footer() {
  put(std::string("\xff\xff\xff\xff\0\0\0\0", 8));
  FlatBuffer buffer;
  const FlatField footer[] = {{0, 2, kArrowVersion}, {1, 0}, {2, 0}, {3, 0}};  // schema, dictionaries, batches
  const std::vector<FlatReference> of = buffer.add_table(0, footer);
  add_schema(buffer, of[0], types_of(result_));
  buffer.add_structures(of[1], {}, 3);
  std::vector<std::uint64_t> blocks;
  for (const Block& block : batches_) blocks.insert(blocks.end(), {block.at, block.metadata_bytes, block.body_bytes});
  buffer.add_structures(of[2], blocks, 3);
  std::string end = buffer.bytes();
  const auto size = static_cast<std::uint32_t>(end.size());
  append_raw(end, &size, 1);
  put(end.append(kArrowMagic));
}

}  // namespace

void write_arrow(const ResultColumns& result, const WriteBytes& write) { ArrowWriter(result, write).run(); }

}  // namespace vizd::sql
