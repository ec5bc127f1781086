// RankArc: what ranks have to keep: rank[head] - rank[tail] >= length, the fewer weight * span the better. Internal to
// layout; plain data.
#pragma once

#include <cstdint>

namespace vizd {

struct RankArc {
  std::uint32_t tail = 0;
  std::uint32_t head = 0;
  std::int32_t length = 1;
  std::int32_t weight = 1;
};

}  // namespace vizd
