// ChunkList: the whole chunks of a native capture (include/vizd/FORMAT.md) and unpacks them. A file that is cut,
// damaged or still being written gives every chunk that is whole, and the places of what is not. Pure; any thread.
#pragma once

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

// The chunks between one file header and the next: records are numbered anew in each.
struct Section {
  std::uint32_t version = capture::kVersion;
  std::uint32_t flags = 0;   // of the header
  std::uint64_t offset = 0;  // of the header in the file
  std::vector<Chunk> chunks;
};

struct ChunkList {
  std::vector<Section> sections;
  std::vector<Gap> gaps;
};

bool begins_with_header(std::span<const std::byte> bytes);

// Errors, with name as their place: a version that this vizd does not know. The bytes must begin_with_header().
Result<ChunkList> find_chunks(std::span<const std::byte> bytes, const std::string& name);

// Unpacks one chunk after another, with memory for the largest of them. One thread.
class Unpacker {
 public:
  // The chunk's columns, of header.unpacked_bytes, until the next is unpacked; none where its packing is damaged or
  // unknown.
  std::optional<std::span<const std::byte>> unpack(const Chunk& chunk);

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> zstd_{::ZSTD_createDCtx()};
  std::unique_ptr<std::byte[]> memory_;
  std::size_t memory_bytes_ = 0;
};

}  // namespace vizd::native
