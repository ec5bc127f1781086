// Samples of program counters, as NVIDIA's performance monitors (PMA) stream them: where a warp was when it was looked
// at, and what it waited for. Packets of 32 bytes hold bytes of samples, each packet those of one unit. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace vizd::hardware {

inline constexpr std::size_t kPcPacketBytes = 32;

// A sample stands for so many cycles of its unit, as tinygrad takes it.
inline constexpr std::int64_t kCyclesASample = 32;

struct PcSample {
  std::uint32_t unit = 0;  // graphics cluster << 5 | TPC << 1 | multiprocessor
  std::uint32_t wave = 0;
  std::uint64_t address = 0;
  std::string_view stall;  // "MEMORY_DEPENDENCY"; "NONE" where the warp did not wait
  bool is_active = false;  // it issued an instruction
  // By how many samples its unit had before it: packets tell no time.
  std::int64_t start_cycle = 0, end_cycle = 0;

  std::uint32_t graphics_cluster() const { return unit >> 5; }
  std::uint32_t texture_cluster() const { return unit >> 1 & 15; }
  std::uint32_t multiprocessor() const { return unit & 1; }
};

// Calls on_sample for each, until it returns false. sm_version says how long a sample is.
void read_pc_samples(std::span<const std::byte> packets, std::int64_t sm_version,
                     const std::function<bool(const PcSample&)>& on_sample);

}  // namespace vizd::hardware
