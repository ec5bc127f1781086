// Digest: 64 bits of hash of a sequence of words, from two chains of 32. For telling things apart, not for secrets.
#pragma once

#include <cstdint>

#include "base/hash_index.h"

namespace vizd {

class Digest {
 public:
  explicit Digest(std::uint32_t seed) : low_(seed), high_(seed ^ 0x5BD1E995u) {}

  Digest& add(std::uint64_t word) {
    for (const auto part : {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)}) {
      low_ = mix_hash(low_, part);
      high_ = mix_hash(high_, part * 0x9E3779B1u + 1);
    }
    return *this;
  }
  std::uint64_t value() const { return std::uint64_t{high_} << 32 | low_; }

 private:
  std::uint32_t low_;
  std::uint32_t high_;
};

}  // namespace vizd
