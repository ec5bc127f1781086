// Samples of program counters, summed up by address and by what the warps waited for. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hardware/pc_samples.h"

namespace vizd::hardware {

struct SampledAddress {
  std::uint64_t address = 0;  // as the GPU has it
  std::uint64_t samples = 0;
  std::uint64_t active = 0;           // in which the warp issued an instruction
  std::vector<std::uint64_t> stalls;  // by SampleTable::stalls
};

struct SampleTable {
  std::vector<std::string_view> stalls;   // the most frequent first
  std::vector<std::uint64_t> totals;      // samples of each
  std::vector<SampledAddress> addresses;  // in their order
  std::uint64_t samples = 0, active = 0;

  void add(std::span<const std::byte> packets, std::int64_t sm_version);
  // Puts stalls and addresses in order, once all is added.
  void finish();
};

}  // namespace vizd::hardware
