// Chunks: finds the whole chunks of a native capture (include/vizd/FORMAT.md) and unpacks them. A file that is cut,
// damaged or still being written gives every chunk that is whole, and the places of what is not. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "base/result.h"
#include "vizd/capture_format.h"

namespace vizd::native {

// One chunk whose checksum holds, packed as it is.
struct Chunk {
  capture::ChunkHeader header;
  std::span<const std::byte> stored;
  std::uint64_t offset = 0;  // of its header in the file
};

// Bytes that are no whole chunk.
struct Gap {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  bool at_end = false;
};

// What lies between one file header and the next: records are numbered anew in each.
struct Section {
  std::vector<Chunk> chunks;
};

struct ChunkList {
  std::vector<Section> sections;
  std::vector<Gap> gaps;
};

bool begins_with_header(std::span<const std::byte> bytes);

// Errors, with name as their place: a version that this vizd does not know. The bytes must begin_with_header().
Result<ChunkList> find_chunks(std::span<const std::byte> bytes, const std::string& name);

// The chunk's columns, of header.unpacked_bytes; empty where its packing is damaged or unknown.
LargeVector<std::byte> unpack_chunk(const Chunk& chunk);

}  // namespace vizd::native
