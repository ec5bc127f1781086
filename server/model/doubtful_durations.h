// Finds impossible durations in a profile: negative ones, and a kernel in whose time others of its stream begin and
// end, though a stream runs one kernel after another. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace vizd {

// A kernel in whose time others of its stream begin and end, and how many.
struct LongKernel {
  std::uint32_t track = 0, event = 0;  // places
  std::size_t inside = 0;
};

// For each stream, from that track on, the kernel that holds the most others; streams without such a kernel are left
// out.
std::vector<LongKernel> long_kernels(const std::vector<Track>& tracks, std::uint32_t first_track = 0);

// Events that are recorded to end before they begin: how many, and the first of them.
struct NegativeDurations {
  std::size_t count = 0;
  std::uint32_t track = 0, event = 0;
};
NegativeDurations negative_durations(const std::vector<Track>& tracks);

}  // namespace vizd
