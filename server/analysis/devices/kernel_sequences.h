// KernelSequence: kernels that follow one another on a stream again and again, as candidates for fusion: one kernel in
// their place saves launches, the time between them, and the memory that one writes and the next reads. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

struct KernelSequence {
  std::vector<StringId> names;  // two to eight, in order
  std::int64_t count = 0;       // occurrences; none overlaps another of the same sequence
  std::int64_t total_ns = 0;    // of the kernels
  std::int64_t between_ns = 0;  // between them
  bool is_candidate = false;    // none is a product, a convolution or attention: all are bound by memory
  std::uint32_t longest = 0;    // the first kernel of the occurrence that took longest: place in DeviceWork::items
  std::int64_t longest_ns = 0;  // of that, from its first kernel's start to its last one's end
};

// Returns sequences that occur at least three times, the most time first; at most that many. Communication, copies and
// 30 us without work end a sequence. One that is always part of the same longer one is left out. kernel: only sequences
// that contain it.
std::vector<KernelSequence> find_kernel_sequences(const Capture& capture, const DeviceWork& work, std::size_t most,
                                                  const std::optional<std::string>& kernel = {});

}  // namespace vizd
