// PmuRecord: what an engine's performance monitor wrote down of one command that it ran: from when until when, and its
// counters. Refers to the file's bytes. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/bigtpu/blocks.h"
#include "formats/bigtpu/chip.h"
#include "formats/bigtpu/dynamic_data.h"

namespace vizd::bigtpu {

// A record that moved nothing is part of a message between engines.
enum class SystemRole : std::uint8_t { kNone, kSend, kWait };

struct PmuRecord {
  std::int64_t start = 0, end = 0;  // of the device's counter, or what was made of that
  std::int64_t cycles = 0;          // end - start + 1 as the counter had them
  std::int64_t id = 0;
  const std::byte* words = nullptr;
  const Command* command = nullptr;
  Tags tags = {};
  std::int16_t core = -1;  // that gave the command, where that is not the core whose record it is
  SystemRole role = SystemRole::kNone;

  std::uint32_t word(std::size_t n) const { return word_at(words, n); }
};

// Counters of a record, by the word in which they stand.
namespace dma_word {
inline constexpr std::size_t kLatencies = 3, kStall = 4, kAxiWrite = 5, kMemoryWrite = 10, kWriteValid = 12,
                             kReadValid = 13;
}
namespace cdma_word {
inline constexpr std::size_t kId = 2, kWrite = 4, kWriteValid = 8, kReadValid = 10, kAtiValid = 12, kAriValid = 14;
}

std::size_t record_bytes(Engine engine);

// The whole records of a monitor block, times and ids as they stand there.
std::vector<PmuRecord> read_records(Engine engine, std::span<const std::byte> block);

// Whether the record tells of a message and not of work: by its counters.
bool is_system(Engine engine, const std::byte* words);

// Bytes that a DMA engine's or CDMA's record moved.
std::int64_t moved_bytes(Engine engine, const std::byte* words);

// Ids that wrapped at 16 bits count on. any_width: also where the engine counts wider (bigTpuProfile 0.3.0).
void continue_ids(std::vector<PmuRecord>& records, bool any_width);

// Puts records in which messages' sends overtook what went before back into the order of their ids.
void order_by_ids(std::vector<PmuRecord>& records);

}  // namespace vizd::bigtpu
