// PackedIntegers and PackedReals: very many numbers in few bits. Of each 256 values a line is kept (a first value and a
// step), and how far each value lies above it, in as many bits as the farthest needs: what is constant or counts up
// costs next to nothing, what grows steadily or lies close together little. Any value is read by itself, in a few
// nanoseconds. Values are appended; shrink() when no more are to come. Not thread-safe while it is changed; reading is.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"

namespace vizd {

class PackedIntegers {
 public:
  static constexpr std::size_t kBlock = 256;  // values

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t operator[](std::size_t i) const {
    const std::size_t block = i / kBlock;
    return block < blocks_.size() ? blocks_[block].value(words_.data(), i % kBlock) : tail_[i % kBlock];
  }

  void push_back(std::int64_t value) {
    if (tail_.empty() && size_ % kBlock != 0) unpack_last();
    tail_.push_back(value);
    ++size_;
    if (tail_.size() == kBlock) pack_tail();
  }
  // Many at once, which is quicker.
  void append(std::span<const std::int64_t> values);
  // first, first + 1 and so on: `count` of them.
  void append_counting(std::int64_t first, std::size_t count);
  // Packs what has not filled a block, and gives back the room that was kept for more.
  void shrink();
  // Takes back the values behind the last full block.
  void pop_partial_block();

  // Calls visit(value) for each value in order, which is quicker than to ask for one after another.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    std::array<std::int64_t, kBlock> values;
    for (std::size_t begin = 0; begin < size_; begin += kBlock) {
      for (const std::int64_t value : block(begin / kBlock, values)) visit(value);
    }
  }
  // The values of that block, in `room` or in the column itself.
  std::span<const std::int64_t> block(std::size_t number, std::array<std::int64_t, kBlock>& room) const;

  // Whether each value is greater than the one before.
  bool is_ascending() const;
  // Where no value is less than the one before: the first place whose value is at least that; size() where none is.
  std::size_t lower_bound(std::int64_t value) const;

  // All that makes up a column that was shrunk: the same for the same values.
  struct Block {
    std::uint64_t first = 0, step = 0;  // modulo 2^64, as the sums are
    std::uint64_t begin_and_bits = 0;   // in which word its bits begin, and in the last 8 bits how many a value has

    std::size_t begin() const { return begin_and_bits >> 8; }
    std::int64_t value(const std::uint64_t* words, std::size_t place) const {
      const std::size_t bits = begin_and_bits & 0xFF;
      std::uint64_t above = 0;
      if (bits != 0) {
        const std::size_t bit = place * bits, shift = bit % 64;
        const std::uint64_t* const word = words + begin() + bit / 64;
        above = *word >> shift;
        if (shift + bits > 64) above |= word[1] << (64 - shift);
        above &= ~std::uint64_t{0} >> (64 - bits);
      }
      return static_cast<std::int64_t>(first + step * place + above);
    }
  };
  std::span<const Block> blocks() const { return blocks_; }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  // At most kBlock values, which are not counted.
  void pack(std::span<const std::int64_t> values);
  void pack_tail();
  void unpack_last();

  LargeVector<Block> blocks_;
  LargeVector<std::uint64_t> words_;
  std::vector<std::int64_t> tail_;  // the last values, while they fill no block
  std::size_t size_ = 0;
};

// Reals that are short decimals, as most in files are, are kept as integers beside a power of ten; others as their
// bits.
class PackedReals {
 public:
  std::size_t size() const { return packed_.size() + tail_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const {
    return i < packed_.size() ? real(packed_[i], powers_[i / PackedIntegers::kBlock]) : tail_[i - packed_.size()];
  }

  void append(std::span<const double> values) {
    for (const double value : values) push_back(value);
  }
  void push_back(double value) {
    if (tail_.empty() && packed_.size() % PackedIntegers::kBlock != 0) unpack_last();
    tail_.push_back(value);
    if (tail_.size() == PackedIntegers::kBlock) pack_tail();
  }
  void shrink();

  const PackedIntegers& packed() const { return packed_; }
  std::span<const std::uint8_t> powers() const { return powers_; }

 private:
  static constexpr std::uint8_t kBits = 0xFF;  // no power: they are kept as their bits
  static constexpr std::array<double, 10> kPowers = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

  static double real(std::int64_t packed, std::uint8_t power) {
    return power == kBits ? std::bit_cast<double>(packed) : static_cast<double>(packed) / kPowers[power];
  }
  static bool to_integers(std::span<const double> values, std::uint8_t power, std::span<std::int64_t> integers);
  void pack_tail();
  void unpack_last();

  PackedIntegers packed_;
  std::vector<std::uint8_t> powers_;  // by block
  std::vector<double> tail_;
};

}  // namespace vizd
