#include "formats/bigtpu/blocks.h"

#include <algorithm>

namespace vizd::bigtpu {
namespace {

constexpr std::size_t kHeaderBytes = 2 * 4;

}  // namespace

bool is_known(BlockType type) {
  return (type >= BlockType::kSummary && type <= BlockType::kDescriptorMap) || type == BlockType::kSubnetAnchor;
}

std::span<const std::byte> Blocks::first(BlockType type) const {
  const auto found = std::ranges::find(blocks, type, &Block::type);
  return found == blocks.end() ? std::span<const std::byte>() : found->content;
}

bool Blocks::has(BlockType type) const { return std::ranges::find(blocks, type, &Block::type) != blocks.end(); }

Blocks read_blocks(std::span<const std::byte> file) {
  Blocks read;
  std::size_t at = 0;
  while (file.size() - at >= kHeaderBytes) {
    const auto type = static_cast<BlockType>(word_at(file.data() + at, 0));
    const std::size_t length = word_at(file.data() + at, 1);
    at += kHeaderBytes;
    const std::size_t there = std::min(length, file.size() - at);
    read.blocks.push_back({type, at, file.subspan(at, there)});
    read.missing_bytes = length - there;
    at += there;
  }
  read.short_header_bytes = file.size() - at;
  return read;
}

bool looks_like_blocks(std::span<const std::byte> beginning) {
  if (beginning.size() < kHeaderBytes) return false;
  // Blocks follow each other from header to header, as far as the beginning shows; one by chance goes nowhere.
  std::size_t at = 0;
  while (beginning.size() - at >= kHeaderBytes) {
    const auto type = static_cast<BlockType>(word_at(beginning.data() + at, 0));
    const std::size_t length = word_at(beginning.data() + at, 1);
    at += kHeaderBytes;
    if (at == kHeaderBytes && !is_known(type)) return false;
    if (length > beginning.size() - at) {
      // The first block alone: what it holds has to be whole records.
      const bool is_monitor = type == BlockType::kMonitorTiu || type == BlockType::kMonitorGdma ||
                              type == BlockType::kMonitorSdma || type == BlockType::kMonitorCdma;
      return at > kHeaderBytes || (is_monitor && length % kTiuRecordBytes == 0) || type == BlockType::kDynamicData;
    }
    at += length;
  }
  return true;
}

}  // namespace vizd::bigtpu
