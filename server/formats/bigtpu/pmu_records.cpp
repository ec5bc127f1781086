#include "formats/bigtpu/pmu_records.h"

#include <utility>

namespace vizd::bigtpu {

std::size_t record_bytes(Engine engine) {
  switch (engine) {
    case Engine::kTiu:
      return kTiuRecordBytes;
    case Engine::kCdma:
      return kCdmaRecordBytes;
    default:
      return kDmaRecordBytes;
  }
}

std::vector<PmuRecord> read_records(Engine engine, std::span<const std::byte> block) {
  constexpr std::uint32_t kCdmaIdBits = 0xFFFFFF;
  const std::size_t size = record_bytes(engine);
  std::vector<PmuRecord> records;
  records.reserve(block.size() / size);
  for (std::size_t at = 0; at + size <= block.size(); at += size) {
    const std::byte* words = block.data() + at;
    const std::uint32_t id = word_at(words, 2);
    records.push_back({.start = word_at(words, 0),
                       .end = word_at(words, 1),
                       .id = engine == Engine::kCdma ? id & kCdmaIdBits : id,
                       .words = words});
  }
  return records;
}

bool is_system(Engine engine, const std::byte* words) {
  constexpr std::uint32_t kNoConflict = 2;  // TIU's fourth word: one bank conflict, of thread 0
  switch (engine) {
    case Engine::kTiu:
      return word_at(words, 3) == kNoConflict;
    case Engine::kCdma:
      return word_at(words, cdma_word::kWrite) == 0;
    default:
      return std::uint64_t{word_at(words, dma_word::kWriteValid)} + word_at(words, dma_word::kReadValid) == 0;
  }
}

std::int64_t moved_bytes(Engine engine, const std::byte* words) {
  if (engine == Engine::kTiu) return 0;
  if (engine == Engine::kCdma) return word_at(words, cdma_word::kWrite);
  return std::int64_t{word_at(words, dma_word::kMemoryWrite)} + word_at(words, dma_word::kAxiWrite);
}

void continue_ids(std::vector<PmuRecord>& records, bool any_width) {
  constexpr std::int64_t kNearEnd = 65000, kLast = 0xFFFF, kNearBeginning = 1000;
  std::int64_t wrapped = 0, last = 0;
  for (PmuRecord& record : records) {
    if (last > kNearEnd && (any_width || last <= kLast) && record.id < kNearBeginning) wrapped += kLast + 1;
    last = record.id;
    record.id += wrapped;
  }
}

void order_by_ids(std::vector<PmuRecord>& records) {
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records[i].id >= records[i - 1].id) continue;
    if (i >= 2 && records[i].id - records[i - 2].id == 1) {
      std::swap(records[i], records[i - 1]);
    } else if (i + 1 < records.size() && records[i + 1].id - records[i - 1].id == 1) {
      std::swap(records[i], records[i + 1]);
    }
  }
}

}  // namespace vizd::bigtpu
