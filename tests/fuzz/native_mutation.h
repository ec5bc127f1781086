// Changes a native capture's chunks and the numbers in their columns; sizes and checksums are put right.
#pragma once

#include "formats/native/chunks.h"
#include "fuzz/mutation.h"

namespace vizd::fuzz {

struct NativeColumn {
  std::uint16_t number = 0;
  capture::ColumnType type{};
  capture::Coding coding{};
  std::string values;
};

struct NativeChunk {
  capture::ChunkHeader header;
  std::vector<NativeColumn> columns;
};

inline std::vector<NativeColumn> columns_of(std::span<const std::byte> bytes) {
  std::vector<NativeColumn> columns;
  while (bytes.size() >= capture::kColumnHeaderBytes) {
    NativeColumn column;
    std::uint32_t count = 0;
    std::memcpy(&column.number, bytes.data(), 2);
    std::memcpy(&column.type, bytes.data() + 2, 1);
    std::memcpy(&column.coding, bytes.data() + 3, 1);
    std::memcpy(&count, bytes.data() + 4, 4);
    bytes = bytes.subspan(capture::kColumnHeaderBytes);
    const std::size_t size = std::size_t{count} * capture::width_bytes(column.type);
    if (size > bytes.size()) break;
    column.values.assign(reinterpret_cast<const char*>(bytes.data()), size);
    bytes = bytes.subspan(std::min(bytes.size(), (size + 7) / 8 * 8));
    columns.push_back(std::move(column));
  }
  return columns;
}

inline std::string packed(const NativeChunk& chunk) {
  static capture::Packer packer(1);
  std::string bytes;
  for (const NativeColumn& column : chunk.columns) {
    const auto count = static_cast<std::uint32_t>(column.values.size() / capture::width_bytes(column.type));
    bytes.append(reinterpret_cast<const char*>(&column.number), 2);
    bytes.push_back(static_cast<char>(column.type));
    bytes.push_back(static_cast<char>(column.coding));
    bytes.append(reinterpret_cast<const char*>(&count), 4);
    bytes += column.values.substr(0, count * capture::width_bytes(column.type));
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  }
  return packer.pack(chunk.header, bytes);
}

// Puts a number at which readers go wrong into the column, which gets room for it.
inline void put_odd_number(NativeColumn& column, Random& random) {
  const std::size_t width = capture::width_bytes(column.type), count = column.values.size() / width;
  if (count == 0) return;
  const std::uint64_t odd = odd_number(random);
  const std::size_t at = below(random, count);
  if (column.type == capture::ColumnType::kF32 || column.type == capture::ColumnType::kF64 || below(random, 2) == 0) {
    std::memcpy(column.values.data() + at * width, &odd, width);
    return;
  }
  std::string wide(count * 8, '\0');
  for (std::size_t i = 0; i < count; ++i) std::memcpy(wide.data() + i * 8, column.values.data() + i * width, width);
  std::memcpy(wide.data() + at * 8, &odd, 8);
  column.type = capture::ColumnType::kI64;
  column.values = std::move(wide);
}

inline void change_column(NativeColumn& column, Random& random) {
  switch (below(random, 8)) {
    case 0:
      column.number = static_cast<std::uint16_t>(below(random, 24));
      break;
    case 1:
      column.type = static_cast<capture::ColumnType>(below(random, 11));
      break;
    case 2:
      mutate(column.values);
      break;
    case 3:
    case 4:
      mutate(column.values, true);
      break;
    default:
      put_odd_number(column, random);
  }
}

inline std::optional<std::string> change_native(std::span<const std::byte> bytes, Random& random) {
  if (!native::begins_with_header(bytes)) return std::nullopt;
  const auto found = native::find_chunks(bytes, "fuzz");
  if (!found || found->sections.empty()) return std::nullopt;
  constexpr std::uint64_t kMostUnpackedBytes = 1 << 20;
  native::Unpacker unpacker;
  std::vector<NativeChunk> chunks;
  for (const native::Chunk& chunk : found->sections.front().chunks) {
    if (chunk.header.unpacked_bytes > kMostUnpackedBytes) continue;
    if (const auto unpacked = unpacker.unpack(chunk)) chunks.push_back({chunk.header, columns_of(*unpacked)});
  }
  change_list(chunks, random, [&](NativeChunk& chunk) {
    switch (below(random, 24)) {
      case 0:
        chunk.header.type = static_cast<capture::ChunkType>(below(random, 40));
        break;
      case 1:
        chunk.header.count = static_cast<std::uint32_t>(odd_number(random));
        break;
      case 2:
        chunk.header.first = odd_number(random);
        break;
      default:
        change_list(chunk.columns, random, [&](NativeColumn& column) { change_column(column, random); });
    }
  });
  std::string out = capture::file_header();
  std::memcpy(out.data() + sizeof capture::kMagic, &found->sections.front().version, sizeof capture::kVersion);
  for (const NativeChunk& chunk : chunks) out += packed(chunk);
  return out;
}

}  // namespace vizd::fuzz
