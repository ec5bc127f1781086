// LEB128 varints: seven bits a byte, the lowest first, the top bit set on all but the last. Most numbers of the columns
// that the page reads are below 128.
#pragma once

#include <cstdint>
#include <string>

namespace vizd {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Small numbers of either sign become small numbers: 0, -1, 1, -2, …
inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace vizd
