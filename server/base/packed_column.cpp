#include "base/packed_column.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vizd {
namespace {

// How far values lie from a line: the least and the greatest distance.
struct Spread {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();

  unsigned bits() const {
    return static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least)));
  }
};

// All arithmetic is modulo 2^64: whatever line is taken, the values come back.
std::int64_t above_line(std::int64_t value, std::uint64_t first, std::uint64_t step, std::size_t place) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - first - step * place);
}

Spread spread_along(std::span<const std::int64_t> values, std::uint64_t first, std::uint64_t step) {
  Spread spread;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t above = above_line(values[i], first, step, i);
    spread.least = std::min(spread.least, above);
    spread.greatest = std::max(spread.greatest, above);
  }
  return spread;
}

// The step of the line through the first and the last value; 0 where they lie further apart than numbers reach.
std::uint64_t step_of(std::span<const std::int64_t> values) {
  std::int64_t whole = 0;
  if (values.size() < 2 || __builtin_sub_overflow(values.back(), values.front(), &whole)) return 0;
  return static_cast<std::uint64_t>(whole / static_cast<std::int64_t>(values.size() - 1));
}

}  // namespace

void PackedIntegers::pack(std::span<const std::int64_t> values) {
  const auto first = static_cast<std::uint64_t>(values.front());
  std::uint64_t step = step_of(values);
  Spread spread = spread_along(values, first, step);
  if (step != 0 && spread.bits() != 0) {
    if (const Spread flat = spread_along(values, first, 0); flat.bits() <= spread.bits()) spread = flat, step = 0;
  }
  Block block;
  block.first = first + static_cast<std::uint64_t>(spread.least);
  block.step = step;
  block.begin_and_bits = words_.size() << 8 | spread.bits();
  if (const unsigned bits = spread.bits(); bits != 0) {
    std::uint64_t word = 0;
    unsigned filled = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto above = static_cast<std::uint64_t>(above_line(values[i], block.first, step, i));
      word |= above << filled;
      filled += bits;
      if (filled < 64) continue;
      words_.push_back(word);
      filled -= 64;
      word = filled == 0 ? 0 : above >> (bits - filled);
    }
    if (filled != 0) words_.push_back(word);
  }
  blocks_.push_back(block);
}

void PackedIntegers::pack_tail() {
  pack(tail_);
  tail_.clear();
}

void PackedIntegers::append(std::span<const std::int64_t> values) {
  for (; !values.empty() && size_ % kBlock != 0; values = values.subspan(1)) push_back(values.front());
  for (; values.size() >= kBlock; values = values.subspan(kBlock)) {
    pack(values.first(kBlock));
    size_ += kBlock;
  }
  for (const std::int64_t value : values) push_back(value);
}

void PackedIntegers::append_counting(std::int64_t first, std::size_t count) {
  for (; count != 0 && size_ % kBlock != 0; --count) push_back(first++);
  for (; count >= kBlock; count -= kBlock) {
    blocks_.push_back({.first = static_cast<std::uint64_t>(first), .step = 1, .begin_and_bits = words_.size() << 8});
    size_ += kBlock;
    first += kBlock;
  }
  for (; count != 0; --count) push_back(first++);
}

void PackedIntegers::unpack_last() {
  std::array<std::int64_t, kBlock> room;
  const auto last = block(blocks_.size() - 1, room);
  pop_partial_block();
  tail_.reserve(kBlock);
  tail_.assign(last.begin(), last.end());
  size_ += last.size();
}

void PackedIntegers::pop_partial_block() {
  if (size_ % kBlock == 0) return;
  if (tail_.empty()) {
    words_.resize(blocks_.back().begin());
    blocks_.pop_back();
  }
  tail_.clear();
  size_ -= size_ % kBlock;
}

void PackedIntegers::shrink() {
  if (!tail_.empty()) pack_tail();
  tail_ = {};
  blocks_.shrink_to_fit();
  words_.shrink_to_fit();
}

std::span<const std::int64_t> PackedIntegers::block(std::size_t number, std::array<std::int64_t, kBlock>& room) const {
  if (number == blocks_.size()) return tail_;
  const std::size_t count = std::min(kBlock, size_ - number * kBlock);
  const Block& block = blocks_[number];
  // The loop of value() of a block without bits is told apart, since very many are.
  if ((block.begin_and_bits & 0xFF) == 0) {
    for (std::size_t i = 0; i < count; ++i) room[i] = static_cast<std::int64_t>(block.first + block.step * i);
  } else {
    for (std::size_t i = 0; i < count; ++i) room[i] = block.value(words_.data(), i);
  }
  return std::span(room).first(count);
}

bool PackedIntegers::is_ascending() const {
  constexpr std::uint64_t kMostStep = std::numeric_limits<std::uint64_t>::max() / kBlock;
  std::array<std::int64_t, kBlock> room;
  std::int64_t last = 0;
  for (std::size_t begin = 0; begin < size_; begin += kBlock) {
    const std::size_t number = begin / kBlock, end = std::min(begin + kBlock, size_);
    if (begin != 0 && (*this)[begin] <= last) return false;
    last = (*this)[end - 1];
    if (number < blocks_.size() && (blocks_[number].begin_and_bits & 0xFF) == 0) {
      // A line, which does not go round.
      if (end - begin > 1 && (blocks_[number].step > kMostStep || last <= (*this)[begin])) return false;
    } else if (const auto values = block(number, room);
               std::ranges::adjacent_find(values, std::ranges::greater_equal()) != values.end()) {
      return false;
    }
  }
  return true;
}

std::size_t PackedIntegers::lower_bound(std::int64_t value) const {
  if (empty() || value <= (*this)[0]) return 0;
  // Where it is if all from the first on are there, as they often are.
  const std::uint64_t guess = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>((*this)[0]);
  if (guess < size_ && (*this)[guess] == value && (*this)[guess - 1] < value) return guess;
  std::size_t low = 1, high = size_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// False where any of the values is not exactly its integer over the power of ten.
bool PackedReals::to_integers(std::span<const double> values, std::uint8_t power, std::span<std::int64_t> integers) {
  constexpr double kMost = 1e15;  // whole numbers below it are exact
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double scaled = values[i] * kPowers[power];
    if (!(std::abs(scaled) < kMost)) return false;
    integers[i] = std::llrint(scaled);
    if (std::bit_cast<std::uint64_t>(real(integers[i], power)) != std::bit_cast<std::uint64_t>(values[i])) return false;
  }
  return true;
}

void PackedReals::pack_tail() {
  std::array<std::int64_t, PackedIntegers::kBlock> room;
  const auto integers = std::span(room).first(tail_.size());
  std::uint8_t power = 0;
  while (power < kPowers.size() && !to_integers(tail_, power, integers)) ++power;
  if (power == kPowers.size()) {
    power = kBits;
    for (std::size_t i = 0; i < tail_.size(); ++i) integers[i] = std::bit_cast<std::int64_t>(tail_[i]);
  }
  for (const std::int64_t integer : integers) packed_.push_back(integer);
  powers_.push_back(power);
  tail_.clear();
}

void PackedReals::unpack_last() {
  const std::size_t begin = packed_.size() / PackedIntegers::kBlock * PackedIntegers::kBlock;
  tail_.reserve(PackedIntegers::kBlock);
  for (std::size_t i = begin; i < packed_.size(); ++i) tail_.push_back((*this)[i]);
  packed_.pop_partial_block();
  powers_.pop_back();
}

void PackedReals::shrink() {
  if (!tail_.empty()) pack_tail();
  tail_ = {};
  packed_.shrink();
  powers_.shrink_to_fit();
}

}  // namespace vizd
