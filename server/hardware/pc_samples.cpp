#include "hardware/pc_samples.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace vizd::hardware {
namespace {

constexpr std::size_t kHeaderAt = 4, kHeaderBytes = 4, kMostBytes = kPcPacketBytes - kHeaderBytes;
constexpr std::int64_t kLongSampleVersion = 0xa04;  // Blackwell, from here on
constexpr std::size_t kShortSampleBytes = 8, kLongSampleBytes = 9;

struct Stall {
  std::uint64_t key;
  std::string_view name;
};

constexpr Stall kShortStalls[] = {
    {1, "MEMORY_THROTTLE"}, {15, "MEMORY_THROTTLE"},  {2, "CONSTANT_MEMORY"}, {3, "SYNC"},
    {6, "INST_FETCH"},      {11, "INST_FETCH"},       {7, "EXEC_DEPENDENCY"}, {10, "EXEC_DEPENDENCY"},
    {18, "NONE"},           {9, "MEMORY_DEPENDENCY"}, {12, "PIPE_BUSY"},
};
constexpr Stall kLongStalls[] = {
    {1, "MEMORY_THROTTLE"}, {14, "MEMORY_THROTTLE"}, {2, "SYNC"},       {5, "INST_FETCH"}, {10, "INST_FETCH"},
    {6, "EXEC_DEPENDENCY"}, {9, "EXEC_DEPENDENCY"},  {11, "PIPE_BUSY"}, {15, "PIPE_BUSY"}, {8, "MEMORY_DEPENDENCY"},
    {17, "NONE"},
};

std::string_view stall_name(std::span<const Stall> stalls, std::uint64_t key) {
  for (const Stall& stall : stalls) {
    if (stall.key == key) return stall.name;
  }
  return "OTHER";
}

PcSample short_sample(const std::byte* bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return {.wave = static_cast<std::uint32_t>(bits >> 50 & 63),
          .address = (bits & ((std::uint64_t{1} << 45) - 1)) << 4,
          .stall = stall_name(kShortStalls, bits >> 45 & 31),
          .is_active = (bits >> 62 & 1) != 0};
}

PcSample long_sample(const std::byte* bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  const auto last = static_cast<std::uint32_t>(bytes[8]);
  return {.wave = static_cast<std::uint32_t>(bits >> 6 & 3) << 4 | (last >> 4 & 15),
          .address = (bits >> 8 & ((std::uint64_t{1} << 53) - 1)) << 4,
          .stall = stall_name(kLongStalls, bits & 63),
          .is_active = (last >> 3 & 1) != 0};
}

}  // namespace

void read_pc_samples(std::span<const std::byte> packets, std::int64_t sm_version,
                     const std::function<bool(const PcSample&)>& on_sample) {
  const bool is_long = sm_version >= kLongSampleVersion;
  const std::size_t sample_bytes = is_long ? kLongSampleBytes : kShortSampleBytes;
  struct Unit {
    std::vector<std::byte> bytes;  // of a sample that is not whole yet
    std::int64_t samples = 0;
  };
  std::unordered_map<std::uint32_t, Unit> units;
  for (; packets.size() >= kPcPacketBytes; packets = packets.subspan(kPcPacketBytes)) {
    std::uint32_t header = 0;
    std::memcpy(&header, packets.data() + kHeaderAt, sizeof header);
    const std::uint32_t unit = (header >> 8 & 0xFF) | (header >> 25 & 7) << 8;
    auto& [bytes, samples] = units[unit];
    if ((header >> 28 & 1) != 0) bytes.clear();  // some were dropped before it
    for (std::size_t i = 0; i < std::min<std::size_t>(header & 31, kMostBytes); ++i) {
      bytes.push_back(packets[i < kHeaderAt ? i : i + kHeaderBytes]);
    }
    std::size_t at = 0;
    for (; bytes.size() - at >= sample_bytes; at += sample_bytes) {
      PcSample sample = is_long ? long_sample(bytes.data() + at) : short_sample(bytes.data() + at);
      sample.unit = unit;
      sample.start_cycle = samples++ * kCyclesASample;
      sample.end_cycle = sample.start_cycle + kCyclesASample;
      if (!on_sample(sample)) return;
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace vizd::hardware
