// ContentHash: a 64-bit number for a sequence of bytes, the same on every run, at the speed of memory. It tells
// contents apart; it is no protection against someone who makes two that agree. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace vizd {

class ContentHash {
 public:
  void add(std::uint64_t word) { state_ = mix(state_ ^ word, kFirst) + size_++; }

  void add(std::string_view bytes) {
    add(std::uint64_t{bytes.size()});
    // Four independent lanes, so that one product need not wait for the one before.
    std::uint64_t lanes[4] = {state_, state_ ^ kFirst, state_ ^ kSecond, state_ + kFirst};
    while (bytes.size() >= 32) {
      for (std::size_t i = 0; i < 4; ++i) lanes[i] = mix(lanes[i] ^ word_at(bytes.substr(8 * i, 8)), kSecond);
      bytes.remove_prefix(32);
    }
    for (const std::uint64_t lane : lanes) add(lane);
    for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(8, bytes.size())))
      add(word_at(bytes.substr(0, 8)));
  }

  template <typename T>
  void add(std::span<const T> values) {
    add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }

  std::uint64_t value() const { return mix(state_, kSecond); }

 private:
  static constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15u, kSecond = 0xD6E8FEB86659FD93u;

  static std::uint64_t mix(std::uint64_t word, std::uint64_t factor) {
    const std::uint64_t product = (word ^ (word >> 32)) * factor;
    return product ^ (product >> 29);
  }
  static std::uint64_t word_at(std::string_view bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    return word;
  }

  std::uint64_t state_ = kSecond;
  std::uint64_t size_ = 0;
};

inline std::uint64_t content_hash_of(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace vizd
