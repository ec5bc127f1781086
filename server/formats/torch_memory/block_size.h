// The bytes of the block that the allocator makes of a request. Pure.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace vizd::torch_memory {

inline constexpr std::uint64_t kLeastBlockBytes = 512;
inline constexpr std::uint64_t kSmallBytes = std::uint64_t{1} << 20;  // the most of a block in a small segment
inline constexpr std::uint64_t kLargePageBytes = std::uint64_t{20} << 20;

// divisions: into how many steps each power of two is divided (Snapshot::roundup_divisions); 0 or 1: not at all.
constexpr std::uint64_t rounded(std::uint64_t request, std::span<const std::uint64_t, 16> divisions) {
  if (request < kLeastBlockBytes) return kLeastBlockBytes;
  const auto width = static_cast<int>(std::bit_width(request));
  const std::uint64_t steps = divisions[static_cast<std::size_t>(width <= 21 ? 0 : width >= 36 ? 15 : width - 21)];
  if (steps > 1 && request / kLeastBlockBytes >= steps && request > kLeastBlockBytes * steps) {
    const std::uint64_t floor = std::uint64_t{1} << (width - 1);
    if (floor == request) return request;
    const std::uint64_t step = floor >> (std::bit_width(steps) - 1);
    if (step == 0) return floor << 1;
    return (request + step - 1) / step * step;
  }
  return (request + kLeastBlockBytes - 1) / kLeastBlockBytes * kLeastBlockBytes;
}

}  // namespace vizd::torch_memory
