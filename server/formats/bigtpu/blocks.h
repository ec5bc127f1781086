// Blocks: what a .profile file is made of: a type, a length and so many bytes, little-endian, one after another. Views
// of the file's bytes. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace vizd::bigtpu {

enum class BlockType : std::uint32_t {
  kSummary = 1,
  kCompilerLog = 2,
  kMonitorTiu = 3,
  kMonitorGdma = 4,
  kDynamicData = 5,
  kDynamicExtra = 6,
  kFirmwareLog = 7,
  kCommand = 8,
  kBmlib = 9,
  kBmlibExtra = 10,
  kMonitorSdma = 11,
  kMonitorCdma = 12,
  kTiuDescriptors = 13,
  kGdmaDescriptors = 14,
  kSdmaDescriptors = 15,
  kCdmaDescriptors = 16,
  kDescriptorMap = 17,
  kSubnetAnchor = 100,
};

bool is_known(BlockType type);

struct Block {
  BlockType type;
  std::uint64_t offset = 0;  // of its content in the file
  std::span<const std::byte> content;
};

struct Blocks {
  std::vector<Block> blocks;           // of a cut one what is there
  std::uint64_t missing_bytes = 0;     // that the last one promises and the file does not have
  std::size_t short_header_bytes = 0;  // less than a header, at the end

  // The content of the first block of that type; empty where there is none.
  std::span<const std::byte> first(BlockType type) const;
  bool has(BlockType type) const;
};

Blocks read_blocks(std::span<const std::byte> file);

// Whether bytes begin like such a file.
bool looks_like_blocks(std::span<const std::byte> beginning);

inline std::uint32_t word_at(const std::byte* words, std::size_t n) {
  std::uint32_t word;
  std::memcpy(&word, words + n * sizeof word, sizeof word);
  return word;
}

// The bytes that one record of a monitor block takes.
inline constexpr std::size_t kTiuRecordBytes = 4 * 4;
inline constexpr std::size_t kDmaRecordBytes = 16 * 4;
inline constexpr std::size_t kCdmaRecordBytes = 32 * 4;

}  // namespace vizd::bigtpu
